import type { JsonObject } from '../../model/json.ts';
import type { ConversationDocument } from '../document/document.ts';
import { languageFunctionName } from '../document/function.ts';
import type { Language } from '../../model/ports/reader.ts';
import type { Graph, GraphFunction } from './graph.ts';
import { plainFunction } from './compile/plain-function.ts';
import { tagFor } from './compile/text-in-language.ts';

/** The languages that a flow may be held in, its own first. */
export function languagesOf({ languages = [] }: Pick<ConversationDocument, 'languages'>, own: Language): string[] {
  return [...new Set([own.speech.language, ...languages])];
}

/** The language of a flow that a tag means, with or without its country; undefined where the flow has none such. */
export function languageMeant({ languages }: Pick<Graph, 'languages'>, tag: string): string | undefined {
  return languages === null ? tag : tagFor(languages, tag);
}

/** The function by which a model goes on in another language; null where the flow has only one. */
export function languageFunction(
  languages: readonly string[],
  languageOf: (tag: string) => Language,
): GraphFunction | null {
  if (languages.length < 2) return null;
  const parameters: JsonObject = {
    type: 'object',
    properties: {
      language: {
        type: 'string',
        enum: [...languages],
        description: languages.map((tag) => `${tag}: ${languageOf(tag).speech.languageName}.`).join(' '),
      },
    },
    required: ['language'],
    additionalProperties: false,
  };
  return {
    ...plainFunction,
    name: languageFunctionName,
    description: 'Go on in another language: the caller speaks it, or asks for it.',
    parameters,
    body: 'language',
    handler: languageFunctionName,
    cancelOnInterruption: true,
  };
}

/** Gives a flow in each of its languages, made once by `compile`; where that cannot be, it is held in its own. */
export function inItsLanguages(
  graph: () => Graph,
  compile: (language: string) => Graph | null,
): Pick<Graph, 'spokenIn'> {
  const made = new Map<string, Graph>();
  return {
    spokenIn: (language) => {
      const own = graph();
      const { languages, hash, document, spokenIn } = own;
      if (language === null || language === own.speech.language || languages?.includes(language) === false) return own;
      const known = made.get(language);
      if (known !== undefined) return known;
      const compiled = compile(language);
      const other = compiled === null ? own : { ...compiled, languages, hash, document, spokenIn };
      made.set(language, other);
      return other;
    },
  };
}
