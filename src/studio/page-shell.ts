import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** A file of the page. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** What lays graphs out: served as its package has it, and no part of the page (EPL-2.0). */
const layoutWorker = 'elk-worker.min.js';

/** Its licence, which goes where it goes. */
const layoutLicence = 'elkjs-LICENSE.txt';

/** The files of the page by name: nothing else is ever served. Empty where the page was not built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [...entries.map(({ name }) => join(folder, name)), require.resolve(`elkjs/lib/${layoutWorker}`)];
  const licence = { type: 'text/plain; charset=utf-8', body: readFileSync(require.resolve('elkjs/LICENSE.md')) };
  return new Map([
    ...files.flatMap((file): [string, Asset][] => {
      const type = types[extname(file)];
      return type === undefined ? [] : [[basename(file), { type, body: readFileSync(file) }]];
    }),
    [layoutLicence, licence],
  ]);
}

/** A text that styles and scripts of one answer may name, and nobody knows before. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * What the page may do: run its own scripts, style itself, talk to its own server and to that of the voice. `connect` are
 * more addresses that it may talk to, such as `ws://127.0.0.1:7880`.
 */
export function pagePolicy(nonce: string, host: string, connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob: mediastream:",
    `connect-src 'self' ws://${host} ${connect.join(' ')}`.trim(),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types roomflow default',
  ].join('; ');
}

/** The page; its script finds the nonce in its own element. */
export function pageHtml(nonce: string): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    '<meta name="color-scheme" content="light dark"><title>Roomflow studio</title><link rel="icon" href="data:,">',
    '<link rel="stylesheet" href="/assets/studio.css">',
    `<script type="module" src="/assets/studio.js" nonce="${nonce}"></script></head>`,
    '<body><div id="studio"></div></body></html>',
  ].join('');
}

/** What a browser is shown that has not brought the token, or a page that was not built. */
export function plainHtml(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
