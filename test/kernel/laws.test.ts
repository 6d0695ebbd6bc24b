import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BatchSettled, SettledCall, Signal } from '../../src/model/signals/signal.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { Waiting } from '../../src/model/effect.ts';
import { confirmationIn, isConfirmation, isWaiting, waitingIn } from '../../src/kernel/state/draft.ts';
import { functionsIn, nodeOf } from '../../src/kernel/move/offers.ts';
import { nextNeed } from '../../src/kernel/state/slots.ts';
import { newSession, type SessionState } from '../../src/kernel/state/state.ts';
import { type Step, step } from '../../src/kernel/step.ts';
import { flowDocument, happening, type Happening, registered, signalOf } from './random-flow.ts';
import { graphOf, noon } from './session.ts';
import { tries } from '../tries.ts';

/** One step of a random session, with the state before it. */
interface Taken extends Step {
  readonly before: SessionState;
  readonly signal: Signal;
}

const happenings = fc.array(happening, { maxLength: 40 });
const sessions = fc.tuple(flowDocument, happenings);

/** Runs a session through the happenings, the start first. */
function run(graph: Graph, all: readonly Happening[]): Taken[] {
  const steps: Taken[] = [];
  let state = newSession('s');
  const send = (signal: Signal): void => {
    const next = step(graph, deepFreeze(state), deepFreeze(signal));
    steps.push({ ...next, before: state, signal });
    state = next.state;
  };
  const flow = { id: graph.name, hash: graph.hash };
  send({ type: 'session:started', at: noon, sessionId: 's', flow, input: {}, timeZone: 'UTC' });
  for (const [index, one] of all.entries()) send(signalOf(graph, state, one, index + 1));
  return steps;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** Checks a law on many random sessions. */
function holds(
  law: (graph: Graph, steps: readonly Taken[], document: ConversationFlow) => void,
  runs = tries(200),
): void {
  fc.assert(
    fc.property(sessions, ([document, all]) => {
      const graph = graphOf(document, registered);
      law(graph, run(graph, all), document);
    }),
    { numRuns: runs },
  );
}

test('no signal throws, and no step changes what it was given', () => {
  // All values are frozen before they are passed, so a change would throw.
  holds((_, steps) => expect(steps.length).toBeGreaterThan(0));
});

test('folding a log again gives the same states', () => {
  holds((graph, steps) => {
    let state = newSession('s');
    for (const taken of steps) {
      const again = step(graph, state, taken.signal);
      const { before: _before, signal: _signal, ...first } = taken;
      expect(again).toEqual(first);
      state = again.state;
    }
  });
});

test('a state that was stored and read goes on as the one that was not', () => {
  holds((graph, steps) => {
    for (const { before, signal, state, effects } of steps) {
      const read = JSON.parse(JSON.stringify(before)) as SessionState;
      const again = step(graph, read, JSON.parse(JSON.stringify(signal)) as Signal);
      expect(again.state).toEqual(state);
      expect(again.effects).toEqual(effects);
    }
  }, tries(75));
});

test('every effect has a key of its own', () => {
  holds((_, steps) => {
    const seen = new Set<string>();
    for (const { before, effects, signal } of steps) {
      for (const { key } of effects) {
        if (Object.hasOwn(before.effects, key)) continue; // The effect is requested again.
        expect(seen).not.toContain(key);
        seen.add(key);
      }
      if (signal.type === 'batch:settled')
        for (const { key } of signal.calls) if (!Object.hasOwn(before.effects, key)) seen.add(key);
    }
  });
});

test('what a step asks for is open in its state, until it is settled', () => {
  holds((_, steps) => {
    for (const { state, effects } of steps)
      for (const effect of effects) expect(state.effects[effect.key]).toEqual(effect);
  });
});

test('there is at most one reply and one question at a time, no question at the end and nothing after it', () => {
  holds((_, steps) => {
    for (const { state } of steps) {
      const kinds = Object.values(state.effects).map(({ kind }) => kind);
      // The model may say goodbye while the session ends.
      expect(kinds.filter((kind) => kind === 'reply').length).toBeLessThanOrEqual(state.status === 'ended' ? 0 : 1);
      const questions = Object.values(state.effects).filter(isConfirmation);
      expect(questions.length).toBeLessThanOrEqual(state.status === 'active' ? 1 : 0);
    }
  });
});

test('a wait is over once, and what comes for it afterwards changes nothing', () => {
  let over = 0;
  holds(
    (_, steps) => {
      const resolved = new Set<string>();
      for (const { before, state, signal, facts } of steps) {
        const ends = facts.flatMap((fact) => (fact.type === 'wait:resolved' ? [fact.data.key] : []));
        for (const key of ends) {
          expect(resolved).not.toContain(key);
          expect(state.effects).not.toHaveProperty([key]);
          resolved.add(key);
          over += 1;
        }
        if ((signal.type !== 'wait:resolved' && signal.type !== 'wait:expired') || before.status === 'new') continue;
        if (waitingIn(before).some(({ key }) => key === signal.key)) continue;
        expect(facts).toEqual([{ type: 'signal:ignored', data: { signal: signal.type, reason: 'wait-over' } }]);
        expect(state).toEqual(before);
      }
      // One in forty sessions reaches the end of a wait.
    },
    Math.max(300, tries(2_000)),
  );
  expect(over).toBeGreaterThan(5);
});

test('what is waited for belongs to where the conversation is or comes back to, and its deadlines do what is written', () => {
  holds((_, steps) => {
    for (const { state } of steps) {
      const places = [state.position.node, ...state.position.stack.map(({ node }) => node)];
      if (state.status === 'ended') expect(waitingIn(state)).toEqual([]);
      for (const { node, deadline, payload } of waitingIn(state)) {
        if (state.position.stack.length < 30) expect(places).toContain(node);
        if (payload.policy !== null) expect(deadline).toBeGreaterThan(0);
      }
    }
  });
});

test('while a person talks to the caller nothing is said but their words, and the flow stays where it is', () => {
  holds((_, steps) => {
    for (const { before, state, effects } of steps) {
      if (state.people.takeover === null) continue;
      for (const { kind, payload } of effects)
        if (kind === 'say' || kind === 'reply') expect([kind, payload]).toMatchObject(['say', { reason: 'operator' }]);
      if (before.people.takeover !== null) expect(state.status).not.toBe('new');
    }
  });
});

test('the moves of a turn are bounded: as many as allowed, and one out of trouble', () => {
  holds((graph, steps) => {
    let moves = 0;
    for (const { before, state, facts } of steps) {
      if (state.turn.number !== before.turn.number) moves = 0;
      moves += facts.filter(({ type }) => type === 'transition:taken').length;
      expect(moves).toBeLessThanOrEqual(graph.maxTransitionsPerTurn + 1);
    }
  });
});

describe('the calls of a completion', () => {
  test('take one transition where one was earned, that of the first in the order of calling, and none where not', () => {
    let won = 0;
    holds((graph, steps, document) => {
      for (const taken of steps) {
        const { before, signal, facts } = taken;
        if (signal.type !== 'batch:settled' || before.status !== 'active') continue;
        const moves = facts.flatMap((fact) => (fact.type === 'transition:taken' ? [fact.data] : []));
        const isKept = before.turn.transitions >= graph.maxTransitionsPerTurn || waitsForYes(taken);
        const earned = isKept ? null : earnedMove(document, before, signal);
        const byCalls = moves.filter(({ cause }) => cause === 'function' || cause === 'dynamic');
        expect(byCalls.length).toBeLessThanOrEqual(1);
        if (earned === null) expect(byCalls).toEqual([]);
        else if (earned.to === '$return') expect(moves[0]).toMatchObject({ cause: 'return' });
        else expect(moves[0]).toMatchObject({ function: earned.function, to: earned.to });
        if (earned !== null) won += 1;
      }
    }, tries(300));
    expect(won).toBeGreaterThan(tries(50));
  });

  test('report each transition that was offered and not taken', () => {
    holds((_, steps, document) => {
      for (const taken of steps) {
        const { before, signal, facts } = taken;
        if (signal.type !== 'batch:settled' || before.status !== 'active') continue;
        const offered = signal.calls.filter((call) => targetOf(document, call) !== null && call.state === 'done');
        const dropped = facts.filter(({ type }) => type === 'transition:dropped').length;
        const earned = waitsForYes(taken) || earnedMove(document, before, signal) === null ? 0 : 1;
        expect(dropped).toBe(offered.length - earned);
      }
    });
  });
});

/** An end is delayed only by a call of the same reply that the caller must confirm now. */
function waitsForYes({ facts, state, signal }: Taken): boolean {
  const isPutOff = facts.some((fact) => fact.type === 'transition:dropped' && fact.data.reason === 'unconfirmed');
  if (!isPutOff) return false;
  expect(signal.type === 'batch:settled' && signal.calls.some((call) => call.state === 'waiting')).toBe(true);
  expect(confirmationIn(state)).toBeDefined();
  return true;
}

/** The transition of a batch by the semantics, computed from the document alone. */
function earnedMove(
  document: ConversationFlow,
  before: SessionState,
  batch: BatchSettled,
): { to: string; function: string } | null {
  // During a takeover nothing moves.
  if (before.people.takeover !== null) return null;
  const openReplies = Object.values(before.effects)
    .filter(({ kind }) => kind === 'reply')
    .map(({ key }) => key);
  const isOwn = batch.reply !== null && openReplies.includes(batch.reply);
  const overtaken = batch.superseded === true || (batch.reply === null ? openReplies.length > 0 : !isOwn);
  const nodes = document.nodes as Record<string, object>;
  for (const call of batch.calls) {
    const to = call.state === 'done' ? targetOf(document, call) : null;
    if (to === null || call.node !== before.position.node || call.visit !== before.position.visit) continue;
    if (overtaken && call.name !== 'save') continue;
    const made = call.next?.kind === 'dynamic' && to !== 'wrong';
    const exists =
      to === '$return'
        ? before.position.stack.at(-1)?.kind === 'digression'
        : Object.hasOwn(nodes, to) || made || Object.hasOwn(before.position.dynamicNodes, to);
    if (exists) return { to, function: call.name };
  }
  return null;
}

interface WrittenFunction {
  readonly name: string;
  readonly transitionTo?: string | { readonly field: string; readonly cases: Readonly<Record<string, string>> };
}

/** Returns the target of a call according to the document or the call's handler. */
function targetOf(document: ConversationFlow, call: SettledCall): string | null {
  const nodes = document.nodes as Record<string, { functions?: WrittenFunction[] }>;
  const isMade = /^[0-9a-f]{32}$/.test(call.node);
  if (!Object.hasOwn(nodes, call.node) && !isMade) return null;
  const all = [...(nodes[call.node]?.functions ?? []), ...(document.functions ?? [])] as WrittenFunction[];
  const written = all.find(({ name }) => name === call.name);
  if (written === undefined && call.name !== 'record') return null;
  if (call.next !== undefined) return call.next.kind === 'stay' ? null : call.next.to;
  const target = written?.transitionTo;
  if (typeof target !== 'object') return target ?? null;
  const result = call.result;
  const isOk = typeof result === 'object' && result !== null && !Array.isArray(result) && Object.hasOwn(result, 'ok');
  return isOk ? (target.cases['true'] ?? null) : null;
}

describe('a caller, a model and a host that cooperate', () => {
  test('come to the end from wherever a session has got to, or the flow says why not', () => {
    let ended = 0;
    let total = 0;
    holds((graph, steps) => {
      const last = steps.at(-1)?.state;
      if (last === undefined || last.status === 'ended') return;
      const { state, wasStuck } = cooperate(graph, last);
      total += 1;
      if (state.status === 'ended') ended += 1;
      else
        expect({ node: state.position.node, wasStuck, stack: state.position.stack.length }).toMatchObject({
          wasStuck: true,
        });
    });
    expect(ended).toBeGreaterThan(total * 0.8);
  });

  test('keep the state small, however long they talk', () => {
    fc.assert(
      fc.property(flowDocument, fc.array(happening, { minLength: 150, maxLength: 150 }), (document, all) => {
        const graph = graphOf(document, registered);
        let state = newSession('s');
        const flow = { id: graph.name, hash: graph.hash };
        state = step(graph, state, {
          type: 'session:started',
          at: noon,
          sessionId: 's',
          flow,
          input: {},
          timeZone: 'UTC',
        }).state;
        for (const [index, one] of all.entries()) {
          const signal = signalOf(graph, state, one, index + 1);
          if (signal.type === 'session:ended' || signal.type === 'flow:called' || signal.type === 'tool:called')
            continue;
          state = step(graph, state, signal).state;
          state = settleAll(graph, state);
        }
        expect(Object.keys(state.effects).length).toBeLessThanOrEqual(2);
        expect(state.position.stack.length).toBeLessThanOrEqual(32);
        expect(JSON.stringify(state).length).toBeLessThan(20_000);
      }),
      { numRuns: 60 },
    );
  });
});

/** Settles every open effect that needs neither caller nor model. */
function settleAll(graph: Graph, from: SessionState): SessionState {
  let state = from;
  for (let round = 0; round < 50; round += 1) {
    const signal = Object.values(state.effects).flatMap((effect) => settleSignal(state, effect.key) ?? [])[0];
    if (signal === undefined) return state;
    state = step(graph, state, signal).state;
  }
  return state;
}

function settleSignal(state: SessionState, key: string): Signal | null {
  const effect = state.effects[key];
  if (effect === undefined) return null;
  switch (effect.kind) {
    case 'say':
      return { type: 'speech:settled', at: noon, key, state: 'done', text: 'x', heard: 'x' };
    case 'tool': {
      const { name, node, visit, callId, arguments: given } = effect.payload;
      return {
        type: 'batch:settled',
        at: noon,
        reply: null,
        text: '',
        calls: [{ key, callId, name, node, visit, arguments: given, state: 'done' }],
      };
    }
    case 'action':
    case 'context':
    case 'task':
      return { type: 'effect:settled', at: noon, key, state: 'done', result: {} };
    case 'end':
      return effect.payload.returns === null
        ? { type: 'effect:settled', at: noon, key, state: 'done' }
        : { type: 'flow:returned', at: noon };
    case 'message':
    case 'keys':
      return { type: 'effect:settled', at: noon, key, state: 'done' };
    case 'wait':
      return isWaiting(effect) ? resolution(effect) : null;
    // The outcome of the wait settles it.
    case 'transfer':
    case 'reply':
    // Only generators have these.
    case 'advance':
    case 'handoff':
      return null;
  }
}

function resolution({ key, deadline, payload: { wait, options, until } }: Waiting): Signal {
  const day = 86_400_000;
  if (wait === 'timeout')
    return { type: 'wait:expired', at: Math.max(deadline ?? 0, until === undefined ? 0 : noon + day), key };
  const [decision = 'none'] = options;
  return { type: 'wait:resolved', at: noon, key, resolution: { decision, text: 'Room four.' }, actor: null };
}

/** Continues from a state: every question is answered, and the model calls the functions that lead towards the end. */
function cooperate(graph: Graph, from: SessionState): { state: SessionState; wasStuck: boolean } {
  let state = from;
  let wasStuck = false;
  const send = (signal: Signal): void => {
    const next = step(graph, state, signal);
    wasStuck ||= next.facts.some(({ type }) => type === 'flow:stuck');
    state = next.state;
  };
  for (let round = 0; round < 120 && state.status !== 'ended'; round += 1) {
    const settle = Object.keys(state.effects).flatMap((key) => settleSignal(state, key) ?? [])[0];
    const reply = Object.values(state.effects).find(({ kind }) => kind === 'reply');
    if (state.people.takeover !== null && state.status === 'active')
      send({ type: 'takeover:ended', at: noon, actor: null });
    else if (settle !== undefined) send(settle);
    else if (reply !== undefined) send(completion(graph, state, reply.key));
    else send({ type: 'user:turn', at: noon, eventId: `co${round}`, text: 'yes', via: 'text' });
  }
  return { state, wasStuck };
}

const answers = { size: 'small', who: 'Maria Delgado', day: '2027-03-04', note: 'by the door' };

function completion(graph: Graph, state: SessionState, reply: string): Signal {
  const node = nodeOf(graph, state, state.position.node);
  const missing = node !== null && nextNeed(graph, state, node) !== null;
  const names = new Set(node === null ? [] : functionsIn(graph, node).map(({ name }) => name));
  const name = missing ? 'record' : (['onwards', 'out', 'back'].find((one) => names.has(one)) ?? 'record');
  const call: SettledCall = {
    key: `s/${state.turn.number}/${state.turn.ordinal}`,
    callId: 'c',
    name,
    node: state.position.node,
    visit: state.position.visit,
    arguments: name === 'record' ? answers : {},
    state: 'done',
  };
  return { type: 'batch:settled', at: noon, reply, text: '', calls: [call] };
}
