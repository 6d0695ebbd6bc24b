import type { log } from '@livekit/agents';
import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { recordSession } from '../../src/flowtest/record/record-session.ts';
import { createHttpMetrics } from '../../src/http/metrics.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createSeenSession } from '../../src/studio/sessions/seen-session.ts';
import { graphOfKept } from '../../src/studio/sessions/steps.ts';
import { systemClock } from '../../src/system.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { logEvents } from '../../src/worker/log-events.ts';

const parameters = {
  type: 'object' as const,
  properties: { pin: { type: 'string' }, card: { type: 'integer' } },
  required: ['pin'],
};

const bank: ConversationFlow = {
  initialNode: 'menu',
  slots: {
    pin: { type: 'text', ask: 'Your PIN?', pii: true, dtmf: { digits: '6..8' } },
    card: { type: 'integer', ask: 'The card number?', pii: true, dtmf: { digits: 12 } },
  },
  nodes: {
    menu: { say: 'Press 1.', keys: { 1: 'identify' }, taskMessages: [{ role: 'system', content: 'Help.' }] },
    identify: { collect: ['pin', 'card'], defaultTransition: 'check' },
    check: {
      call: 'check_pin',
      functions: [{ name: 'check_pin', parameters, transitionTo: 'talk' }],
    },
    talk: {
      taskMessages: [{ role: 'system', content: 'The caller has entered {{ pin_state }}.' }],
      functions: [{ name: 'pay', effect: 'write', confirm: 'Shall I pay?', parameters, transitionTo: 'done' }],
    },
    done: { say: 'It is paid.', end: 'paid' },
  },
};

const random = createSeededRandom(7);
const digits = (count: number): string =>
  Array.from({ length: count }, () => String(1 + Math.floor(random.next() * 9))).join('');

/** Everything that one call leaves anywhere, a text each. */
async function capture(index: number) {
  const [pin, card, early] = [digits(7), digits(12), digits(8)];
  const seen: unknown[] = [];
  const captures: string[] = [];
  const keep = (...given: readonly unknown[]): void =>
    void captures.push(...given.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))));
  const replies = [
    { text: 'What is it?' },
    { calls: [{ name: 'pay', arguments: {} }] },
    { calls: [{ name: 'record', arguments: { pin: '[keys]' } }] },
  ];
  let next = 0;
  const model = new ScriptedModel(() => replies[next++] ?? { text: 'I see.' });
  const tool = (name: string) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({ pin: z.string() }),
      execute: (given, { get, set }) => {
        seen.push(given, get('pin'));
        set('pin_state', `the PIN ${given.pin}`);
        if (name === 'pay' && index % 2 === 1) throw new Error(`The PIN ${given.pin} is blocked.`);
        return { ok: true, said: `Your PIN is ${given.pin.split('').join(' ')}.`, [given.pin]: given['card'] ?? null };
      },
    });
  const store = createMemoryStore({ clock: systemClock });
  const sessionId = `bank-${index}`;
  const session = createTextSession(model, { write: (text) => Promise.resolve(keep(text)), end: () => undefined });
  const tools = [tool('check_pin'), tool('pay')];
  const runner = createRunner({ session, flow: bank, store, sessionId, timeZone: 'UTC', tools, onFlowError: keep });
  runner.hub.subscribe('*', keep);
  runner.onSpeech((heard) => keep(heard));
  const write = (entry: unknown, message: string): void => keep(`${message} ${JSON.stringify(entry)}`);
  // Only these methods of a logger are called.
  const stopLog = logEvents(runner, { info: write, warn: write } as unknown as ReturnType<typeof log>);
  await runner.start();
  await runner.idle();
  await runner.press(`1${pin}#`);
  // Digits of the PIN once more, where the card is asked for: they are too few.
  await runner.press(`${early}#`);
  await runner.press(card);
  await runner.press(early, { pauseMs: 1 });
  await runner.send('please pay');
  await runner.send('yes');
  await runner.press(early, { pauseMs: 1 });
  await runner.stop();
  stopLog();
  void session.close();
  keep(...model.requests);
  keep(
    ...(await store.steps.list(sessionId)),
    ...(await store.effects.list(sessionId)),
    ...(await store.steps.listEvents(sessionId)),
  );
  keep(await store.sessions.get(sessionId), (await recordSession(store, sessionId)).scenario);
  for (const isRevealed of [false, true]) {
    const documentOf = (hash: string) => store.graphs.get(hash);
    const graphOf = (hash: string) => documentOf(hash).then(graphOfKept);
    const studio = createSeenSession({ sessionId, isRevealed, store, clock: systemClock, graphOf, documentOf });
    await studio.catchUp();
    keep(...studio.shown, ...studio.events, ...studio.lines, ...studio.turns);
  }
  return { store, captures, seen, secrets: [pin, card, early], pin, card };
}

it('the digits of a personal slot reach only code: no log, prompt, trace, event, store, test, metric or page has them', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  onTestFinished(async () => {
    trace.disable();
    context.disable();
    await provider.shutdown();
  });
  const captures: string[] = [];
  const secrets: string[] = [];
  for (let index = 0; index < 2; index += 1) {
    const call = await capture(index);
    expect(call.seen).toContainEqual({ pin: call.pin, card: Number(call.card) });
    expect(call.seen).toContain(call.pin);
    captures.push(...call.captures);
    secrets.push(...call.secrets);
    if (index === 1) captures.push(await createHttpMetrics(call.store, systemClock).text());
  }
  for (const { name, attributes, events, status } of exporter.getFinishedSpans())
    captures.push(JSON.stringify({ name, attributes, events, status }));
  expect(captures.length).toBeGreaterThan(1_000);
  // Also digits in groups, and in the numbers of a text.
  const found = captures.filter((text) => {
    const plain = text.replaceAll(/[\s.,-]/g, '');
    return secrets.some((secret) => plain.includes(secret));
  });
  expect(found).toEqual([]);
  expect(captures.join()).toContain('[keys]');
});
