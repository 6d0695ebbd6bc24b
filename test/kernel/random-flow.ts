import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { CallNext, SettledCall, Signal } from '../../src/model/signals/signal.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Waiting } from '../../src/model/effect.ts';
import { isWaiting } from '../../src/kernel/state/draft.ts';
import { functionsIn, nodeOf } from '../../src/kernel/move/offers.ts';
import type { SessionState } from '../../src/kernel/state/state.ts';
import { hashOf } from '../../src/flow/graph/hash.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { noon } from './session.ts';

/** Functions that random flows expect to be registered. */
export const registered = ['find', 'save', 'make'];

/** Numbers from which a node or a signal is made, so that counterexamples shrink. */
const numbers = fc.record({ kind: fc.nat(19), a: fc.nat(9), b: fc.nat(9), c: fc.nat(31) });
type Numbers = typeof numbers extends fc.Arbitrary<infer Value> ? Value : never;

const task = [{ role: 'system' as const, content: 'Help {{ who }}.' }];

/**
 * A small flow that compiles. Every transition without the caller leads towards `bye`, the end; functions lead
 * anywhere. There are digressions (`aside`, `roam`), writes with and without confirmation, catalog nodes that fail, and
 * made nodes.
 */
export const flowDocument: fc.Arbitrary<ConversationFlow> = fc
  .record({
    nodes: fc.array(numbers, { minLength: 1, maxLength: 6 }),
    max: fc.integer({ min: 1, max: 6 }),
    onError: fc.constantFrom(null, 'help', 'n0'),
  })
  .map(({ nodes: specs, max, onError }) => {
    const count = specs.length;
    const idOf = (index: number): string => (index >= count ? 'bye' : `n${index}`);
    const nodes: Record<string, object> = {};
    const edges: NonNullable<ConversationFlow['edges']> = [];
    for (const [index, spec] of specs.entries()) {
      const onwards = (by: number): string => idOf(index + 1 + (by % (count - index)));
      nodes[idOf(index)] = nodeFrom(spec, onwards, (by) => idOf(by % (count + 1)));
      if (spec.kind < 14 && spec.kind > 3 && spec.c % 4 === 0)
        edges.push({ from: idOf(index), to: onwards(spec.b), when: { equals: { var: 'size', value: 'large' } } });
    }
    return {
      initialNode: 'n0',
      policy: { maxTransitionsPerTurn: max },
      ...(onError === null ? {} : { onError }),
      slots: {
        size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
        who: { type: 'name', ask: 'Who are you?', confirm: 'readback' },
        day: { type: 'date' },
        note: { type: 'text', optional: true, confirm: 'readback' },
      },
      functions: [{ name: 'aside', transitionTo: 'aside', digression: true }],
      nodes: {
        ...nodes,
        aside: {
          taskMessages: task,
          functions: [
            { name: 'back', transitionTo: '$return' },
            { name: 'out', transitionTo: 'bye' },
          ],
        },
        roam: { say: 'Upstairs.', defaultTransition: '$return' },
        help: { say: 'Let me get someone.', end: 'helped' },
        bye: { say: 'Bye.', end: true },
      },
      edges,
    };
  });

function nodeFrom(
  { kind, a, b, c }: Numbers,
  onwards: (by: number) => string,
  anywhere: (by: number) => string,
): object {
  const flag = (bit: number): boolean => ((c >> bit) & 1) === 1;
  const manner = {
    ...(flag(0) ? { preActions: [{ type: 'tts_say', text: 'Well.' }] } : {}),
    ...(flag(1) ? { postActions: [{ type: b > 7 ? 'end_conversation' : 'note' }] } : {}),
    ...(flag(2) ? { contextStrategy: 'reset_with_summary' } : {}),
    ...(flag(3) ? { respondImmediately: false } : {}),
    ...(flag(4) ? { say: 'Here.' } : {}),
  };
  const functions = [
    { name: 'onwards', transitionTo: onwards(a) },
    { name: 'jump', transitionTo: anywhere(b) },
    { name: 'find', handler: 'find', saveAs: 'found', transitionTo: { field: 'ok', cases: { true: anywhere(a) } } },
    {
      name: 'save',
      effect: 'write',
      saveAs: 'saved',
      transitionTo: onwards(b),
      ...(a % 2 === 0 ? { confirm: true } : {}),
    },
    { name: 'wander', transitionTo: 'roam', digression: true },
    { name: 'make', handler: 'make' },
  ];
  if (kind < 3) return { say: 'Hm.', defaultTransition: onwards(a) };
  if (kind < 4) return { taskMessages: task, defaultTransition: onwards(a) };
  if (kind < 9)
    return { ...manner, taskMessages: task, functions, ...(b % 3 === 0 ? { defaultTransition: onwards(b) } : {}) };
  if (kind < 14) {
    const collect = ['size', 'who', 'day', 'note'].filter((_, index) => ((b + 1) >> index) % 2 === 1);
    return {
      ...manner,
      collect,
      ...(a % 2 === 0 ? { functions: functions.slice(0, 4) } : {}),
      defaultTransition: onwards(a),
    };
  }
  if (kind < 15) return { type: 'control.noop', defaultTransition: onwards(a) };
  if (kind < 18) return waitFrom({ kind, a, b, c }, onwards);
  return { type: 'control.fail', input: { message: 'no' }, ...(a % 2 === 0 ? { onError: anywhere(b) } : {}) };
}

/** A node that waits for a person outside of the call, for a transfer, or for the caller's yes. */
function waitFrom({ kind, a, b, c }: Numbers, onwards: (by: number) => string): object {
  const asked = { question: 'May {{ who }}?', facts: { who: '{{ who }}', size: '{{ size }}' }, say: 'One moment.' };
  const next = { defaultTransition: onwards(a) };
  if (c % 4 === 0) return { type: 'interrupt.confirm', input: { question: 'Is it {{ size }}?' }, ...next };
  const steps = [
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
    { after: '1m', then: 'remind' },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
    { at: '2026-11-22T09:00', then: 'escalate', to: 'manager' },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
    { after: '1h', ...(b % 2 === 0 ? { then: 'go_to', node: onwards(b) } : { then: 'answer', answer: 'reject' }) },
  ];
  if (c % 8 === 3)
    return {
      transfer: {
        to: b % 3 === 0 ? { queue: 'desk' } : '+49 30 {{ size }}',
        say: 'One moment.',
        ...(b % 3 === 1 ? { mode: 'warm', brief: '{{ who }}' } : {}),
        on: { busy: onwards(b), ...(b % 2 === 0 ? { answered: onwards(a) } : {}) },
      },
      ...next,
    };
  const deadline = steps.slice(a % 3);
  return kind < 17
    ? { type: 'interrupt.escalate', input: { to: 'desk', ...asked, deadline }, ...next }
    : { type: 'interrupt.wait', input: b % 2 === 0 ? { for: '5m' } : { proxy: 'desk', ...asked, deadline }, ...next };
}

/** The next happening, independent of the state it meets. */
export type Happening = Numbers & { readonly calls: readonly Numbers[] };
export const happening: fc.Arbitrary<Happening> = fc
  .tuple(numbers, fc.array(numbers, { maxLength: 4 }))
  .map(([one, calls]) => ({ ...one, calls }));

const words = ['yes', 'no', 'Maria Delgado', 'small', '', 'what?', 'yes but no', 'March fourth', '__proto__', 'ok'];
const strange = ['', '__proto__', 'constructor', 'n0', 'bye', '$return', 'x/1/0', 's/1/0', 's/99/0', 'x'];
const values: readonly JsonObject[] = [
  {},
  { size: 'large' },
  { who: 'Maria Delgado', size: 'small' },
  { day: '2027-03-04', note: 'by the door' },
  { size: 'huge', who: 'Yes', day: 'March fourth', note: '' },
  { ['__proto__']: 1, constructor: { size: 'small' }, toString: null },
  { who: 'Ann Lee' },
  { ok: true },
  { note: 'other' },
  { size: 'small' },
];

/** Returns the signal of a happening in a state: mostly a signal that hosts send, sometimes an impossible one. */
export function signalOf(
  graph: Graph,
  state: SessionState,
  { kind, a, b, c, calls }: Happening,
  index: number,
): Signal {
  const at = noon + index;
  const odd = (by: number): string => strange[by % strange.length] ?? '';
  const flow = { id: graph.name, hash: graph.hash };
  const open = Object.values(state.effects);
  const openReply = open.find((effect) => effect.kind === 'reply')?.key ?? null;
  const batch = (reply: string | null): Signal => ({
    type: 'batch:settled',
    at,
    reply,
    text: b % 3 === 0 ? 'Well.' : '',
    calls: calls.map((call, ordinal) => callOf(graph, state, call, ordinal)),
    ...(c % 8 === 0 ? { superseded: true } : {}),
  });
  switch (kind) {
    case 0:
      return { type: 'session:started', at, sessionId: 's', flow, input: values[a] ?? {}, timeZone: odd(b) };
    case 1:
      return { type: 'session:resumed', at };
    case 2:
      return c % 8 === 0 ? { type: 'session:ended', at, reason: odd(a) } : { type: 'session:resumed', at };
    case 3:
    case 4:
    case 5:
    case 6:
      return { type: 'user:turn', at, eventId: c === 0 ? 'ev' : `ev${index}`, text: words[a] ?? '', via: 'speech' };
    case 7: {
      const { name, node, visit, arguments: given, key, callId } = callOf(graph, state, { kind: a, a, b, c }, 0);
      return { type: 'tool:called', at, key, callId, name, node, visit, arguments: given };
    }
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
      return batch(openReply);
    case 13:
      return batch(c % 2 === 0 ? null : odd(a));
    case 14:
    case 15: {
      const effect = open[a % Math.max(1, open.length)];
      const key = effect === undefined || c === 0 ? odd(a) : effect.key;
      if (effect !== undefined && isWaiting(effect)) return waitSignal(effect, at, b);
      if (effect?.kind === 'say' || effect?.kind === 'wait')
        return { type: 'speech:settled', at, key, state: 'done', text: 'Well.', heard: b % 5 === 0 ? '' : 'Well.' };
      if (effect?.kind === 'reply') return { type: 'reply:failed', at, key, reason: 'timeout' };
      if (effect?.kind === 'tool') {
        const { name, node, visit, callId, arguments: given } = effect.payload;
        const outcome = b % 4 === 0 ? 'failed' : 'done';
        return {
          type: 'batch:settled',
          at,
          reply: null,
          text: '',
          calls: [{ key, callId, name, node, visit, arguments: given, state: outcome }],
        };
      }
      return { type: 'effect:settled', at, key, state: b % 4 === 0 ? 'failed' : 'done', result: values[b] ?? null };
    }
    case 16:
      if (c > 11) {
        const wait = open.find(isWaiting);
        if (wait !== undefined) return waitSignal(wait, at, b);
      }
      if (c === 1) return { type: 'reply:routed', at, to: odd(a) };
      if (c === 3 && b === 0) return { type: 'limit:reached', at, limit: a % 2 === 0 ? 'time' : 'cost' };
      return { type: 'node:requested', at, to: c % 2 === 0 ? odd(a) : `n${a}` };
    case 17:
      return { type: 'flow:swapped', at, flow, ...(c % 2 === 0 ? { node: odd(a) } : {}) };
    case 18:
      if (c < 4) return { type: 'takeover:started', at, actor: null };
      if (c < 7) return { type: 'takeover:said', at, text: words[a] ?? '', actor: null };
      if (c < 8) return { type: 'takeover:heard', at, text: words[a] ?? '', actor: null };
      if (c < 14) return { type: 'takeover:ended', at, actor: null, ...(c < 10 ? { node: odd(a) } : {}) };
      if (c < 17) return { type: 'wait:resolved', at, key: odd(a), resolution: {}, actor: null };
      return { type: 'flow:called', at, flow, input: values[a] ?? {} };
    default:
      return { type: 'flow:returned', at };
  }
}

/** An answer to a wait, mostly by its schema, or its deadline, sometimes too early. */
function waitSignal({ key, deadline = 0, payload }: Waiting, at: number, by: number): Signal {
  if (by % 3 === 0) return { type: 'wait:expired', at: by % 2 === 0 ? at : Math.max(at, deadline), key };
  const decision = payload.options[by % Math.max(1, payload.options.length)] ?? 'none';
  const talks = payload.wait === 'transfer' && by % 2 === 0 ? { participant: 'person' } : {};
  const resolution = by === 8 ? { decision: 'unheard of' } : { decision, text: 'Room four.', ...talks };
  return { type: 'wait:resolved', at, key, resolution, actor: { id: 'ada' } };
}

function callOf(graph: Graph, state: SessionState, { kind, a, b, c }: Numbers, ordinal: number): SettledCall {
  const node = nodeOf(graph, state, state.position.node);
  const offered = node === null ? [] : functionsIn(graph, node);
  const name = c === 0 ? (strange[a] ?? '') : (offered[kind % Math.max(1, offered.length)]?.name ?? '');
  const outcomes = [
    'done',
    'done',
    'done',
    'failed',
    'waiting',
    'done',
    'done',
    'cancelled',
    'blocked',
    'done',
  ] as const;
  const next = nextOf(a, c);
  const result: Json = b % 2 === 0 ? { ok: true } : (values[a] ?? null);
  return {
    key: `${state.sessionId}/${state.turn.number}/${state.turn.ordinal + ordinal}`,
    callId: `c${ordinal}`,
    name,
    node: state.position.node,
    visit: c % 16 === 1 ? state.position.visit - 1 : state.position.visit,
    arguments: values[b] ?? {},
    state: outcomes[a] ?? 'done',
    result,
    ...(next === undefined ? {} : { next }),
  };
}

function nextOf(a: number, c: number): CallNext | undefined {
  if (c === 2) return { kind: 'stay' };
  if (c === 3) return { kind: 'node', to: strange[a] ?? '' };
  const node = { say: `Made ${a}.`, defaultTransition: 'bye' };
  return c === 4 ? { kind: 'dynamic', node, to: a === 0 ? 'wrong' : hashOf(node) } : undefined;
}
