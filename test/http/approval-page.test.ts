import { describe, expect, it, onTestFinished } from 'vitest';
import { commitWait } from '../people/waiting.ts';
import { findBrowser, noBrowser, openBrowser } from '../studio/open-browser.ts';
import { violationsOn } from '../studio/studio-page.ts';
import { ask, jsonOf, openDesk } from './desk.ts';

describe('the page of an approver', () => {
  it('says who asks whom, in the time of the session, what counts without an answer, and before it was taken what was answered', async () => {
    const desk = await openDesk();
    const policy = { act: 'answer', resolution: { decision: 'reject_it' } } as const;
    const deadline = desk.clock.now() + 200 * 60_000;
    await commitWait(desk.store, 's', { deadline, policy, options: ['approve', 'reject_it'], timeZone: 'Asia/Tokyo' });
    const path = desk.link({ decisions: ['approve', 'reject_it'] });
    const { text } = await ask(desk, 'GET', path, { bearer: null });
    expect(text).toContain('<header><strong>desk.example</strong><span class="soft">for refunds</span></header>');
    expect(text).toContain('The assistant asks, in its flow “Refunds”.');
    expect(text).toContain(
      'by Monday, 7 January 2030 at 21:20 (Asia/Tokyo): 3 hours and 20 minutes left. Without an answer it is “Reject it”.',
    );
    expect(text).toContain('<button class="main" name="decision" value="approve">Approve</button>');
    expect(text).toContain('<button name="decision" value="reject_it">Reject it</button>');
    const decided = await ask(desk, 'POST', path, { bearer: null, form: { decision: 'approve', factsHash: 'f1' } });
    expect(decided.text).toContain('<dd>Monday, 7 January 2030 at 18:00 (Asia/Tokyo)</dd>');
    expect(decided.text).toContain('<a href="">See what came of it</a>');
    const again = await ask(desk, 'GET', path, { bearer: null });
    expect(again.text).toContain('The assistant has not taken it up yet.');
    expect(again.text).not.toContain('<button');
    const program = await ask(desk, 'GET', path, { bearer: null, headers: { accept: 'application/json' } });
    expect([program.status, jsonOf(program)['code']]).toEqual([409, 'wait-over']);
  });
});

const program = findBrowser();
describe.skipIf(program === null)(program === null ? noBrowser : 'the page of an approver in a browser', () => {
  it('is read and answered in both themes, and says afterwards what was answered', { timeout: 60_000 }, async () => {
    const desk = await openDesk();
    const browser = await openBrowser(program ?? '');
    onTestFinished(() => browser.close());
    for (const [sessionId, colorScheme] of [
      ['s', 'light'],
      ['t', 'dark'],
    ] as const) {
      await commitWait(desk.store, sessionId, { deadline: desk.clock.now() + 3_600_000 });
      const page = await browser.page({ colorScheme, viewport: { width: 400, height: 700 } });
      await page.goto(`${desk.server.url}${desk.link({ sessionId, id: sessionId })}`);
      expect(await violationsOn(page), colorScheme).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('heading', { name: 'Recorded.' }).waitFor();
      expect(await violationsOn(page), colorScheme).toEqual([]);
      expect(browser.complaints).toEqual([]);
      await page.getByRole('link', { name: 'See what came of it' }).click();
      await page.getByText('The assistant has not taken it up yet.').waitFor();
      // The browser notes the status 409.
      browser.forgive();
    }
  });
});
