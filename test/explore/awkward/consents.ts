import { namesRead } from '../../../src/flow/expression/wordings.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import type { Scene } from './scene.ts';

/** A question that a write needs a yes to, in the author's words. */
export interface ConsentQuestion {
  /** Matches the last sentence of the question. At most its last three words may be unheard. */
  readonly end: RegExp;
  /** The slots that the question names. */
  readonly names: readonly string[];
  /** Whether the last sentence names all slots. */
  readonly isOneSentence?: true;
}

/** Returns the consent questions of each function. */
export function consentsOf(graph: Graph, scene: Scene): ReadonlyMap<string, readonly ConsentQuestion[]> {
  const questions = new Map<string, ConsentQuestion[]>();
  const keep = (name: string, texts: readonly string[], names: readonly string[]): void => {
    const more = texts.map((text) => ({ end: endOf(text), names }));
    questions.set(name, [...(questions.get(name) ?? []), ...more]);
  };
  for (const { functions } of graph.nodes.values())
    for (const { name, confirm } of functions)
      if (confirm !== null) {
        // The flow's generated question names every argument, also if the author's question omits an optional one.
        questions.set(name, [
          ...(questions.get(name) ?? []),
          { end: /\?$/, names: Object.keys(scene.values), isOneSentence: true },
        ]);
        if (confirm === 'described') continue;
        keep(
          name,
          confirm.texts.map(({ source }) => source),
          namesRead(confirm),
        );
      }
  for (const [name, texts] of Object.entries(scene.consents ?? {}))
    keep(
      name,
      texts,
      Object.keys(scene.values).filter((slot) => texts[0]?.includes(`{{ ${slot} }}`)),
    );
  return questions;
}

/** Matches the beginning of each yes-or-no question: a confirm text or a read-back. */
export function consentOpenings(graph: Graph, scene: Scene): RegExp {
  const texts = [
    ...[...graph.nodes.values()].flatMap(({ functions }) =>
      functions.flatMap(({ confirm }) => (confirm === null || confirm === 'described' ? [] : confirm.texts)),
    ),
    ...[...graph.slots.values()].flatMap(({ readback }) => readback?.texts ?? []),
  ].map(({ source }) => source);
  const openings = [...texts, ...Object.values(scene.consents ?? {}).flat()]
    .map((text) => text.split('{{')[0]?.trim().split(/\s+/).slice(0, 3).join(' ') ?? '')
    .filter((opening) => opening !== '');
  return new RegExp(openings.map(asPattern).join('|') || '$^', 'i');
}

/** Matches the last sentence of a template, or the part of it that must have been heard. */
function endOf(template: string): RegExp {
  const whole = template.trim();
  const last = lastOf(whole);
  const tokens = tokensOf(last);
  const forms: string[] = [];
  // "Shall I go?" may be unheard, because it has three words.
  const before = whole.slice(0, whole.length - last.length).trim();
  if (tokens.length <= 3 && before !== '') forms.push(tokensOf(lastOf(before)).map(asPattern).join(' '));
  for (let left = 0; left <= 3 && left < tokens.length; left += 1) {
    forms.push(
      tokens
        .slice(0, tokens.length - left)
        .map(asPattern)
        .join(' '),
    );
    // A value that the question names must be heard.
    if (tokens[tokens.length - 1 - left]?.startsWith('{{') === true) break;
  }
  return new RegExp(`(?:${forms.join('|')})$`, 'i');
}

function lastOf(template: string): string {
  return /[^.!?]*(?:\{\{[^}]*\}\}[^.!?]*)*[.!?]*$/.exec(template)?.[0] ?? template;
}

function tokensOf(sentence: string): readonly string[] {
  return sentence.trim().match(/\{\{[^}]*\}\}\S*|\S+/g) ?? [];
}

function asPattern(token: string): string {
  return token.startsWith('{{')
    ? `.+?${asPattern(token.slice(token.indexOf('}}') + 2) || '')}`
    : token.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
