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

/** The graph layout engine (EPL-2.0). It is served unchanged from its package and is not part of the page. */
const layoutWorker = 'elk-worker.min.js';

/** Its licence, served with it. */
const layoutLicence = 'elkjs-LICENSE.txt';

/** Returns the files of the page by name; no other files are served. Empty if the page is not built. */
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

/** Returns a random nonce for the styles and scripts of one response. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Returns the content security policy: own scripts and styles, the own server and the voice server. `connect` are
 * further addresses, such as `ws://127.0.0.1:7880`.
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

/** Returns the HTML of the page. Its script reads the nonce from its own element. */
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

/** Returns the HTML for a browser without the token, or for a page that is not built. */
export function plainHtml(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
