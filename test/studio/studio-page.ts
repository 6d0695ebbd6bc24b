import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page, Response } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { SessionDoor } from '../../src/studio/protocol/acts.ts';
import type { OpenBrowser } from './open-browser.ts';

/** The studio in a page, as somebody uses it. */
export interface StudioPage {
  readonly page: Page;
  /** Begins a conversation, by the button or as is told, and waits until the page shows it and no earlier one. */
  begin(press?: () => Promise<void>): Promise<void>;
  /** Types words and sends them. */
  say(words: string): Promise<void>;
  /** Waits until the agent has said this. */
  hears(words: RegExp): Promise<void>;
  /** Types an answer to what the agent has asked. */
  answer(question: RegExp, words: string): Promise<void>;
  /** The same after a gap in the call, until the agent says `next`: words that were typed too early are asked for again. */
  answerUntil(question: RegExp, words: string, next: RegExp): Promise<void>;
  /** A tab by its name, shown. */
  tab(name: string): Promise<void>;
  /** Waits until the editor shows a line of its file with the caret in it, and takes what is typed. */
  editorIsAt(line: RegExp): Promise<void>;
  /** Waits until proposals that are shown are taken by a key. */
  proposalsTakeKeys(): Promise<void>;
  /** What axe finds wrong, a line each. */
  violations(): Promise<readonly string[]>;
  readonly talk: Locator;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens the studio at the address that was printed; `before` is script that runs ahead of the page's own. */
export async function openStudioPage(
  browser: OpenBrowser,
  url: string,
  options: BrowserContextOptions = {},
  before: string | null = null,
): Promise<StudioPage> {
  const page = await browser.page({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  if (before !== null) await page.addInitScript({ content: before });
  // A page that stays follows the studio, and its conversation goes on.
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await page.evaluate(shownTalk).catch(String));
    await page.context().close();
  });
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  const talk = page.getByRole('log', { name: 'Conversation' });
  const said = talk.locator('.line.agent');
  let read = 0;
  const hears = async (words: RegExp): Promise<void> => {
    const isSaid = said.filter({ hasText: words });
    await isSaid.last().waitFor();
  };
  const say = async (words: string): Promise<void> => {
    const own = talk.locator('.line.caller').filter({ hasText: words });
    const before = await own.count(); // The same may have been said earlier.
    await page.getByLabel('What you say').fill(words);
    await page.keyboard.press('Enter');
    await own.nth(before).waitFor();
    // Whoever speaks before the answer is over speaks over it.
    await page.locator('.talk-log[aria-busy=false]').waitFor({ timeout: 60_000 });
  };
  // Lines that were answered before are no question any more; one that is not over would be spoken over.
  const isSaidSince = async (words: RegExp): Promise<boolean> => {
    const lines = (await page.evaluate(agentLines)) as readonly LineState[];
    return lines.slice(read).some(({ isOpen, text }) => !isOpen && words.test(text));
  };
  const answer = async (question: RegExp, words: string): Promise<void> => {
    const isAsked = (): Promise<boolean> => isSaidSince(question);
    await expect.poll(isAsked, { message: `The agent asks ${question.source}`, timeout: 120_000 }).toBe(true);
    const answered = await said.count();
    await say(words);
    read = answered;
  };
  return {
    ...{ page, talk, hears, say },
    async begin(
      press = () =>
        page
          .getByRole('button', { name: /^New( conversation)?$/ })
          .first()
          .click(),
    ) {
      const isAnswer = (answer: Response): boolean =>
        answer.request().method() === 'POST' && new URL(answer.url()).pathname === '/api/sessions';
      const [answer] = await Promise.all([page.waitForResponse(isAnswer), press()]);
      const { sessionId } = (await answer.json()) as SessionDoor;
      await page.waitForURL(({ hash }) => hash === `#session=${encodeURIComponent(sessionId)}`);
      await page.locator('.talk-log .line.agent').first().waitFor();
    },
    answer,
    async answerUntil(question, words, next) {
      await answer(question, words);
      const isAnswered = async (): Promise<boolean> => {
        if (await isSaidSince(next)) return true;
        if (await isSaidSince(question)) await answer(question, words);
        return false;
      };
      await expect.poll(isAnswered, { message: `The agent says ${next.source}`, timeout: 120_000 }).toBe(true);
    },
    async tab(name) {
      await page.getByRole('tab', { name }).click();
    },
    async editorIsAt(line) {
      await page.locator('.cm-content:focus .cm-activeLine').filter({ hasText: line }).waitFor();
    },
    async proposalsTakeKeys() {
      // For 75 ms CodeMirror gives keys to the text (`interactionDelay`), lest somebody accepts what they have not seen.
      await page.waitForTimeout(100);
    },
    violations: () => violationsOn(page),
  };
}

/** What axe finds wrong with a page, by rule and place. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return await page.evaluate<readonly string[]>(violationsInPage);
}

/** Each line of the conversation with what it is, for a test that has failed. */
const shownTalk = `[...document.querySelectorAll('.talk-log > *, .connection, .microphone')].map(
  (line) => line.className + ': ' + line.textContent).join('\\n')`;

interface LineState {
  readonly isOpen: boolean;
  readonly text: string;
}

/** Runs as text in the page: nothing around it is there. */
const agentLines = `[...document.querySelectorAll('.talk-log .line.agent')].map(
  (line) => ({ isOpen: line.classList.contains('open'), text: line.textContent }))`;

const violationsInPage = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(
  ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;
