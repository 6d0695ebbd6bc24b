import { z } from 'zod';

/** What is said of a text that is no tag. */
export const tagFault = 'must be a tag such as es, pt-BR or zh-Hant';

/** A language by its BCP 47 tag, with a script and a country where they matter. */
export const languageTagSchema = z
  .string(tagFault)
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, tagFault);
