import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DevStudio, startDevStudio } from '../studio/dev-studio.ts';
import { findBrowser, noBrowser, type OpenBrowser, openBrowser } from '../studio/open-browser.ts';
import { openSpokenPage } from '../studio/spoken-page.ts';
import { goThrough, lastWords, visit, visitsIn } from './intake.ts';
import { ledgerVariables } from './ledger.ts';
import { findLivekitServer, noServer } from './livekit-server.ts';
import { descendantsOf } from './processes.ts';
import { hasEars, noEars } from './stage.ts';

const program = findBrowser();
const server = findLivekitServer();

/** How fast the agent speaks: as people do where it is spoken over, else fast, so that a call is over sooner. */
const paces = { slow: '1', fast: '3' };

describe('the studio, spoken to', () => {
  let studio: DevStudio;
  let browser: OpenBrowser;
  let folder: string;
  const speakAt = (pace: string): void => writeFileSync(join(folder, 'pace'), pace);
  beforeAll(async () => {
    if (program === null || server === null || !hasEars) return;
    folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-voice-'));
    const variables = { ...ledgerVariables({ folder }), TEST_PACE_FILE: join(folder, 'pace'), TEST_EARS: 'offline' };
    const config = join(import.meta.dirname, 'studio.config.ts');
    [studio, browser] = await Promise.all([
      startDevStudio([], { ...variables, ROOMFLOW_TEST_LIVEKIT: server, LIVEKIT_URL: '' }, config),
      openBrowser(program),
    ]);
  });
  beforeEach((context) => {
    context.skip(program === null, noBrowser);
    context.skip(server === null, noServer);
    context.skip(!hasEars, noEars);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  test('a whole intake is spoken into the page: spoken over, hung up, called back, and ended as a typed one', async () => {
    speakAt(paces.slow);
    const caller = await openSpokenPage(browser, studio.url);
    const { page, talk } = caller;
    await page.getByText('Voice through a livekit-server of this machine').waitFor();
    await caller.begin(() => page.getByRole('button', { name: 'Speak' }).click());

    // Whoever speaks over the agent is listened to; what they did not hear of it is grey.
    await page.getByRole('button', { name: 'speaking, microphone' }).waitFor();
    await caller.speak('Yes, please.');
    await talk.locator('.line.agent.cut').first().locator('.unheard').waitFor();
    await talk
      .locator('.line.caller', { hasText: /yes,? please/i })
      .getByText('voice', { exact: true })
      .waitFor();
    await caller.until(() => /full name\?/i.test(caller.heard()), 'the first question');

    // Whoever hangs up gives the microphone back, and comes back to where the call was.
    speakAt(paces.fast);
    await page.getByRole('button', { name: 'Hang up', exact: true }).click();
    await page.getByText('Hung up. The session is kept.').waitFor();
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await page.getByRole('button', { name: 'By voice, call back' }).click();

    await goThrough(caller, (words) => caller.speak(words), /goodbye/i);
    expect(caller.heard()).toMatch(lastWords);
    await page.getByText('The call is over.').waitFor();
    await page.getByText('In the room').waitFor({ state: 'detached' });
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await page.locator('.node.here[data-node=done_new]').waitFor();
    expect(visitsIn(folder, null)).toEqual([visit]);
    expect(browser.complaints).toEqual([]);
  });

  test('where the process of the conversation or the voice server dies in mid-call, it is told and goes on there', async () => {
    speakAt(paces.fast);
    const caller = await openSpokenPage(browser, studio.url);
    const { page } = caller;
    const say = (words: string): Promise<void> => caller.speak(words);
    await caller.begin();
    await caller.hears(/shall we start\?/i);
    await page.getByRole('button', { name: 'Mic, to go on by voice' }).click();
    await goThrough(caller, say, /full name\?/i);

    kill(/stage\.js/);
    await page.getByRole('alert').getByText('The process of the sessions has ended').waitFor();
    await page.getByText('goes on after a gap').waitFor();
    await goThrough(caller, say, /Robert Miller, is that right\?/i);

    kill(/livekit-server/);
    await page.getByRole('alert').getByText('The call by voice has broken off').waitFor();
    await page.getByText('In the room').waitFor({ state: 'detached' });
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await caller.answer(/Robert Miller, is that right\?/i, 'Yes.');
    await caller.hears(/date of birth\?/i);

    await page.getByRole('button', { name: 'Mic, to go on by voice' }).click();
    await page.getByText('In the room').waitFor();
    await goThrough(caller, say, /been here before\?/i);
  });
});

/** Ends a process of the studio as a crash would. */
function kill(name: RegExp): void {
  const pids = descendantsOf(process.pid).filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    return existsSync(file) && name.test(readFileSync(file, 'utf8'));
  });
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}
