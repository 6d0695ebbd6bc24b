import { RoomServiceClient } from 'livekit-server-sdk';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fliteSampleRate, speakSentence } from '../../src/offline/voice/flite.ts';
import { toSpeakable } from '../../src/offline/voice/speakable.ts';
import { toWav } from '../demo/wav.ts';
import { type DevStudio, startDevStudio } from '../studio/dev-studio.ts';
import { findBrowser, noBrowser, type OpenBrowser, openBrowser } from '../studio/open-browser.ts';
import { openSpokenPage, type SpokenPage } from '../studio/spoken-page.ts';
import { openStudioPage } from '../studio/studio-page.ts';
import { goThrough } from './intake.ts';
import { ledgerVariables } from './ledger.ts';
import { findLivekitServer, noServer, startLivekitServer } from './livekit-server.ts';
import { descendantsOf } from './processes.ts';
import { hasEars, noEars } from './stage.ts';

const program = findBrowser();
const server = findLivekitServer();

const config = join(import.meta.dirname, 'studio.config.ts');
/** How long a person waits until the agent falls silent, in milliseconds. */
const patienceMs = 6_000;
const pauseSamples = 2 * fliteSampleRate;

/** The agent's pace: slow if a test interrupts it, so that a busy machine is in time, else fast. */
const paces = { slow: '0.4', fast: '3' };

describe('the studio by voice', () => {
  let studio: DevStudio;
  let browser: OpenBrowser;
  let folder: string;
  const variables = (): NodeJS.ProcessEnv => ({
    ...{ ...ledgerVariables({ folder }), TEST_CALL_FOLDER: folder },
  });
  const speakAt = (pace: string, ears: 'scripted' | 'real' = 'scripted'): void => {
    writeFileSync(join(folder, 'pace'), pace);
    writeFileSync(join(folder, 'ears'), ears);
  };
  /** Speaks words. Scripted ears recognise them exactly, even if the sound stutters. */
  const heardAs = async (words: string, speak: () => Promise<void>): Promise<void> => {
    writeFileSync(join(folder, 'said'), words);
    await speak();
  };
  const speaker =
    (caller: SpokenPage) =>
    (words: string): Promise<void> =>
      heardAs(words, () => caller.speak(words));
  beforeAll(async () => {
    if (program === null || server === null || !hasEars) return;
    folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-voice-'));
    [studio, browser] = await Promise.all([
      // As after the tests of a checkout, without variables for its server and weights.
      startDevStudio([], { ...variables(), LIVEKIT_URL: '', ROOMFLOW_CACHE: '', XDG_CACHE_HOME: folder }, config),
      openMicrophone(folder).then((microphone) => openBrowser(program, microphone)),
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

  test('a call is spoken into the page: interrupted, hung up, resumed, and ended like a typed one', async () => {
    speakAt(paces.slow);
    const caller = await openSpokenPage(browser, studio.url);
    const { page, talk } = caller;
    const say = speaker(caller);
    await page.getByText('Voice through a local livekit-server').waitFor();
    await page.getByLabel('Flow of the next conversation').selectOption('brief');
    // Synthesis takes seconds on a busy machine, and the agent's line would be over.
    const sayYes = await caller.getReady('Yes, please.');
    await caller.begin(() => page.getByRole('button', { name: 'Speak' }).click());

    // The agent listens to an interruption. The unheard part of its line is grey.
    const speaking = page.getByRole('button', { name: 'speaking, microphone' });
    await speaking.waitFor();
    const unheard = talk.locator('.line.agent.cut .unheard').first();
    const isCut = (): Promise<boolean> =>
      unheard.waitFor({ timeout: patienceMs }).then(
        () => true,
        () => false,
      );
    // Until the microphone is connected, the agent hears nothing: a person says it again.
    do await heardAs('Yes, please.', sayYes);
    while (!(await isCut()) && (await speaking.isVisible()));
    await unheard.waitFor();
    await goThrough(caller, say, /full name\?/i);
    const spoken = talk.locator('.line.caller', { hasText: 'Yes, please.' });
    await spoken.getByText('voice', { exact: true }).first().waitFor();

    // Hanging up releases the microphone. The next call continues where this one ended.
    speakAt(paces.fast);
    await page.getByRole('button', { name: 'Hang up', exact: true }).click();
    await page.getByText('You hung up. The conversation is saved.').waitFor();
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await page.getByRole('button', { name: 'By voice, call back' }).click();

    await goThrough(caller, say, /goodbye/i);
    await page.getByText('The call is over.').waitFor();
    // If the machine stutters, the caller is heard in two parts and interrupts the last words: the unheard part is
    // grey.
    expect(await page.evaluate(shownWords)).toMatch(/Thank you, Robert Miller\. Goodbye!$/);
    await page.getByText('In the room').waitFor({ state: 'detached' });
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await page.locator('.node.here[data-node=done]').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('if the process of the conversation or the voice server dies during a call, the page reports it and the call resumes', async () => {
    speakAt(paces.fast);
    const caller = await openSpokenPage(browser, studio.url);
    const { page } = caller;
    const say = speaker(caller);
    await chooseIntake(page);
    await caller.begin();
    await caller.hears(/shall we start\?/i);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    await goThrough(caller, say, /full name\?/i);

    kill(/stage\.js/);
    await page.getByRole('alert').getByText('The session process ended').waitFor();
    // On a busy machine the page rejoins the room after the new process, and receives a second gap.
    await page.getByText('continues after a gap').first().waitFor();
    await goThrough(caller, say, /Robert Miller, is that right\?/i);

    kill(/livekit-server/);
    await page.getByRole('alert').getByText('The voice call was interrupted').waitFor();
    await page.getByText('In the room').waitFor({ state: 'detached' });
    expect(await page.evaluate('openMicrophones()')).toBe(0);
    await caller.answerUntil(/Robert Miller, is that right\?/i, 'Yes.', /date of birth\?/i);

    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    await page.getByText('In the room').waitFor();
    await goThrough(caller, say, /been here before\?/i);
  });

  test('on a telephone the microphone of the browser is heard, and muted by the keyboard', async () => {
    // The caller agrees every few seconds and real recognition hears it. The flow continues whatever is heard.
    speakAt(paces.fast, 'real');
    const { page, talk, begin, hears, violations } = await openStudioPage(browser, studio.url, {
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, permissions: ['microphone'] },
    });
    await page.getByLabel('Flow of the next conversation').selectOption('agreeable');
    await begin();
    await hears(/shall we go on\?/i);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).press('Enter');
    await page.getByText('In the room').waitFor();
    await hears(/good\. shall we go on\?/i);
    const spoken = talk.locator('.line.caller').getByText('voice', { exact: true });
    await spoken.first().waitFor();
    await page.getByRole('button', { name: /, microphone$/, pressed: true }).press('Enter');
    await page.getByRole('button', { name: 'Muted, microphone', pressed: false }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Hang up', exact: true }).press('Enter');
    await page.getByText('You hung up. The conversation is saved.').waitFor();
    await page.getByText('In the room').waitFor({ state: 'detached' });
  });

  test('if the browser refuses the microphone, the page reports it and the conversation is typed', async () => {
    const caller = await openStudioPage(browser, studio.url);
    const { page } = caller;
    // As if the user had chosen "never" for this page.
    await page.route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'permissions-policy': 'microphone=()' } });
      },
    );
    await page.reload();
    const refused = page.getByRole('alert').getByText('The browser does not let this page use the microphone.');
    await chooseIntake(page);
    await caller.begin();
    await caller.hears(/shall we start\?/i);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    await refused.getByText('You can continue by typing.').waitFor();
    await caller.answer(/shall we start\?/i, 'Yes, please.');
    await caller.hears(/full name\?/i);
    await page.getByRole('button', { name: 'Hang up', exact: true }).click();
    await page.getByRole('button', { name: 'By voice, call back' }).click();
    await refused.waitFor();
    await caller.answerUntil(/full name\?/i, 'My name is Robert Miller.', /Robert Miller, is that right\?/i);
  });

  test('if the browser has no sound output, the page reports it and the conversation is typed', async () => {
    // As in Firefox on a machine without one.
    const mute = 'AudioContext.prototype.resume = () => new Promise(() => {});';
    const caller = await openStudioPage(browser, studio.url, {}, mute);
    const { page } = caller;
    await chooseIntake(page);
    await caller.begin();
    await caller.hears(/shall we start\?/i);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    const told = page.getByRole('alert').getByText(/no audio output/);
    await told.getByText('You can continue by typing.').waitFor();
    await caller.answer(/shall we start\?/i, 'Yes, please.');
    await caller.hears(/full name\?/i);
  });

  test('if its room is closed from elsewhere, a call continues typed, and by voice in another room', async () => {
    speakAt(paces.fast);
    const named = await startLivekitServer(server ?? '');
    onTestFinished(() => named.stop());
    const other = await startDevStudio([], { ...variables(), ...named.variables }, config);
    onTestFinished(() => other.stop());
    const caller = await openSpokenPage(browser, other.url);
    const { page, talk } = caller;
    await page.getByText('Voice through the server of LIVEKIT_URL.').waitFor();
    await caller.begin(() => page.getByRole('button', { name: 'Speak' }).click());
    await caller.until(() => /shall we start\?/i.test(caller.heard()), 'the greeting');
    const rooms = new RoomServiceClient(named.url.replace(/^ws/, 'http'), named.apiKey, named.apiSecret);
    const [room] = await rooms.listRooms();
    await rooms.deleteRoom(room?.name ?? '');
    // The server notifies both the page and the process of the conversation, in either order.
    await page.getByRole('alert').getByText('The voice call was interrupted').waitFor();
    await page.getByText('In the room').waitFor({ state: 'detached' });
    await caller.answerUntil(/shall we start\?/i, 'Yes, please.', /full name\?/i);
    expect(await talk.getByText('continues after a gap').count()).toBeLessThan(2);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    await page.getByText('In the room').waitFor();
    await goThrough(caller, speaker(caller), /Robert Miller, is that right\?/i);
    await named.stop();
    await page.getByText('The connection to the voice server is lost. Reconnecting').waitFor();
    await page.getByRole('alert').getByText('The voice call was interrupted').waitFor();
    await caller.answerUntil(/Robert Miller, is that right\?/i, 'Yes.', /date of birth\?/i);
  });

  test('without a room the browser’s own speech is used; if that fails, the page reports it and the conversation is typed', async () => {
    const other = await startDevStudio(['--voice', 'browser']);
    onTestFinished(() => other.stop());
    // This one has a recogniser that never answers.
    const deaf = await openStudioPage(browser, other.url, { permissions: ['microphone'] });
    await deaf.page.getByText('Speech of the browser if available, else typing.').waitFor();
    await deaf.begin(() => deaf.page.getByRole('button', { name: 'Speak' }).click());
    await deaf.page
      .getByRole('alert')
      .getByText('This browser’s own speech recognition does not answer. You can continue by typing.')
      .waitFor();
    await deaf.page.getByText('How to get voice').waitFor();
    await deaf.answer(/shall we start\?/i, 'Yes, please.');
    await deaf.hears(/full name\?/i);
    await deaf.page.getByRole('button', { name: 'Hang up', exact: true }).click();

    const { page, talk, begin, hears, answer } = await openStudioPage(browser, other.url, {}, recogniser);
    await begin();
    await hears(/shall we start\?/i);
    await page.getByRole('button', { name: 'Mic, continue by voice' }).click();
    await page.getByText('Speech of the browser').waitFor();
    await page.evaluate(`recognise('yes', false)`);
    await talk.locator('.line.hearing').getByText('yes').waitFor();
    await page.evaluate(`recognise('yes please', true)`);
    await hears(/full name\?/i);
    expect(await talk.locator('.line.hearing').count()).toBe(0);
    await page.evaluate(`recogniser.dispatchEvent(Object.assign(new Event('error'), { error: 'network' }))`);
    await page
      .getByRole('alert')
      .getByText('This browser’s own speech recognition does not work here (network). You can continue by typing.')
      .waitFor();
    await answer(/full name\?/i, 'My name is Robert Miller.');
    await hears(/Robert Miller, is that right\?/i);
  });
});

/** The agent's words, heard or not. */
const shownWords = `[...document.querySelectorAll('.talk-log .line.agent .said')].map((said) => {
  const words = said.cloneNode(true);
  for (const note of words.querySelectorAll('.sr-only')) note.remove();
  return words.textContent;
}).join(' ')`;

/** A browser's recogniser that hears whatever `recognise` reports. */
const recogniser = `{
  globalThis.SpeechRecognition = class extends EventTarget {
    start() {
      globalThis.recogniser = this;
      setTimeout(() => this.dispatchEvent(new Event('audiostart')));
    }
    abort() {
      setTimeout(() => this.dispatchEvent(new Event('end')));
    }
  };
  globalThis.recognise = (transcript, isFinal) => {
    const results = [Object.assign([{ transcript }], { isFinal })];
    globalThis.recogniser.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results }));
  };
}`;

/** The studio shows the flow that was chosen last, also in a new window. */
async function chooseIntake(page: Page): Promise<void> {
  await page.getByLabel('Flow of the next conversation').selectOption('clinic-intake');
}

/** Opens a browser whose microphone plays a file in a loop: a caller who agrees every few seconds. */
async function openMicrophone(folder: string): Promise<readonly string[]> {
  const words = await speakSentence(toSpeakable('Yes, please.'), 'rms');
  const file = join(folder, 'microphone.wav');
  const samples = new Int16Array(words.length + 2 * pauseSamples);
  samples.set(words, pauseSamples);
  writeFileSync(file, toWav({ sampleRate: fliteSampleRate, left: samples, right: samples }));
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
  ];
}

/** Kills a process of the studio like a crash. */
function kill(name: RegExp): void {
  const pids = descendantsOf(process.pid).filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    return existsSync(file) && name.test(readFileSync(file, 'utf8'));
  });
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}
