/**
 * Encodes a name for a text column: Postgres rejects U+0000, and no database stores unpaired surrogates.
 * `fromColumnText` decodes it.
 */
export function toColumnText(name: string): string {
  if (!mustEscape.test(name)) return name;
  return name.replaceAll(escaped, (found) => `\\${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fromColumnText(text: string): string {
  return text.replaceAll(/\\([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const mustEscape = /[\0\\]|\p{Surrogate}/u;
const escaped = /[\0\\]|\p{Surrogate}/gu;
