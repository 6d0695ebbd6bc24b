import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { openStore } from '../../dist/store/open-store.js';
import { systemClock } from '../../dist/system.js';
import { startLeashed } from '../rooms/leashed.ts';
import { startDevStudio } from '../studio/dev-studio.ts';
import { findBrowser, noBrowser, openBrowser } from '../studio/open-browser.ts';
import { rateRatio, turnsPerSecond } from './busy-calls.ts';
import { largeFlow } from './large-flow.ts';
import { type Measure, median } from './measure.ts';

const cli = join(import.meta.dirname, '../../dist/cli/main.js');
const coldStarts = 5;
const largeNodes = 300;
const keystrokes = 15;
const sessions = 10;
// A studio polls once a second, so shorter runs would contain one or two polls by chance.
const turnsASession = 60;
const repetitions = 9;

/** From the request of the page until the graph is drawn and the input accepts words, with an empty cache. */
async function pageUsable(): ReturnType<Measure['run']> {
  const program = findBrowser();
  if (program === null) throw new Error(`There is ${noBrowser}.`);
  const [studio, browser] = await Promise.all([startDevStudio(), openBrowser(program)]);
  try {
    const times: number[] = [];
    for (let start = 0; start < coldStarts; start += 1) {
      const page = await browser.page({ viewport: { width: 1280, height: 800 } });
      const began = performance.now();
      await page.goto(studio.url);
      await Promise.all([page.locator('.node').first().waitFor(), page.getByLabel('What you say').waitFor()]);
      times.push(performance.now() - began);
      await page.context().close();
    }
    return { value: median(times), baseline: null, runs: coldStarts };
  } finally {
    await browser.close();
    await studio.stop();
  }
}

/**
 * From a keystroke in the page's editor to the problem on the screen, in a flow of 300 nodes. Each keystroke adds an
 * unknown key.
 */
async function keystroke(): ReturnType<Measure['run']> {
  const program = findBrowser();
  if (program === null) throw new Error(`There is ${noBrowser}.`);
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-bench-'));
  writeFileSync(join(folder, 'flow.yaml'), largeFlow(largeNodes));
  const args = [cli, 'dev', 'flow.yaml', '--port', '0', '--no-open'];
  const inFolder = ['-c', 'cd "$0" && exec "$@"', folder, execPath, ...args];
  const studio = startLeashed('sh', inFolder, { XDG_STATE_HOME: folder });
  const browser = await openBrowser(program);
  try {
    await studio.hasSaid(printed);
    const page = await browser.page({ viewport: { width: 1280, height: 800 } });
    await page.goto(printed.exec(studio.output())?.[0] ?? '');
    await page.getByRole('tab', { name: 'Problems' }).click();
    await page.getByRole('tab', { name: 'File' }).click();
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('Control+End');
    const problems = page.locator('.problems > li');
    const times: number[] = [];
    for (let key = 1; key <= keystrokes; key += 1) {
      const began = performance.now();
      await page.keyboard.insertText(`\nkey${key}: 1`);
      // Existing warnings are not shown beside an error.
      await problems
        .filter({ hasText: `"key${key}"` })
        .first()
        .waitFor({ state: 'attached' });
      times.push(performance.now() - began);
    }
    return { value: median(times), baseline: null, runs: keystrokes };
  } finally {
    await browser.close();
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares sessions in a store that a studio follows with the same sessions without a studio. */
async function attachedRatio(): ReturnType<Measure['run']> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-bench-'));
  const address = `sqlite:${join(folder, 'calls.db')}`;
  const store = await openStore(address, { clock: systemClock });
  const turnsOf = (name: string): Promise<number> => turnsPerSecond({ sessions, turnsASession, kept: { store, name } });
  await turnsOf('warm');
  const args = [cli, 'studio', '--store', address, '--port', '0', '--no-open'];
  const studio = startLeashed(execPath, args, { XDG_STATE_HOME: folder });
  try {
    await studio.hasSaid(printed);
    const [url = '', origin = ''] = printed.exec(studio.output()) ?? [];
    const entered = await fetch(url, { redirect: 'manual' });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const measured = async (name: string, isAttached: boolean): Promise<number> => {
      const stop = new AbortController();
      const follow = (path: string) =>
        fetch(`${origin}/api/events${path}`, { headers: { cookie }, signal: stop.signal })
          .then((response) => response.text())
          .catch(() => '');
      const following = isAttached ? [follow(''), follow(`?session=${name}-0`)] : [];
      const value = await turnsOf(name);
      stop.abort();
      await Promise.all(following);
      return value;
    };
    return await rateRatio({
      candidate: (repetition) => measured(`with-${repetition}`, true),
      baseline: (repetition) => measured(`without-${repetition}`, false),
      ...{ baselineName: 'nobody looking', repetitions },
    });
  } finally {
    await studio.stop();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const printed = /(http:\/\/127\.0\.0\.1:\d+)\/\?token=[\w-]+/;

const rehearsedBy = 'test/studio/in-browser.test.ts, traces.turns_ratio';

export const measures: Measure[] = [
  { name: 'studio.page_usable_ms', unit: 'ms', better: 'lower', limit: 1_500, rehearsedBy, run: pageUsable },
  { name: `studio.${largeNodes}.keystroke_ms`, unit: 'ms', better: 'lower', limit: 200, rehearsedBy, run: keystroke },
  {
    name: 'studio.attached_turns_ratio',
    unit: 'times',
    better: 'higher',
    limit: 0.95,
    rehearsedBy,
    run: attachedRatio,
  },
];
