import { type Template, templateReferences } from './template.ts';

/** A spoken text with one or several wordings, which rotate. */
export interface Wordings {
  /** Its place in the document, such as `nodes.desk.say`, under which the number of times it was spoken is counted. */
  readonly place: string;
  readonly texts: readonly [Template, ...Template[]];
}

/** Returns the wording after this many times. */
export function wordingOf({ texts }: Wordings, spoken: number): Template {
  return texts[spoken % texts.length] ?? texts[0];
}

/** Returns the first segments of all references in all wordings. */
export function namesRead({ texts }: Wordings): readonly string[] {
  return texts.flatMap((text) => templateReferences(text).map(({ path: [first] }) => String(first)));
}

/** Checks whether every wording ends in a question. */
export function endsInQuestion({ texts }: Wordings): boolean {
  return texts.every(({ source }) => source.trim().endsWith('?'));
}
