import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { LinesDocument } from '../../document/lines.ts';
import type { SpokenTextDocument, WordingsDocument } from '../../document/spoken-text.ts';
import type { BuiltInLines, Language, LineName, Speech } from '../../../model/ports/reader.ts';
import { type Report, addProblem } from '../report.ts';
import { isByLanguage, tagFor, tellOneLanguage } from './text-in-language.ts';

/** Returns the lines of a flow's language, with the author's lines replacing them. */
export function compileLines(report: Report, { reader, speech }: Language, own: LinesDocument): Speech {
  const names = namesOf(speech);
  checkComplete(report, { reader, speech }, own, ['language']);
  if (Object.keys(own).length === 0) return speech;
  const given = new Map(names.map((name) => [name, ownLine(own[name], speech.language)]));
  const lines = Object.fromEntries(
    names.map((name) => [name, lineOf(report, name, own, given.get(name), speech.lines)]),
  );
  return { ...speech, lines: lines as BuiltInLines }; // Each name has its line.
}

/** Reports the lines that are missing in another language of the flow, at `path`. */
export function checkOtherLines(report: Report, language: Language, own: LinesDocument, path: DocumentPath): void {
  const { language: tag } = language.speech;
  if (!report.otherLanguages.includes(tag)) return;
  checkComplete(report, language, own, path);
  for (const [name, given] of Object.entries(own))
    if (given !== undefined && !isByLanguage<WordingsDocument>(given)) tellOneLanguage(report, ['lines', name]);
}

function checkComplete(report: Report, { reader, speech }: Language, own: LinesDocument, path: DocumentPath): void {
  if (reader.lines !== null) return;
  // Callers of any language know "Hello?".
  const needed = namesOf(speech).filter((name) => name !== 'hello');
  const missing = needed.filter((name) => ownLine(own[name], speech.language) === undefined);
  if (missing.length > 0)
    addProblem(
      report,
      'error',
      'language-without-lines',
      path,
      `there are no built-in lines in "${speech.language}", and the flow has no ${missing.join(', ')}.`,
      { hint: 'Write them under lines:, so that callers hear one language.' },
    );
}

function namesOf({ lines }: Speech): readonly LineName[] {
  return Object.keys(lines) as LineName[]; // The type has no other keys.
}

/** Returns the author's line in a language, if any. */
function ownLine(given: SpokenTextDocument | undefined, language: string): WordingsDocument | undefined {
  if (given === undefined || !isByLanguage<WordingsDocument>(given)) return given;
  const tag = tagFor(Object.keys(given), language);
  return tag === undefined ? undefined : given[tag];
}

/** Returns the wordings of a line, with placeholders in single braces. */
function lineOf(
  report: Report,
  name: LineName,
  own: LinesDocument,
  given: WordingsDocument | undefined,
  built: BuiltInLines,
): BuiltInLines[LineName] {
  const known = new Set(placesIn(built[name][0]));
  for (const { text, path } of ownTexts(own[name], ['lines', name]))
    for (const place of wordingsIn(text).flatMap(placesIn))
      if (!known.has(place))
        addProblem(report, 'error', 'undeclared-name', path, `nothing is called "${place}" in this line.`, {
          hint: known.size === 0 ? 'It fills in nothing.' : `It fills in {{ ${[...known].join(' }} and {{ ')} }}.`,
        });
  if (given === undefined) return built[name];
  const [first = '', ...others] = wordingsIn(given);
  return [first, ...others];
}

/** Returns the author's texts for a line, in every language. */
function ownTexts(
  given: SpokenTextDocument | undefined,
  path: DocumentPath,
): readonly { readonly text: WordingsDocument; readonly path: DocumentPath }[] {
  if (given === undefined) return [];
  if (!isByLanguage<WordingsDocument>(given)) return [{ text: given, path }];
  return Object.entries(given).map(([tag, text]) => ({ text, path: [...path, tag] }));
}

function wordingsIn(text: WordingsDocument): readonly string[] {
  return [text].flat().map((wording) => wording.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, '{$1}'));
}

function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
