import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { silenceLivekit } from '../livekit/call-record.ts';
import { type KeptCall, keptCall } from './kept-call.ts';
import { findBrowser, noBrowser, type OpenBrowser, openBrowser } from './open-browser.ts';
import { bundleForPage, type PageBundle } from './page-bundle.ts';

silenceLivekit();

const clinic = join(import.meta.dirname, '../../flows/clinic-intake/flow.yaml');
const spanish: ConversationFlow = {
  name: 'cita',
  language: 'es-MX',
  initialNode: 'ask',
  slots: { day: { type: 'date', ask: '¿Qué día?' }, phone: { type: 'phone', ask: '¿Su teléfono?' } },
  nodes: {
    ask: { collect: ['day', 'phone'], defaultTransition: 'done' },
    done: { say: 'El {{ day }}, al {{ phone }}.', end: 'done' },
  },
};

let bundle: PageBundle;
beforeAll(async () => {
  bundle = await bundleForPage('studio/fold.ts');
});

// Bundling fails if a module of Node is imported.
test('the code that folds a log in a page needs no module of Node, and is at most 240 KB', () => {
  const [entry] = bundle.files.keys();
  expect(entry).toBe('fold.js');
  expect(bundle.gzipBytes).toBeLessThanOrEqual(240_000);
});

const program = findBrowser();
describe.skipIf(program === null)(program === null ? noBrowser : 'in a browser', () => {
  let browser: OpenBrowser;
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, answer) => {
      const file = bundle.files.get((request.url ?? '').slice(1));
      answer.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
      answer.setHeader('content-security-policy', policy);
      answer.end(file ?? '<!doctype html><title>fold</title><link rel="icon" href="data:,">');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test.each<[string, () => Promise<KeptCall>, string, string]>([
    ['an English intake', () => keptCall(clinic, intake), 'Asia/Tokyo', 'de-DE'],
    ['a Spanish one', () => keptCall(spanish, ['el primero de diciembre', '55 1234 5678', 'sí']), 'UTC', 'ar-EG'],
  ])('%s folds to what the store keeps', async (_what, call, timezoneId, locale) => {
    const kept = await call();
    const page = await browser.page({ timezoneId, locale });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const folded = (await page.evaluate(`(${foldInPage})(${JSON.stringify(kept)})`)) as Json[];
    expect(folded.slice(0, -1)).toEqual(kept.log.map(({ seq }) => seq));
    expect(JSON.stringify(folded.at(-1))).toBe(JSON.stringify(kept.state));
    expect(browser.complaints).toEqual([]);
  });
});

const policy =
  "default-src 'none'; script-src 'self'; img-src data:; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const intake = [
  'Yes, I am Maria Delgado, born March fourth 1984.',
  'Yes.',
  'It is my first time. My tooth hurts.',
  'Five.',
  '415 555 2671.',
  'Correct.',
  'Tomorrow at half past nine.',
];

/** Runs in the page as text, without access to this file. */
const foldInPage = `async ({ sessionId, log, graphHash, document }) => {
  const { compileKept, foldLog } = await import('/fold.js');
  const graph = await compileKept(document);
  const fold = foldLog(sessionId, (hash) => (hash === graphHash && graph.hash === hash ? graph : null));
  for (const logged of log) if (!fold.take(logged)) throw new Error('No flow is known for signal ' + logged.seq);
  return [...fold.positions.map(({ seq }) => seq), fold.positions.at(-1).state];
}`;
