import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { JsonObject } from '../../src/events/json.ts';
import type { Model } from '../../src/ports/model.ts';
import { finished, rig } from './task-rig.ts';

/** The log of a run that the specification asks for, worked out by hand. */
interface Fixture {
  readonly flow: string;
  readonly input?: JsonObject;
  /** Said to agents while they run, so many milliseconds after the start. */
  readonly messages?: readonly ({ at: number; say: string } & ({ run: string } | { node: string }))[];
  /** Whether each of the messages was taken. */
  readonly answers?: readonly boolean[];
  readonly status: string;
  readonly failures?: readonly JsonObject[];
  readonly events: readonly string[];
}

const folder = join(import.meta.dirname, 'replay');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

/** Says what it was told last. */
const echo: Model = {
  label: 'echo',
  async *generate({ messages }) {
    yield await Promise.resolve({ type: 'text', delta: `You said ${messages.at(-1)?.content}` });
    yield { type: 'end', finish: 'stop' };
  },
};

test.each(files)('%s', async (file) => {
  const path = join(folder, file);
  const document = parseDocument(readFileSync(path, 'utf8'));
  const { flow, input = {}, messages = [], answers = [], failures = [], ...expected } = document.toJS() as Fixture;
  const run = rig(flow, { input, model: echo });
  const taken: boolean[] = [];
  for (const message of messages)
    run.clock.schedule(message.at, () => {
      const { instance } = run;
      const { say } = message;
      taken.push(('run' in message ? instance.sendToRun(message.run, say) : instance.sendTo(message.node, say)).ok);
    });
  const { result } = await finished(run);
  await run.clock.advance(1000);
  const found = { status: result.status, events: run.lines(result.events) };
  if (env['RECORD_REPLAYS'] !== undefined) {
    if (env['CI'] !== undefined) throw new Error('What is expected is not written anew by a machine.');
    for (const [key, value] of Object.entries(found)) document.set(key, value);
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  }
  expect({ ...found, failures: result.failures, answers: taken }).toEqual({ ...expected, failures, answers });
});

test('there is a log for each name that the specification gives', () => {
  const names = [
    ...['runtime-lifecycle', 'runtime-task-events', 'runtime-message-routing', 'edge-when-basic', 'edge-readiness'],
    ...['edge-merge-any', 'policy-timeout', 'policy-retry', 'policy-continue-on-error', 'policy-failfast-false'],
  ];
  expect(files).toEqual(expect.arrayContaining(names.map((name) => join('flow', `${name}.yaml`))));
});
