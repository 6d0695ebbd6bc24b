import { RoomAgentDispatch, RoomConfiguration } from 'livekit-server-sdk';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flowOf } from '../../src/worker/jobs/prepare-job.ts';
import { type Caller, joinRoom } from './caller.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { findLivekitServer, freePort, startLivekitServer } from './livekit-server.ts';
import { descendantsOf, isAlive } from './processes.ts';
import { greetingMs, openVenue } from './stage.ts';

const roomflow = join(import.meta.dirname, '../../dist/cli/main.js');
const apology = 'Sorry, please call again later.';
const venue = openVenue();
const drainMs = 12_000;
const testMs = 240_000;

beforeAll(() => {
  if (findLivekitServer() === null) return;
  const config = (agentName: string, maxJobs: number, flows: string): string => `export default {
      flows: { desk: 'desk.yaml'${flows} },
      models: { llm: 'offline', tts: 'offline' },
      worker: { agentName: '${agentName}', healthPort: 0, maxJobs: ${maxJobs}, idleProcesses: 1, drainTimeoutMs: ${drainMs},
                rejoinTimeoutMs: 500, apology: ${JSON.stringify(apology)}, onEnd: 'delete-room' },
    };`;
  const files = {
    'desk.yaml': greeting('desk', 'This is the desk.'),
    'named.yaml': greeting('named', 'Hello {{ who }}.', 'input: { who: { type: string } }'),
    'broken-later.yaml': greeting('later', 'Fine so far.'),
    'only.yaml': greeting('only', 'This is the only flow.'),
    // A server skips a worker that was full a moment ago, and a call of another test may not be over yet.
    'desk.config.mjs': config('desk', 16, ", named: 'named.yaml', later: 'broken-later.yaml'"),
    'small.config.mjs': config('small', 2, ''),
    'outbound.config.mjs': config('outbound', 2, '')
      .replace(`drainTimeoutMs: ${drainMs}`, 'drainTimeoutMs: 1_000')
      .replace('flows:', "store: 'sqlite:calls.db', flows:"),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(venue.folder, name), text);
});

describe('roomflow worker', () => {
  describe('with an agent name', () => {
    let worker: Leashed;

    beforeAll(async () => {
      if (findLivekitServer() === null) return;
      worker = startWorker(['--config', 'desk.config.mjs']);
      await worker.hasSaid(/registered worker/);
      // The worker has loaded the flow before the file is broken; the call finds the broken file.
      const broken = greeting('later', 'Fine so far.').replace('transition_to: bye', 'transition_to: nowhere');
      writeFileSync(join(venue.folder, 'broken-later.yaml'), broken);
    }, 120_000);

    afterAll(() => worker?.kill());

    // Every stage of these tests has an agent only by that name.
    test(
      "is dispatched by the caller's token; the metadata names flow, session and input",
      async (context) => {
        const metadata = JSON.stringify({ flow: 'named', sessionId: 'call-17', input: { who: 'Ada' } });
        const agents = [new RoomAgentDispatch({ agentName: 'desk', metadata })];
        const caller = await venue.join(context, 'by-token', 'caller', new RoomConfiguration({ agents }));
        await greeted(caller, 'Hello Ada.');
        expect(worker.output()).toMatch(/"sessionId":"call-17","event":"flow:started","flow":"named"/);
      },
      testMs,
    );

    // A metadata fault before the call and one within it. `test/worker/job-metadata.test.ts` covers the others.
    test.for([
      ['an input that is missing', '{"flow":"named"}', /input-missing: .*who/],
      ['a flow that was broken meanwhile', '{"flow":"later"}', /flow-invalid: .*broken-later\.yaml:\d+:\d+ /],
    ] as const)(
      '%s: the caller hears a line and is let go, the log says what and where',
      { timeout: testMs },
      async ([fault, metadata, line], context) => {
        const room = fault.replaceAll(' ', '-');
        const caller = await venue.join(context, room);
        await venue.dispatchTo('desk', room, metadata);
        await greeted(caller, apology);
        await caller.until(() => caller.sound().loudSeconds > 0.2, 'the apology by voice');
        expect(worker.output()).toMatch(line);
        expect(worker.output()).toMatch(/"code":"[a-z-]+","job":"AJ_\w+","msg":"the call cannot be taken: /);
        // For a caller by telephone, closing the room hangs up.
        await context.expect.poll(() => venue.hasRoom(room), { timeout: 120_000 }).toBe(false);
      },
    );
  });

  test('an unknown flow is reported with the list of known flows', async () => {
    await expect(flowOf({ flows: { desk: 'desk.yaml', named: 'named.yaml' } }, null, 'nobody')).rejects.toThrow(
      /^flow-unknown: .* It has: desk, named\./,
    );
  });

  test(
    'C3: respects its maximum of concurrent calls; after SIGTERM calls have a grace time, and then are released',
    async (context) => {
      const worker = startWorker(['--config', 'small.config.mjs']);
      context.onTestFinished(() => worker.kill());
      await worker.hasSaid(/registered worker/);
      const names = ['rush-1', 'rush-2', 'rush-3', 'rush-4'];
      const callers = await Promise.all(names.map((name) => venue.join(context, name)));
      await Promise.all(names.map((name) => venue.dispatchTo('small', name, {})));
      const served = (): Caller[] => callers.filter((caller) => caller.heard().includes('This is the desk.'));
      await context.expect.poll(() => served().length, { timeout: greetingMs }).toBe(2);
      expect(callers.filter((caller) => caller.isAgentThere())).toHaveLength(2);

      const [leaving, staying] = served();
      await leaving?.type('Goodbye');
      const room = names[callers.findIndex((caller) => caller === leaving)] ?? '';
      await context.expect.poll(() => venue.hasRoom(room), { timeout: 60_000 }).toBe(false);
      // A server learns of a free place every 2.5 seconds.
      const next = await venue.join(context, 'after-rush');
      const again = setInterval(() => void venue.dispatchTo('small', 'after-rush', {}), 3_000);
      context.onTestFinished(() => clearInterval(again));
      await greeted(next);
      clearInterval(again);

      const asked = performance.now();
      const over = worker.stop(60_000);
      await next.type('Goodbye');
      await next.until(() => next.heard().includes('See you.'), 'the last words');
      expect(staying?.isAgentThere()).toBe(true);
      await over;
      expect(performance.now() - asked).toBeGreaterThan(drainMs - 100);
      expect(performance.now() - asked).toBeLessThan(drainMs + 30_000);
      await staying?.until(() => !staying.isAgentThere(), 'the agent to leave');
    },
    testMs,
  );

  test(
    'an unanswered outbound call does not delay the end of a worker; a later answer goes to the next worker',
    async (context) => {
      const room = 'ringing';
      const first = startWorker(['--config', 'outbound.config.mjs']);
      context.onTestFinished(() => first.kill());
      await first.hasSaid(/registered worker/);
      await venue.dispatchTo('outbound', room, { sessionId: '+4915112345678', participant: 'customer' });
      const agents = async (): Promise<number> =>
        (await venue.hasRoom(room)) ? (await venue.rooms.listParticipants(room)).length : 0;
      await context.expect.poll(agents, { timeout: greetingMs }).toBe(1);
      const asked = performance.now();
      await first.stop(60_000);
      // The grace time and the end of the processes. LiveKit would wait 15 seconds for the job, which waits for the
      // caller.
      expect(performance.now() - asked).toBeLessThan(1_000 + 8_000);
      expect(first.output()).toMatch(/"event":"call:left","sessionId":"tel-[0-9a-f]{12}"/);
      expect(first.output()).not.toContain('entrypoint did not exit in time');
      expect(first.output()).not.toContain('15112345678');

      const second = startWorker(['--config', 'outbound.config.mjs']);
      context.onTestFinished(() => second.kill());
      await second.hasSaid(/registered worker/);
      const customer = await venue.join(context, room, 'customer');
      await greeted(customer);
    },
    testMs,
  );

  test(
    'without a name takes every new room with the flow of --flow, reports its health on loopback only, and leaves no process behind when killed',
    async (context) => {
      // A separate server, because this worker would also answer the calls of the other tests.
      const server = await startLivekitServer(findLivekitServer() ?? '');
      context.onTestFinished(() => server.stop());
      const port = await freePort();
      writeFileSync(
        join(venue.folder, 'any.config.mjs'),
        `export default { models: { llm: 'offline', tts: 'offline' }, worker: { healthPort: ${port}, idleProcesses: 1 } };`,
      );
      // The shell outlives the worker, so the worker's children must end on their own.
      const shell = startLeashed(
        'sh',
        [
          '-c',
          `"$@" & echo "worker is $!"; wait; echo worker has ended; sleep 60`,
          'sh',
          execPath,
          roomflow,
          'worker',
          '--flow',
          join(venue.folder, 'only.yaml'),
          '--config',
          join(venue.folder, 'any.config.mjs'),
        ],
        { ...variables(), ...server.variables },
      );
      context.onTestFinished(() => shell.kill());
      await shell.hasSaid(/registered worker/);
      const caller = await joinRoom(server, 'any-room');
      context.onTestFinished(() => caller.leave());
      await greeted(caller, 'This is the only flow.');

      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('OK');
      expect(await (await fetch(`http://127.0.0.1:${port}/worker`)).json()).toMatchObject({ active_jobs: 1 });
      for (const address of ownAddresses())
        await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow('fetch failed');

      const pid = Number(/worker is (\d+)/.exec(shell.output())?.[1]);
      const children = descendantsOf(pid);
      expect(children.length).toBeGreaterThanOrEqual(2);
      process.kill(pid, 'SIGKILL');
      await shell.hasSaid(/worker has ended/);
      // By default LiveKit keeps a call without a worker for about 14 seconds, reports it, and then drops its writes.
      await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 60_000);
      expect(shell.output()).not.toContain('job process orphaned');
      await context.expect.poll(() => children.filter(isAlive), { timeout: 120_000 }).toEqual([]);
    },
    testMs,
  );
});

function greeting(name: string, say: string, more = ''): string {
  return `name: ${name}
initial_node: greet
${more}
nodes:
  greet:
    say: "${say}"
    functions: [{ name: goodbye, description: The caller says goodbye., transition_to: bye }]
  bye: { say: See you., end: true }
`;
}

function variables(): NodeJS.ProcessEnv {
  // Without weights the agent cannot hear and reports it; these calls are typed.
  return { ...venue.server.variables, ROOMFLOW_CACHE: venue.folder, OPENAI_API_KEY: '', DEEPGRAM_API_KEY: '' };
}

function startWorker(args: readonly string[]): Leashed {
  return startLeashed(
    'sh',
    ['-c', 'cd "$0" && exec "$@"', venue.folder, execPath, roomflow, 'worker', ...args],
    variables(),
  );
}

async function greeted(caller: Caller, line = 'This is the desk.'): Promise<void> {
  await caller.until(() => caller.heard().includes(line), 'the greeting', greetingMs);
}

/** The addresses at which other machines would find this one. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== 'IPv4' ? [] : [one.address]));
}
