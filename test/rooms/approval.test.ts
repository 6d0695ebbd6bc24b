import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { startPostgres, whyNoPostgres } from '../durable/postgres-server.ts';
import { findBrowser, noBrowser, openBrowser } from '../studio/open-browser.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { freePort } from './livekit-server.ts';
import { greetingMs, openVenue } from './stage.ts';

const root = join(import.meta.dirname, '../..');
const venue = openVenue();

test('examples/refund-approval: a person approves in a browser, and neither hanging up nor kill -9 of all but Postgres loses it', async (context) => {
  const [noPostgres, browserFile] = [whyNoPostgres(), findBrowser()];
  context.skip(noPostgres !== null, noPostgres ?? '');
  context.skip(browserFile === null, noBrowser);
  const [postgres, browser] = await Promise.all([startPostgres(), openBrowser(browserFile ?? '')]);
  context.onTestFinished(async () => {
    await browser.close();
    await postgres.stop();
  });
  const variables = {
    ...{ OPENAI_API_KEY: '', DEEPGRAM_API_KEY: '', ROOMFLOW_CACHE: join(root, 'test/rooms/no-cache') },
    ...{ ROOMFLOW_STORE: await postgres.createDatabase(), ROOMFLOW_LINK_SECRET: 's'.repeat(40) },
    ...{ HTTP_PORT: String(await freePort()), ADA_TOKEN: 'ada-token' },
  };
  const config = ['--config', 'test/rooms/approval.config.ts'];
  const startWorker = async (): Promise<Leashed> => {
    const started = startLeashed(execPath, ['dist/cli/main.js', 'worker', ...config], {
      ...{ ...venue.server.variables, ...variables },
      PORT: String(await freePort()),
    });
    context.onTestFinished(() => started.kill());
    await started.hasSaid(/registered worker/);
    await started.hasSaid(/http:listening/);
    return started;
  };
  /** Like a power cut of everything but the database. */
  const cut = async (worker: Leashed): Promise<Leashed> => {
    await Promise.all([worker.kill(), venue.server.restart()]);
    return await startWorker();
  };
  const read = async (...args: string[]): Promise<string> => {
    const command = startLeashed(execPath, ['dist/cli/main.js', ...args, ...config], variables);
    await command.ended;
    return command.output();
  };
  let worker = await startWorker();
  const caller = await venue.join(context, 'refund-1');
  await venue.dispatchTo('refunds', 'refund-1', { sessionId: 'refund-1' });
  for (const [question, answer] of [
    ['What is the number of your order?', '4711'],
    ['How much was it, in euros?', '20'],
    ['What was wrong with it?', 'the lamp came broken'],
  ] as const) {
    const isAsked = (): boolean =>
      caller.heard().includes(question) && caller.agentAttributes()['lk.agent.state'] === 'listening';
    await caller.until(isAsked, question, greetingMs);
    await caller.type(answer);
  }
  await caller.until(() => caller.heard().includes('Let me check that with my colleague.'), 'the agent to ask');
  await worker.hasSaid(/To the refunds desk: .*approve\//);
  const [, link = ''] = /To the refunds desk: Refund 20 euros for order 4711\? (\S+)/.exec(worker.output()) ?? [];
  await caller.leave();

  // After the wait was opened and the desk was notified.
  worker = await cut(worker);
  const page = await browser.page();
  await page.goto(link);
  const shown = await page.locator('main').innerText();
  expect(shown).toMatch(/Refund 20 euros for order 4711\?[^]*order\s+4711[^]*reason\s+the lamp came broken/);
  await page.locator('button[value="approve"]').click();
  await page.getByText('Recorded.').waitFor();
  expect(browser.complaints).toEqual([]);

  // After the decision was recorded, whatever a clerk has done with it so far.
  worker = await cut(worker);
  await worker.hasSaid(/To the caller: please join the room/, greetingMs);
  const [, room = ''] = /please join the room (\S+)\./.exec(worker.output()) ?? [];

  // After the agent was dispatched, before it has joined.
  worker = await cut(worker);
  const again = await venue.join(context, room);
  await venue.dispatchTo('refunds', room, { sessionId: 'refund-1' });
  await again.until(() => again.heard().includes('It is approved: 20 euros'), 'the news', greetingMs);
  expect(again.heard()).toMatch(/^Hello again\.\s+It is approved/);
  await again.until(() => !again.isAgentThere(), 'the agent to leave');

  const [story, chain] = await Promise.all([read('audit', 'refund-1'), read('audit', '--verify')]);
  const acts = story.split('\n').map((line) => line.split('  ').slice(2, 4).join(' '));
  expect(acts.filter((act) => act !== '' && !act.includes('call:placed'))).toEqual([
    'session flow:started',
    'session wait:opened',
    'link:refunds wait:resolve',
    'session wait:resolved',
    'session tool:settled',
    'session flow:ended',
  ]);
  expect(story).toMatch(/allowed {2}refund-1 .*decision="approve"[^]*refund_order.*state="done"[^]*reason="refunded"/);
  expect(chain).toContain('Each one follows the record before it');
}, 300_000);
