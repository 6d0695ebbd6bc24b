import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Why tests in a browser are skipped without one. */
export const noBrowser = 'no browser (run "node .ci/setup.mjs browser", or name a Chromium by ROOMFLOW_TEST_BROWSER)';

/**
 * Returns the Chromium that `node .ci/setup.mjs browser` unpacked, or the named one; null without one, which CI does
 * not accept.
 */
export function findBrowser(): string | null {
  const named = env['ROOMFLOW_TEST_BROWSER'];
  if (named !== undefined && named !== '') return named;
  const root = join(import.meta.dirname, '../..');
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  const program = join(root, `.cache/chromium-${version}/chromium`);
  if (existsSync(program)) return program;
  if (env['CI'] === 'true') throw new Error(`There is ${noBrowser}, and CI insists on it.`);
  return null;
}

/** A browser with the complaints of its pages. */
export interface OpenBrowser {
  /** Opens a page in a separate context. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** Errors of scripts, of the console and of the content security policy, in all pages so far. */
  readonly complaints: readonly string[];
  /** Clears the complaints that a test has caused on purpose. */
  forgive(): void;
  close(): Promise<void>;
}

/** The package's own arguments disable the separation of origins, so a page could do what real browsers prevent. */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];

/** Starts a headless browser. `more` are additional arguments, such as a file as the microphone. */
export async function openBrowser(program: string, more: readonly string[] = []): Promise<OpenBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: program, headless: true, args: [...args, ...more] });
  const complaints: string[] = [];
  const watch = (context: BrowserContext): void => {
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
  };
  return {
    complaints,
    forgive: () => void complaints.splice(0),
    async page(options) {
      const context = await browser.newContext(options);
      watch(context);
      return await context.newPage();
    },
    close: () => browser.close(),
  };
}
