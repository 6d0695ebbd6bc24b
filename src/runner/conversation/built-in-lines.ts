import { isJsonObject, type Json } from '../../model/json.ts';
import { defaultLanguage, languageOf } from '../../language/language-of.ts';

/**
 * Returns the built-in lines that a flow may speak, in its languages, in the form of lines of a document. A question that
 * follows a line is not part of it.
 */
export function builtInLinesOf(flow: Json): Json {
  const { language, languages } = isJsonObject(flow) ? flow : {};
  const more = Array.isArray(languages) ? (languages as readonly Json[]) : [];
  const tags = new Set([language ?? defaultLanguage, ...more].filter((tag) => typeof tag === 'string'));
  return [...tags].map((tag) => {
    const { lines, help } = languageOf(tag).speech;
    const texts = [...Object.values(lines).flat(), ...Object.values(help.reasons)];
    return {
      lines: texts.map((line) =>
        line
          .replaceAll('{question}', '')
          .replaceAll(/\{(\w+)\}/g, '{{ $1 }}')
          .trim(),
      ),
    };
  });
}
