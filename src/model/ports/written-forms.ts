/**
 * Checks whether a text has the form of a person's name: up to six words that begin with capitals, in scripts that have
 * capitals.
 */
export function isPersonName(text: string): boolean {
  const name = text.trim();
  return name.length <= 80 && NAME.test(name) && !isPlaceholder(name);
}

/** Checks whether a text is a placeholder for an unknown name. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

const WORD = String.raw`(?:(?:\p{L}\p{M}*['’])?[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'’.-]*)`;
const PARTICLE = String.raw`(?:d[aeiou]s?|del|della|van|von|der|den|zu|zur|ten|ter|la|le|las|los|y|e|bin|al|el|st\.?)`;
const NAME = new RegExp(
  String.raw`^(?:${PARTICLE} ){0,2}${WORD}(?:[ ・·]+(?:${PARTICLE} ){0,3}${WORD}){0,5},?(?: (?:Jr|Sr|II|III)\.?)?$`,
  'u',
);
const PLACEHOLDER =
  /^(?:unknown|none|null|undefined|n\/?a|not (?:known|provided|given|specified|available|stated|sure)|no name|anonymous|(?:the )?(?:caller|user|customer|client|guest|patient|person)|unspecified|unbekannt|keine? angabe|nicht angegeben|anonym|desconocid[oa]|an[oó]nim[oa]|no (?:indicado|proporcionado|disponible)|inconnue?|anonyme|non (?:indiqu[eé]|fourni|communiqu[eé])|desconhecid[oa]|n[aã]o (?:informado|fornecido)|yes|no|ja|nein|s[ií]|oui|non|sim|n[aã]o|ok|okay)\.?$/iu;

/** An e-mail address within a text, as the mail standards define it, in any script. */
export const EMAIL_ADDRESS =
  /(?<![\p{L}\p{N}._%+/=#$&*!?^`{|}~-])[\p{L}\p{N}_][\p{L}\p{N}_%+'’/=#$&*!?^`{|}~-]*(?:\.[\p{L}\p{N}_%+'’/=#$&*!?^`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:xn--[a-z0-9-]{2,59}|[\p{L}\p{M}]{2,63})(?![\p{L}\p{N}@]|[.-][\p{L}\p{N}])/giu;

/** Checks whether the whole text is an e-mail address. */
export function isEmailAddress(text: string): boolean {
  const [found] = text.match(EMAIL_ADDRESS) ?? [];
  return found === text && text.length <= 254 && text.indexOf('@') <= 64;
}

/**
 * Returns the letters and digits of a written code, in capitals: "ab-1234" is AB1234. Null for other texts: words in lower
 * case may be words of a sentence.
 */
export function writtenCode(text: string): string | null {
  const said = text.trim();
  if (said.length > 64 || !/^[A-Za-z0-9]+(?:[ ./_-][A-Za-z0-9]+)*$/.test(said)) return null;
  const parts = said.split(/[ ./_-]/);
  const isWritten = parts.every((part) => /\d/.test(part) || part === part.toUpperCase());
  const isWord = parts.every((part) => /^[A-Za-z]{2,}$/.test(part)) || /^\d+(?:st|nd|rd|th)$/i.test(said);
  return isWritten && !isWord ? parts.join('').toUpperCase() : null;
}
