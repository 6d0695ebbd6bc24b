import { z } from 'zod';
import { languageTagSchema } from './language-tag.ts';

const wordingsSchema = z.union([z.string(), z.array(z.string()).min(1)]);

/** A map with one value for each language, by BCP 47 tag. */
function byLanguage<Text extends z.ZodType>(text: Text) {
  return z
    .record(languageTagSchema, text)
    .refine((texts) => Object.keys(texts).length > 0, 'it has no text in any language.')
    .meta({ minProperties: 1 });
}

/**
 * A spoken text: one wording, or several that are used in turn; or a map of these by language, such as
 * `{ en: Hello., es: Hola. }`.
 */
export const spokenTextSchema = z.union([...wordingsSchema.options, byLanguage(wordingsSchema)]);

/** Several lines that are spoken one after the other, or a map of these by language. */
export const spokenListSchema = z.union([z.array(z.string()).min(1), byLanguage(z.array(z.string()).min(1))]);

/** A text that the model reads: one, or a map by language. */
export const promptTextSchema = z.union([z.string(), byLanguage(z.string())]);

/** One wording, or several that are used in turn. */
export type WordingsDocument = z.output<typeof wordingsSchema>;
export type SpokenTextDocument = z.output<typeof spokenTextSchema>;
