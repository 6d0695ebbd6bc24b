import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Effect } from '../../src/model/effect.ts';
import type { GeneratorYield } from '../../src/model/signals/generator-yield.ts';
import type { Json } from '../../src/model/json.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import { generatorGraph } from '../../src/flow/graph/generator-graph.ts';
import { newSession, type SessionState } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { noon } from '../kernel/session.ts';

const name = fc.constantFrom('name', '__proto__', 'toString', 'say', 'tutor', '');
const json = fc.jsonValue() as fc.Arbitrary<Json>;
const made: fc.Arbitrary<GeneratorYield> = fc.oneof(
  fc.record({ type: fc.constant('say'), text: fc.string() }),
  fc.record({
    type: fc.constant('ask'),
    key: name,
    text: fc.string(),
    again: fc.option(fc.string()),
    expects: fc.constantFrom(
      null,
      { slot: { type: 'integer', minimum: 2 }, schema: null },
      { slot: null, schema: { type: 'object' } },
      // A broken rule, as only a foreign log could hold it.
      { slot: { type: 'enum' }, schema: null },
    ),
  }),
  fc.record({
    type: fc.constant('tool'),
    name,
    args: fc.dictionary(name, json),
    write: fc.boolean(),
    timeoutMs: fc.constant(null),
    retry: fc.constant({ maxAttempts: 1, backoffMs: 0 }),
  }),
  fc.record({
    type: fc.constant('wait'),
    node: fc.constant('interrupt.escalate'),
    key: name,
    asked: fc.record({
      wait: fc.constantFrom('admin_resolution', 'proxy_input', 'timeout'),
      to: fc.constantFrom('desk', null),
      question: fc.string(),
      facts: fc.dictionary(name, json),
      options: fc.constant([]),
      schema: fc.constant({ type: 'object' }),
      reach: fc.constant('wait'),
      due: fc.constantFrom(null, { afterMs: 0 }),
      deadlines: fc.constantFrom(
        [],
        [{ due: { afterMs: 0 }, policy: { act: 'remind' } }],
        [{ due: { afterMs: 0 }, policy: { act: 'answer', resolution: {} } }],
        [{ due: { afterMs: 0 }, policy: { act: 'escalate', to: 'boss' } }],
        [{ due: { afterMs: 0 }, policy: { act: 'end', reason: 'nobody' } }],
      ),
    }),
    say: fc.option(fc.string()),
    company: fc.constantFrom(null, { everyMs: 1_000, lines: [] }),
  }),
  fc.record({ type: fc.constant('handoff'), to: name, input: json }),
  fc.record({ type: fc.constant('end'), reason: fc.string() }),
);

/** The next signal from outside: mostly for an open effect, sometimes any. */
type Act = (state: SessionState) => Signal;

const anyKey = fc.constantFrom('s/1/0', 's/1/1', 's/2/0', 'nonsense');
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.array(made, { maxLength: 4 }), fc.nat(9)).map(
      ([yields, chance]): Act =>
        (state) =>
          answerTo(state, yields, chance),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<'takeover:started' | 'takeover:ended'>('takeover:started', 'takeover:ended')
      .map((type): Act => () => ({ type, at: noon, actor: null })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('five', 'one', 'why?', '', 'yes').map((text): Act => (state) => ({
      type: 'user:turn',
      at: noon,
      eventId: `ev${state.turn.number}`,
      text,
      via: 'text',
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyKey, fc.array(made, { maxLength: 2 })).map(([key, yields]): Act => () => ({
      type: 'generator:yielded',
      at: noon,
      key,
      run: 1,
      step: 0,
      answer: null,
      yields: yields.map((one) => ({ draws: [], yield: one })),
      reworded: [],
    })),
  },
  {
    weight: 1,
    arbitrary: anyKey.map((key): Act => () => ({
      type: 'generator:diverged',
      at: noon,
      key,
      divergence: { step: 1, expected: null, found: null },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyKey, json).map(([key, input]): Act => () => ({
      type: 'flow:handed-off',
      at: noon,
      key,
      flow: { id: 'tutor', hash: 'h' },
      input,
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Signal>(
        { type: 'session:resumed', at: noon },
        { type: 'node:requested', at: noon, to: 'name' },
        { type: 'flow:swapped', at: noon, flow: { id: 'tutor', hash: 'h' } },
      )
      .map(
        (signal): Act =>
          () =>
            signal,
      ),
  },
);

function answerTo(state: SessionState, yields: readonly GeneratorYield[], chance: number): Signal {
  const open = Object.values(state.effects);
  const effect = open.find(({ kind }) => kind !== 'say') ?? open[0];
  if (effect === undefined) return { type: 'session:resumed', at: noon };
  return settle(effect, yields, chance);
}

function settle(effect: Effect, yields: readonly GeneratorYield[], chance: number): Signal {
  const { key } = effect;
  switch (effect.kind) {
    case 'advance': {
      const { run, step: before, answer } = effect.payload;
      if (chance === 0) return { type: 'generator:failed', at: noon, key, reason: 'TypeError' };
      if (chance === 1) return { type: 'generator:refused', at: noon, key, problem: 'odd' };
      if (chance === 2)
        return { type: 'generator:diverged', at: noon, key, divergence: { step: 1, expected: null, found: null } };
      const isCheck = answer === null && before > 0;
      // A generator always yields something, at least its end.
      const all = isCheck ? [] : yields.length > 0 ? yields : [{ type: 'end', reason: 'done' } as const];
      const lines = all.slice(0, -1).map((one) => (one.type === 'say' ? one : { type: 'say' as const, text: 'And.' }));
      const journaled = [...lines, ...all.slice(-1)].map((one) => ({ draws: [], yield: one }));
      return { type: 'generator:yielded', at: noon, key, run, step: before, answer, yields: journaled, reworded: [] };
    }
    case 'tool': {
      const { name: function_, node, visit, callId, arguments: given } = effect.payload;
      const call = { key, callId, name: function_, node, visit, arguments: given };
      const state = chance < 5 ? 'done' : 'failed';
      return { type: 'batch:settled', at: noon, reply: null, text: '', calls: [{ ...call, state }] };
    }
    case 'reply': {
      if (chance === 0) return { type: 'reply:failed', at: noon, key, reason: 'late' };
      const { node, visit } = effect.payload;
      const call = { key: `${key}.1`, callId: 'c', name: 'answer', node, visit, arguments: { value: chance } };
      const calls = chance < 6 ? [{ ...call, state: 'done' as const }] : [];
      return { type: 'batch:settled', at: noon, reply: key, text: chance === 9 ? 'Why not?' : '', calls };
    }
    case 'handoff':
      if (chance < 4) return { type: 'effect:settled', at: noon, key, state: 'failed' };
      return { type: 'flow:handed-off', at: noon, key, flow: { id: 'tutor', hash: 'h' }, input: {} };
    case 'wait':
      if (chance < 5) return { type: 'wait:resolved', at: noon, key, resolution: { decision: 'yes' }, actor: null };
      return { type: 'wait:expired', at: noon, key };
    case 'say':
      return { type: 'speech:settled', at: noon, key, state: 'done', text: 'x', heard: chance < 3 ? '' : 'x' };
    default:
      return { type: 'effect:settled', at: noon, key, state: 'done' };
  }
}

const talks = fc.array(act, { maxLength: 40 });

it('no signal throws, and an active generator always waits for the caller or for something that is under way', () => {
  fc.assert(
    fc.property(talks, fc.option(fc.constantFrom('tutor', 'classic')), (acts, fallback) => {
      const graph = generatorGraph('tutor', { language: languageOf(defaultLanguage), languageOf, fallback });
      let state = newSession('s');
      const log: Signal[] = [];
      const send = (signal: Signal): void => {
        log.push(signal);
        state = step(graph, state, signal).state;
        if (state.status !== 'active') return;
        const kinds = new Set(Object.values(state.effects).map(({ kind }) => kind));
        const works = (['advance', 'tool', 'handoff', 'reply', 'end', 'wait'] as const).some((kind) => kinds.has(kind));
        const waits = works || state.position.generator?.lastYield?.type === 'ask';
        // Signals during a takeover are processed afterwards.
        expect(waits || state.people.takeover !== null, JSON.stringify(log)).toBe(true);
      };
      send({
        type: 'session:started',
        at: noon,
        sessionId: 's',
        flow: { id: 'tutor', hash: 'h' },
        input: {},
        timeZone: 'UTC',
      });
      for (const next of acts) send(next(state));

      let replayed = newSession('s');
      for (const signal of JSON.parse(JSON.stringify(log)) as Signal[]) replayed = step(graph, replayed, signal).state;
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(state));
    }),
    { numRuns: 400 },
  );
});
