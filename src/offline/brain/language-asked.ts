import { isPlainObject } from '../../flow/expression/own-value.ts';
import { languageFunctionName } from '../../flow/document/function.ts';
import type { BrainCall } from './choose/choose-calls.ts';
import type { BrainTool } from './schema.ts';

/**
 * Returns the call for a language that the caller requests by its English name; null if the language is not offered.
 */
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
