import type { Template } from '../../expression/template.ts';
import type { Wordings } from '../../expression/wordings.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { SpokenTextDocument, WordingsDocument } from '../../document/spoken-text.ts';
import { type Report, addProblem, templateAt } from '../report.ts';

/** Parses the wordings of a spoken text in every language, and returns those of the spoken one. */
export function wordingsAt(
  report: Report,
  source: SpokenTextDocument,
  path: DocumentPath,
  local: readonly string[] = [],
): Wordings {
  const place = path.join('.');
  if (!isByLanguage(source) && [source].flat().some(hasWords)) tellOneLanguage(report, path);
  const texts = inLanguage(report, source, path, (text, at) => {
    if (path.at(-1) === 'say' || path.at(-1) === 'ask') tellEmpty(report, text, at);
    return templatesAt(report, text, at, local);
  });
  return { place, texts };
}

/** Parses a text for the model in every language, and returns that of the spoken one. */
export function promptAt(
  report: Report,
  source: string | Readonly<Record<string, string>>,
  path: DocumentPath,
): Template {
  return inLanguage(report, source, path, (text, at) => templateAt(report, text, at));
}

/** Returns the best tag for a language: the exact one, otherwise the primary language, otherwise another country. */
export function tagFor(tags: readonly string[], language: string): string | undefined {
  const primary = primaryOf(language);
  return (
    tags.find((tag) => tag === language) ??
    tags.find((tag) => tag === primary) ??
    tags.find((tag) => primaryOf(tag) === primary)
  );
}

function primaryOf(tag: string): string | undefined {
  return tag.split('-', 1)[0];
}

/** Checks whether a text is a map by language. */
export function isByLanguage<Text>(
  source: string | readonly string[] | Readonly<Record<string, Text>>,
): source is Readonly<Record<string, Text>> {
  return typeof source === 'object' && !Array.isArray(source);
}

/** Reports a text in one language in a flow with several. */
export function tellOneLanguage(report: Report, path: DocumentPath): void {
  const { language, otherLanguages } = report;
  if (language === null || otherLanguages.length === 0) return;
  const told = report.problems.some((one) => one.code === 'missing-language' && one.path.join('.') === path.join('.'));
  if (told) return;
  addProblem(
    report,
    'warning',
    'missing-language',
    path,
    `this text is written in one language, and the flow may be held in ${[language, ...otherLanguages].join(', ')}.`,
    {
      hint: `Write it by language: { ${[language, ...otherLanguages].map((tag) => `${tag}: …`).join(', ')} }.`,
      atKey: true,
    },
  );
}

/** Checks whether a text contains words besides its placeholders. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\{[^}]*\}\}/g, ''));
}

/** Reports an empty line. Authors omit the key to leave the line to the model, or for silence. */
function tellEmpty(report: Report, source: WordingsDocument, path: DocumentPath): void {
  for (const [index, text] of [source].flat().entries()) {
    if (text.trim() !== '') continue;
    const place = typeof source === 'string' ? path : [...path, index];
    addProblem(report, 'warning', 'empty-text', place, 'this line is empty: nothing is said.', {
      hint: 'Write what the agent says, or leave it out.',
    });
  }
}

/** Reads a text in every language, so each is checked, and returns the spoken one, otherwise the first. */
function inLanguage<Text extends WordingsDocument, Read>(
  report: Report,
  source: Text | Readonly<Record<string, Text>>,
  path: DocumentPath,
  read: (text: Text, at: DocumentPath) => Read,
): Read {
  if (!isByLanguage<Text>(source)) return read(source, path);
  const all = new Map(Object.entries(source).map(([tag, text]) => [tag, read(text, [...path, tag])]));
  const tags = [...all.keys()];
  const { language, otherLanguages } = report;
  const tag = language === null ? undefined : tagFor(tags, language);
  for (const spoken of language === null ? [] : [language, ...otherLanguages])
    if (tagFor(tags, spoken) === undefined)
      addProblem(
        report,
        'warning',
        'missing-language',
        path,
        `this text is not written in "${spoken}": it is spoken in "${tags[0]}".`,
        { hint: `Add ${spoken}: …`, atKey: true },
      );
  const [first] = all.values();
  return (tag === undefined ? undefined : all.get(tag)) ?? (first as Read); // The schema rejects an empty map.
}

function templatesAt(
  report: Report,
  source: WordingsDocument,
  path: DocumentPath,
  local: readonly string[],
): Wordings['texts'] {
  if (typeof source === 'string') return [templateAt(report, source, path, local, true)];
  const [first = '', ...others] = source;
  const rest = others.map((text, index) => templateAt(report, text, [...path, index + 1], local, true));
  return [templateAt(report, first, [...path, 0], local, true), ...rest];
}
