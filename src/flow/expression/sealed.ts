/** The beginning of a sealed value. The rest is ciphertext. */
export const sealedPrefix = 'sealed:1:';

/**
 * Checks for a sealed value: digits of a personal slot, encrypted before they enter the session. Only the functions of
 * a flow receive the digits.
 */
export function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(sealedPrefix);
}
