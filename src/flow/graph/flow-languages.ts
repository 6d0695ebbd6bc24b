import type { JsonObject } from '../../model/json.ts';
import type { ConversationDocument } from '../document/document.ts';
import { languageFunctionName } from '../document/function.ts';
import type { Language } from '../../model/ports/reader.ts';
import type { Graph, GraphFunction } from './graph.ts';
import { plainFunction } from './compile/plain-function.ts';
import { tagFor } from './compile/text-in-language.ts';

/** Returns the languages of a flow, its own first. */
export function languagesOf({ languages = [] }: Pick<ConversationDocument, 'languages'>, own: Language): string[] {
  return [...new Set([own.speech.language, ...languages])];
}

/** Returns the flow's language that a tag means, with or without its country; undefined if there is none. */
export function languageMeant({ languages }: Pick<Graph, 'languages'>, tag: string): string | undefined {
  return languages === null ? tag : tagFor(languages, tag);
}

/** Returns the function by which a model changes the language; null if the flow has only one. */
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

/** Provides a flow in each of its languages, compiled once. If compiling fails, the flow's own language is used. */
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
