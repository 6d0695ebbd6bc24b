import { readFileSync } from 'node:fs';

/** The release of this package. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // This package's own.
}
