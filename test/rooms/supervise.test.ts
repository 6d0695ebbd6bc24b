import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import type { Caller } from './caller.ts';
import type { Leashed } from './leashed.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { linesOf, withoutMarked } from './log-lines.ts';
import { openVenue, roomflowWorker, type Venue } from './stage.ts';

const venue = openVenue();
const variables = (its: Venue): NodeJS.ProcessEnv => ({
  ...ledgerVariables(its),
  ROOMFLOW_STORE: `sqlite:${join(its.folder, 'calls.db')}`,
});
const startWorker = roomflowWorker('supervise.config.ts', variables);
const startSupervisor = roomflowWorker('supervise.config.ts', variables, 'supervise');
const room = 'outlived';
/** Long enough for a busy machine to start three programs with their processes. */
const limitMs = 150_000;

const noSqlite = whyNoSqlite();
test('C2 C3: a call survives a lost dispatch, the death of its job, the death of its worker in a write, and the end of the next worker', async (context) => {
  context.skip(noSqlite !== null, noSqlite ?? '');
  const started = (program: Leashed): Leashed => {
    context.onTestFinished(() => program.kill());
    context.onTestFailed(() => console.log(program.output().match(/^.*(?:"event":|job request|registered).*$/gm)));
    return program;
  };
  const caller = await venue.join(context, room);
  await venue.dispatchTo('table', room, { sessionId: room });
  // In addition to the supervisor in each worker: work is still done once.
  const supervisor = started(startSupervisor(venue));
  const first = started(startWorker(venue));
  await asked(caller, 'How many of you', limitMs);
  await expect.poll(agentsThere, { timeout: limitMs }).toBe(1);

  await answer(caller, 'four', () => asked(caller, 'On the garden'));
  await speaksAgainAfter(caller, 'the death of a job', () => killJobOf(first), 'On the garden');
  await caller.until(() => caller.agentAttributes()['flow.node'] === 'wishes', 'the same node', limitMs);
  await expect.poll(agentsThere, { timeout: limitMs }).toBe(1);

  const second = started(startWorker(venue));
  await second.hasSaid(/registered worker/, limitMs);
  await answer(caller, 'the garden, please', () => asked(caller, 'Shall I save it?'));
  await answer(caller, 'yes, please', () => expect.poll(didIt, { timeout: answerMs }).toContain('save begun'));
  // Like a crash of its machine: its jobs die too, without a message.
  await speaksAgainAfter(caller, 'the death of a worker', () => first.kill(), 'It is saved.');
  const entries = readLedger(venue.folder);
  expect(didIt().filter((did) => did === 'saved')).toHaveLength(1);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(1);
  expect(entries.at(-1)).toMatchObject({ did: 'saved', size: 4, side: 'garden' });
  await expect.poll(agentsThere, { timeout: limitMs }).toBe(1);

  await supervisor.stop();
  await second.stop(30_000);
  expect(linesOf(second, room).at(-1)).toMatchObject({ event: 'call:left' });
  for (const program of [supervisor, first, second]) expect(withoutMarked(program)).not.toMatch(/garden|four/);
}, 900_000);

/** How long a person waits before repeating their words to an agent that has just returned. */
const answerMs = 20_000;

async function answer(caller: Caller, words: string, comes: () => Promise<unknown>): Promise<void> {
  for (const isLast of [false, false, false, true]) {
    await caller.type(words);
    const came = await comes().then(
      () => true,
      (error: unknown) => {
        if (isLast) throw error;
        return false;
      },
    );
    if (came) return;
  }
}

/** Waits until the question was asked and the agent listens. */
async function asked(caller: Caller, question: string, withinMs = answerMs): Promise<void> {
  const isAsked = (): boolean =>
    caller.heard().includes(question) && caller.agentAttributes()['lk.agent.state'] === 'listening';
  await caller.until(isAsked, question, withinMs);
  await expect.poll(() => performance.now() - caller.sound().lastLoudAt, { timeout: limitMs }).toBeGreaterThan(500);
}

/** Triggers an event while both are silent, and waits until a new agent has said the awaited words. */
async function speaksAgainAfter(caller: Caller, what: string, happen: () => unknown, awaited: string): Promise<void> {
  const before = caller.heard().length;
  caller.sound().mark();
  const since = performance.now();
  await happen();
  await caller.until(() => caller.sound().firstLoudAt > since, `a voice after ${what}`, limitMs);
  console.log(`spoken to again ${Math.round(caller.sound().firstLoudAt - since)} ms after ${what}`);
  const isSaid = (): boolean => {
    const fresh = caller.heard().slice(before);
    return fresh.includes('gone for a moment') && fresh.includes(awaited);
  };
  await caller.until(isSaid, `a recap and "${awaited}"`, limitMs);
}

function killJobOf(worker: Leashed): void {
  const pid = Number(linesOf(worker, room).at(-1)?.['pid']);
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, 'SIGKILL');
}

async function agentsThere(): Promise<number> {
  return (await venue.rooms.listParticipants(room)).filter(({ identity }) => identity.startsWith('agent-')).length;
}

function didIt(): readonly string[] {
  return readLedger(venue.folder).map(({ did }) => did);
}
