import { z } from 'zod';

/** The message about an invalid tag. */
export const tagFault = 'must be a tag such as es, pt-BR or zh-Hant';

/** A BCP 47 language tag, with a script and a country if needed. */
export const languageTagSchema = z
  .string(tagFault)
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, tagFault);
