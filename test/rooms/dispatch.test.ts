import { AgentDispatchClient, RoomAgentDispatch, RoomConfiguration, RoomServiceClient } from 'livekit-server-sdk';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Caller, joinRoom } from './caller.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { findLivekitServer, freePort } from './livekit-server.ts';
import { descendantsOf, isAlive } from './processes.ts';
import { openVenue } from './stage.ts';

const roomflow = join(import.meta.dirname, '../../dist/cli/main.js');
const apology = 'Sorry, please call again later.';
const venue = openVenue();
/** A machine that is busy takes its time to start the process of a call. */
const greetingMs = 90_000;
const drainMs = 12_000;

beforeAll(() => {
  if (findLivekitServer() === null) return;
  const files = {
    'desk.yaml': greeting('desk', 'This is the desk.'),
    'named.yaml': greeting('named', 'Hello {{ who }}.', 'input: { who: { type: string } }'),
    'broken-later.yaml': greeting('later', 'Fine so far.'),
    'only.yaml': greeting('only', 'This is the only flow.'),
    'desk.config.mjs': `export default {
      flows: { desk: 'desk.yaml', named: 'named.yaml', later: 'broken-later.yaml' },
      models: { llm: 'offline', tts: 'offline' },
      worker: { agentName: 'desk', healthPort: 0, maxJobs: 2, idleProcesses: 2, drainTimeoutMs: ${drainMs}, rejoinTimeoutMs: 500,
                apology: ${JSON.stringify(apology)}, onEnd: 'delete-room' },
    };`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(venue.folder, name), text);
});

describe('a worker with an agent name', () => {
  let worker: Leashed;

  beforeAll(async () => {
    if (findLivekitServer() === null) return;
    worker = startWorker(['--config', 'desk.config.mjs']);
    await worker.hasSaid(/registered worker/);
  }, 120_000);

  afterAll(() => worker?.kill());

  test('is dispatched by that name; the metadata names flow, session and input', async () => {
    const caller = await joinAs('by-name');
    await dispatch('by-name', { flow: 'named', sessionId: 'call-17', input: { who: 'Ada' } });
    await caller.until(() => caller.heard().includes('Hello Ada.'), 'the greeting', greetingMs);
    expect(worker.output()).toMatch(/"sessionId":"call-17","event":"flow:started","flow":"named"/);
  }, 180_000);

  test('is dispatched by the token that a caller comes with', async () => {
    const agents = [new RoomAgentDispatch({ agentName: 'desk', metadata: '{"flow":"desk"}' })];
    const caller = await joinAs('by-token', new RoomConfiguration({ agents }));
    await caller.until(() => caller.heard().includes('This is the desk.'), 'the greeting', greetingMs);
  }, 180_000);

  test.each([
    ['metadata that is no JSON', 'flow: desk', /metadata-invalid: the job's metadata is no JSON\. Write \{/],
    [
      'metadata of another shape',
      '{"flow":7,"speed":2}',
      /metadata-invalid: the job's metadata is wrong at: flow, an un/,
    ],
    ['a flow that nobody knows', '{"flow":"nobody"}', /flow-unknown: .* It has: desk, named, later\./],
    ['an input that is missing', '{"flow":"named"}', /input-missing: .*who/],
    ['a flow that was broken meanwhile', '{"flow":"later"}', /flow-invalid: .*broken-later\.yaml:\d+:\d+ /],
  ])(
    '%s: the caller hears a line and is let go, the log says what and where',
    async (_fault, metadata, line) => {
      const file = join(venue.folder, 'broken-later.yaml');
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, before.replace('transition_to: bye', 'transition_to: nowhere'));
      onTestFinished(() => writeFileSync(file, before));
      const room = `fault-${metadata.length}-${line.source.length}`;
      const caller = await joinAs(room);
      await dispatch(room, metadata);
      await caller.until(() => caller.heard().includes(apology), 'the apology', greetingMs);
      await caller.until(() => caller.sound().loudSeconds > 0.2, 'the apology by voice');
      expect(worker.output()).toMatch(line);
      expect(worker.output()).toMatch(/"code":"[a-z-]+","job":"AJ_\w+","msg":"the call cannot be taken: /);
      // Whoever calls by telephone is hung up on with the room.
      await expect.poll(() => hasRoom(room), { timeout: 30_000 }).toBe(false);
    },
    180_000,
  );

  test('takes no more calls at once than it is to, however they come, and the next one when there is a place', async () => {
    const names = ['rush-1', 'rush-2', 'rush-3', 'rush-4'];
    const callers = await Promise.all(names.map((name) => joinAs(name)));
    await Promise.all(names.map((name) => dispatch(name, {})));
    const served = (): Caller[] => callers.filter((caller) => caller.heard().includes('This is the desk.'));
    await worker.hasSaid(/a call is refused: the worker is full/);
    await expect.poll(() => served().length, { timeout: greetingMs }).toBe(2);
    expect(callers.filter((caller) => caller.isAgentThere())).toHaveLength(2);

    const [leaving] = served();
    await leaving?.type('Goodbye');
    const room = names[callers.findIndex((caller) => caller === leaving)] ?? '';
    await expect.poll(() => hasRoom(room), { timeout: 60_000 }).toBe(false);
    // A server learns of a free place every 2.5 seconds.
    const next = await joinAs('after-rush');
    const again = setInterval(() => void dispatch('after-rush', {}), 3_000);
    onTestFinished(() => clearInterval(again));
    await next.until(() => next.heard().includes('This is the desk.'), 'the greeting', greetingMs);
  }, 240_000);
});

test('SIGTERM: a call under way may end in its time, and one that does not is let go of', async () => {
  const worker = startWorker(['--config', 'desk.config.mjs']);
  onTestFinished(() => worker.kill());
  await worker.hasSaid(/registered worker/);
  const [ending, staying] = [await joinAs('drain-ending'), await joinAs('drain-staying')];
  await Promise.all([dispatch('drain-ending', {}), dispatch('drain-staying', {})]);
  for (const caller of [ending, staying])
    await caller.until(() => caller.heard().includes('This is the desk.'), 'the greeting', greetingMs);
  const asked = performance.now();
  const over = worker.stop(60_000);
  await ending.type('Goodbye');
  await ending.until(() => ending.heard().includes('See you.'), 'the last words');
  expect(staying.isAgentThere()).toBe(true);
  await over;
  expect(performance.now() - asked).toBeGreaterThan(drainMs - 100);
  expect(performance.now() - asked).toBeLessThan(drainMs + 30_000);
  await staying.until(() => !staying.isAgentThere(), 'the agent to leave');
}, 300_000);

test('a worker without a name takes every new room with the flow of --flow, tells its health on loopback only, and leaves no process behind when it is killed', async () => {
  const port = await freePort();
  writeFileSync(
    join(venue.folder, 'any.config.mjs'),
    `export default { models: { llm: 'offline', tts: 'offline' }, worker: { healthPort: ${port}, idleProcesses: 1 } };`,
  );
  // The shell outlives the worker, so that nobody ends the worker's children but they themselves.
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
    variables(),
  );
  onTestFinished(() => shell.kill());
  await shell.hasSaid(/registered worker/);
  const caller = await joinAs('any-room');
  await caller.until(() => caller.heard().includes('This is the only flow.'), 'the greeting', greetingMs);

  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('OK');
  expect(await (await fetch(`http://127.0.0.1:${port}/worker`)).json()).toMatchObject({ active_jobs: 1 });
  for (const address of ownAddresses())
    await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow('fetch failed');

  const pid = Number(/worker is (\d+)/.exec(shell.output())?.[1]);
  const children = descendantsOf(pid);
  expect(children.length).toBeGreaterThanOrEqual(2);
  process.kill(pid, 'SIGKILL');
  await shell.hasSaid(/worker has ended/);
  // LiveKit by itself gives a call without a worker some 14 seconds more, and then drops its writes.
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave', 11_000);
  await expect.poll(() => children.filter(isAlive), { timeout: 30_000 }).toEqual([]);
}, 240_000);

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
  // Without weights the agent hears nothing and says so; these calls are typed.
  return { ...venue.server.variables, ROOMFLOW_CACHE: venue.folder, OPENAI_API_KEY: '', DEEPGRAM_API_KEY: '' };
}

function startWorker(args: readonly string[]): Leashed {
  return startLeashed(
    'sh',
    ['-c', 'cd "$0" && exec "$@"', venue.folder, execPath, roomflow, 'worker', ...args],
    variables(),
  );
}

async function joinAs(room: string, roomConfig?: RoomConfiguration): Promise<Caller> {
  const caller = await joinRoom(venue.server, room, 'caller', roomConfig);
  onTestFinished(() => caller.leave());
  return caller;
}

async function dispatch(room: string, metadata: object | string): Promise<void> {
  const client = new AgentDispatchClient(httpUrl(), venue.server.apiKey, venue.server.apiSecret);
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  await client.createDispatch(room, 'desk', { metadata: text });
}

async function hasRoom(name: string): Promise<boolean> {
  return (
    (await new RoomServiceClient(httpUrl(), venue.server.apiKey, venue.server.apiSecret).listRooms([name])).length > 0
  );
}

function httpUrl(): string {
  return venue.server.url.replace(/^ws/, 'http');
}

/** The addresses at which other machines would find this one. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal || one.family !== 'IPv4' ? [] : [one.address]));
}
