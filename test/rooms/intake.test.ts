import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, expect, test, type TestContext } from 'vitest';
import { fromWav } from '../demo/wav.ts';
import { goThrough } from './intake.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { greetingMs, hasEars, noEars, openStage, roomflowWorker } from './stage.ts';

const root = join(import.meta.dirname, '../..');
/** The agent speaks fast, so that the call is over sooner; the caller does not, who is to be understood. */
const pace = { TEST_PACE: '1.7' };
const stage = openStage(
  'clinic',
  roomflowWorker('agent.config.ts', (its) => ({ ...ledgerVariables(its), ...pace })),
);

const lastWords = /You are booked for Tuesday.* at 11 AM\. Please come fifteen minutes early.*Goodbye/s;

describe.concurrent('the intake of the clinic, in a room', () => {
  test('npm run demo:call: it is spoken by a caller, understood, answered by voice, told line by line, and written with both sides in step', async (context) => {
    context.skip(!hasEars, noEars);
    const folder = newFolder(context);
    const file = join(folder, 'call.wav');
    const { code, out, errors } = await demo(['--out', file], { ...ledgerVariables({ folder }), ...pace });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(/^0:\d\d {2}agent {3}Hi, this is Harbour Clinic\./);
    expect(lines[1]).toMatch(/^0:\d\d {2}caller {2}Yes, please\.$/);
    expect(lines.at(-1)).toBe(`Written: ${file}`);
    const heard = lines.flatMap((line) => /^\d+:\d\d {2}agent {3}(.*)$/.exec(line)?.[1] ?? []).join(' ');
    expect(heard).toMatch(/Robert Miller, is that right\?.*4 1 5, 5 5 5, 0 1 2 3\. Is that right\?/s);
    expect(heard).toMatch(lastWords);
    expect(visitsIn(folder, null)).toEqual([visit]);

    const { sampleRate, left, right } = fromWav(readFileSync(file));
    const [caller, agent] = [loudTenths(left, sampleRate), loudTenths(right, sampleRate)];
    expect(caller.size).toBeGreaterThan(100);
    expect(agent.size).toBeGreaterThan(200);
    // Nobody speaks before the other has ended, but for a word that was said again.
    const both = [...caller].filter((tenth) => agent.has(tenth)).length;
    expect(both / caller.size).toBeLessThan(0.15);
    expect(Math.min(...agent)).toBeLessThan(Math.min(...caller));
  }, 300_000);

  test('it is typed, answered by voice, and ends the call', async (context) => {
    const caller = await stage.call(context, 'typed');
    await goThrough(caller, (words) => caller.type(words), /goodbye/i);
    expect(caller.heard()).toMatch(lastWords);
    expect(caller.sound().loudSeconds).toBeGreaterThan(15);
    expect(visitsIn(stage.folder, 'typed')).toEqual([visit]);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 280_000);

  test('a second participant is not listened to; a caller who comes back is where the call was', async (context) => {
    const caller = await stage.call(context, 'rejoin');
    await caller.until(() => /shall we start/i.test(caller.heard()), 'the greeting', greetingMs);
    const other = await stage.join(context, 'rejoin', 'other');
    await other.type('Goodbye, end the call.');
    await caller.type('Yes, please.');
    await caller.until(() => /full name\?/i.test(caller.heard()), 'the first question');
    await other.leave();
    await caller.leave();

    const back = await stage.join(context, 'rejoin');
    await back.until(() => /full name\?/i.test(back.heard()), 'the question once more');
    expect(back.agentAttributes()['flow.node']).toBe('details');
  }, 240_000);

  test('a room that is deleted ends the call and leaves a worker for the next one', async (context) => {
    const caller = await stage.call(context, 'deleted');
    await caller.until(() => caller.isAgentThere(), 'the agent', greetingMs);
    await stage.rooms.deleteRoom('deleted');
    const next = await stage.call(context, 'next', { flow: 'restaurant-booking' });
    await next.until(() => next.heard() !== '', 'the greeting of another flow', greetingMs);
    expect(next.heard()).not.toMatch(/clinic/i);
  }, 240_000);
});

test('the demo says what it lacks before it begins', async (context) => {
  const wanting = await demo([]);
  expect(wanting).toMatchObject({
    code: 1,
    out: '',
    errors: expect.stringMatching(/^npm run demo:call -- --out FILE/),
  });
  const nowhere = await demo(['--out', '/nowhere/call.wav']);
  expect(nowhere).toMatchObject({ code: 1, errors: expect.stringMatching(/^\/nowhere is no folder that can be/) });
  const deaf = await demo(['--out', join(newFolder(context), 'call.wav')], {
    ROOMFLOW_CACHE: newFolder(context),
    CI: '',
  });
  expect(deaf.code).toBe(1);
  expect(deaf.errors).toMatch(
    /weights of offline speech recognition are missing|needs a LiveKit server: no livekit-server/,
  );
});

/** What the answers of `intake.ts` come to. */
const visit = {
  full_name: 'Robert Miller',
  birth_date: '1984-03-04',
  reason: 'checkup',
  phone: '+14155550123',
  day: nextTuesday(),
  visit_time: '11:00',
};

/** What was booked by a session, or by any. */
function visitsIn(folder: string, session: string | null): readonly object[] {
  const booked = readLedger(folder).filter((entry) => entry.did === 'book_visit');
  const own = booked.filter((entry) => session === null || entry['session'] === session);
  return own.map(({ did: _did, session: _session, ...facts }) => facts);
}

function nextTuesday(): string {
  const dayMs = 86_400_000;
  const today = Math.floor(Date.now() / dayMs);
  // The first day of 1970 was a Thursday; a Tuesday is meant that is still to come.
  const ahead = (5 - (today % 7) + 7) % 7 || 7;
  return new Date((today + ahead) * dayMs).toISOString().slice(0, 10);
}

/** The tenths of a second in which somebody is heard. */
function loudTenths(samples: Int16Array, sampleRate: number): Set<number> {
  const size = sampleRate / 10;
  const tenths = Array.from({ length: Math.floor(samples.length / size) }, (_, tenth) => tenth);
  const isLoud = (tenth: number): boolean =>
    samples.subarray(tenth * size, (tenth + 1) * size).reduce((sum, sample) => sum + Math.abs(sample), 0) / size > 200;
  return new Set(tenths.filter(isLoud));
}

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-demo-'));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function demo(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const program = ['--import', 'tsx', join(root, 'test/demo/call.ts'), ...args];
  return new Promise<{ code: number; out: string; errors: string }>((resolve) => {
    execFile(
      execPath,
      program,
      { cwd: root, env: { ...process.env, INIT_CWD: '', NODE_ENV: undefined, ...variables } },
      (error, out, errors) =>
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, errors }),
    );
  });
}
