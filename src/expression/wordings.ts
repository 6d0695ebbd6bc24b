import { type Template, templateReferences } from './template.ts';

/** A text that is spoken: in one wording, or in several that are taken in turn. */
export interface Wordings {
  /** Where the document has it, such as `nodes.desk.say`: under this name it is counted how often it was spoken. */
  readonly place: string;
  readonly texts: readonly [Template, ...Template[]];
}

/** The wording whose turn it is, after so many times that the text was spoken. */
export function wordingOf({ texts }: Wordings, spoken: number): Template {
  return texts[spoken % texts.length] ?? texts[0];
}

/** The names that a text reads in any of its wordings: of each reference what stands before its first dot. */
export function namesRead({ texts }: Wordings): readonly string[] {
  return texts.flatMap((text) => templateReferences(text).map(({ path: [first] }) => String(first)));
}

/** Whether a text ends in a question, in each of its wordings. */
export function endsInQuestion({ texts }: Wordings): boolean {
  return texts.every(({ source }) => source.trim().endsWith('?'));
}
