import { z } from 'zod';

const shape = 'must be a tag such as es, pt-BR or zh-Hant';

/** A language by its BCP 47 tag, with a script and a country where they matter. */
export const languageTagSchema = z
  .string(shape)
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, shape);
