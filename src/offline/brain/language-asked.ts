import { isPlainObject } from '../../expression/own-value.ts';
import { languageFunctionName } from '../../flow/function.ts';
import type { BrainCall } from './choose-calls.ts';
import type { BrainTool } from './schema.ts';

/** The call of the language that a caller asks for by its English name; null where they ask for none that is offered. */
export function languageAsked(tools: readonly BrainTool[], words: string): BrainCall | null {
  const properties = tools.find(({ name }) => name === languageFunctionName)?.parameters['properties'];
  const language = isPlainObject(properties) ? properties['language'] : undefined;
  const description = isPlainObject(language) ? language['description'] : undefined;
  if (typeof description !== 'string') return null;
  for (const [, tag = '', name = ''] of description.matchAll(/([\w-]+): ([^.]+)\./g)) {
    const asks = new RegExp(`^(?:${name}(?: please)?|.*\\b(?:in|into|to|speak|prefer|use) ${name}\\b.*)$`, 'i');
    if (asks.test(words.replaceAll(/[^\p{L}\s]/gu, '').trim()))
      return { name: languageFunctionName, arguments: { language: tag } };
  }
  return null;
}
