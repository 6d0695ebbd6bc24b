import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { FlowRun } from '../../src/runner/flow-run.ts';
import type { SendOutcome } from '../../src/model/ports/channel.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { openNodePacks } from '../../src/flow/load/node-packs.ts';
import type { Model, ModelChunk } from '../../src/model/ports/model.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../src/livekit/tools/function-tool.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { temporaryFolder } from '../load/temporary-folder.ts';
import { catalog, finished, rig } from './task-rig.ts';

/** The log of a run, worked out by hand. */
interface Fixture {
  /** Absent if `files` has a flow.yaml. */
  readonly flow?: string;
  /** The files of a folder, and the node packs in it that a configuration there allows. */
  readonly files?: Readonly<Record<string, string>>;
  readonly allows?: readonly string[];
  readonly input?: JsonObject;
  /** Messages to running agents, so many milliseconds after the start. */
  readonly messages?: readonly ({ at: number } & (
    | { run: string; say: string }
    | { node: string; say: string }
    | { close: string }
  ))[];
  /** The replies of models, by name and request. Agents that name no model use an echo. */
  readonly models?: Readonly<Record<string, readonly (readonly Said[])[]>>;
  /** Functions that take a time, and then return a value or throw. */
  readonly tools?: Readonly<Record<string, { readonly ms: number; readonly gives?: Json }>>;
  /** Whether each of the messages was accepted. */
  readonly answers?: readonly boolean[];
  readonly status: string;
  readonly failures?: readonly JsonObject[];
  readonly events: readonly string[];
}

/** A piece of text, milliseconds of silence, a function call, or the end of the connection. */
type Said = string | number | { readonly call: string; readonly id: string } | null;

const folder = join(import.meta.dirname, 'replay');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

test.each(files)('%s', (file) => replay(join(folder, file), env));

test('a log that is not as expected fails; it is written anew where a person asks for it, and never with CI=true', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'replay-')), 'wrong.yaml');
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true }));
  const right = readFileSync(join(folder, 'flow/runtime-lifecycle.yaml'), 'utf8');
  const wrong = right.replace('Hello Ann.', 'Hello Bob.');
  writeFileSync(path, wrong);
  await expect(replay(path, {})).rejects.toThrow('to deeply equal');
  await expect(replay(path, { RECORD_REPLAYS: '1', CI: 'true' })).rejects.toThrow('not written anew');
  expect(readFileSync(path, 'utf8')).toBe(wrong);
  await expect(replay(path, { RECORD_REPLAYS: '1' })).rejects.toThrow('to deeply equal');
  await replay(path, {});
});

test('there is a log for each of the names', () => {
  const names = [
    ...['runtime-lifecycle', 'runtime-task-events', 'runtime-message-routing', 'edge-when-basic', 'edge-readiness'],
    ...['edge-merge-any', 'policy-timeout', 'policy-retry', 'policy-continue-on-error', 'policy-failfast-false'],
    ...['agent-session', 'agent-tool-events', 'agent-streaming', 'loader-nodepacks', 'loader-promptfile'],
  ];
  expect(files).toEqual(expect.arrayContaining(names.map((name) => join('flow', `${name}.yaml`))));
});

/** Runs a fixture and compares the result with its expectation. */
async function replay(path: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const document = parseDocument(readFileSync(path, 'utf8'));
  const fixture = document.toJS() as Fixture;
  const {
    flow,
    files = {},
    allows = [],
    input = {},
    messages = [],
    models = {},
    tools = {},
    answers = [],
    failures = [],
    ...expected
  } = fixture;
  const clock = createVirtualClock();
  // A pack finds its packages as in a project.
  const place = temporaryFolder({ ...files, node_modules: { link: join(import.meta.dirname, '../../node_modules') } });
  const { packs, faults } = await openNodePacks(allows, join(place, 'agent.config.ts'), catalog);
  expect(faults).toEqual([]);
  const options = {
    clock,
    input,
    model: echo,
    models: Object.fromEntries(Object.entries(models).map(([name, replies]) => [name, modelOf(name, replies, clock)])),
    tools: Object.entries(tools).map(([name, does]) => toolOf(name, does, clock)),
  };
  const run = rig(flow ?? join(place, 'flow.yaml'), options, createCatalog(catalog.values(), packs));
  const taken: boolean[] = [];
  for (const message of messages) clock.schedule(message.at, () => taken.push(sent(run.instance, message).ok));
  const { result } = await finished({ ...run, clock });
  await clock.advance(1000);
  const found = { status: result.status, events: run.lines(result.events) };
  if (environment['RECORD_REPLAYS'] !== undefined) {
    if (environment['CI'] !== undefined) throw new Error('What is expected is not written anew by a machine.');
    for (const [key, value] of Object.entries(found)) document.set(key, value);
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  }
  expect({ ...found, failures: result.failures, answers: taken }).toEqual({ ...expected, failures, answers });
}

function sent(instance: FlowRun, message: NonNullable<Fixture['messages']>[number]): SendOutcome {
  if ('close' in message) return instance.closeRun(message.close);
  const { say } = message;
  return 'run' in message ? instance.sendToRun(message.run, say) : instance.sendTo(message.node, say);
}

/** Repeats its last input, after its instructions, if any. */
const echo: Model = {
  label: 'echo',
  async *generate({ messages }) {
    const told = messages.flatMap(({ role, content }) => (role === 'system' ? [`(${content}) `] : []));
    yield await Promise.resolve({ type: 'text', delta: `${told.join('')}You said ${messages.at(-1)?.content}` });
    yield { type: 'end', finish: 'stop' };
  },
};

/** Says the written reply for each request. It does not listen to its signal. */
function modelOf(label: string, replies: readonly (readonly Said[])[], clock: Clock): Model {
  let asked = 0;
  return {
    label,
    async *generate(): AsyncGenerator<ModelChunk> {
      asked += 1;
      for (const said of replies[asked - 1] ?? []) {
        if (said === null) throw new Error('The connection broke.');
        if (typeof said === 'number') await after(said, clock);
        else if (typeof said === 'string') yield { type: 'text', delta: said };
        else yield { type: 'call', call: { callId: said.id, name: said.call, rawArguments: '{}' } };
      }
      yield { type: 'end', finish: 'stop' };
    },
  };
}

function toolOf(name: string, { ms, gives }: { ms: number; gives?: Json }, clock: Clock): FunctionTool {
  return flowTool({
    name,
    description: name,
    async execute() {
      await after(ms, clock);
      if (gives === undefined) throw new Error('The function failed.');
      return gives;
    },
  });
}

function after(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.schedule(ms, resolve));
}
