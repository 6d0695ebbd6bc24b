import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page, Response } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { SessionDoor } from '../../src/studio/protocol/acts.ts';
import type { OpenBrowser } from './open-browser.ts';

/** The studio in a page. */
export interface StudioPage {
  readonly page: Page;
  /** Begins a conversation by the button or by `press`, and waits until the page shows only that one. */
  begin(press?: () => Promise<void>): Promise<void>;
  /** Types words and sends them. */
  say(words: string): Promise<void>;
  /** Waits until the agent has said this. */
  hears(words: RegExp): Promise<void>;
  /** Types an answer to the agent's question. */
  answer(question: RegExp, words: string): Promise<void>;
  /** The same after a gap in the call, until the agent says `next`. Repeats words that were typed too early. */
  answerUntil(question: RegExp, words: string, next: RegExp): Promise<void>;
  /** Opens a tab by its name. */
  tab(name: string): Promise<void>;
  /** Waits until the editor has the caret in a line of its file and accepts input. */
  editorIsAt(line: RegExp): Promise<void>;
  /** Waits until a key accepts the visible completions. */
  proposalsTakeKeys(): Promise<void>;
  /** Returns the violations that axe finds, one per line. */
  violations(): Promise<readonly string[]>;
  readonly talk: Locator;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens the studio at its printed address. `before` is a script that runs before the page's own. */
export async function openStudioPage(
  browser: OpenBrowser,
  url: string,
  options: BrowserContextOptions = {},
  before: string | null = null,
): Promise<StudioPage> {
  const page = await browser.page({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  if (before !== null) await page.addInitScript({ content: before });
  // An open page would follow the studio, and its conversation would continue.
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
    const before = await own.count(); // The words may have occurred before.
    await page.getByLabel('What you say').fill(words);
    await page.keyboard.press('Enter');
    await own.nth(before).waitFor();
    // Words before the end of the answer would interrupt it.
    await page.locator('.talk-log[aria-busy=false]').waitFor({ timeout: 60_000 });
  };
  // Answered lines are not questions, and a line that is not over would be interrupted.
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
      // For 75 ms CodeMirror sends keys to the text (`interactionDelay`), so that users do not accept a completion that
      // they have not seen.
      await page.waitForTimeout(100);
    },
    violations: () => violationsOn(page),
  };
}

/** Returns the violations that axe finds in a page, by rule and element. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return await page.evaluate<readonly string[]>(violationsInPage);
}

/** Lists the conversation with the kind of each line, for a failed test. */
const shownTalk = `[...document.querySelectorAll('.talk-log > *, .connection, .microphone')].map(
  (line) => line.className + ': ' + line.textContent).join('\\n')`;

interface LineState {
  readonly isOpen: boolean;
  readonly text: string;
}

/** Runs in the page as text, without access to this file. */
const agentLines = `[...document.querySelectorAll('.talk-log .line.agent')].map(
  (line) => ({ isOpen: line.classList.contains('open'), text: line.textContent }))`;

const violationsInPage = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(
  ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;
