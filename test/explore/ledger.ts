import type { Effect, EffectKey, ToolPayload } from '../../src/model/effect.ts';
import type { Event } from '../../src/model/events/event.ts';
import { sameValue } from '../../src/flow/expression/same-value.ts';
import { canonical } from '../../src/flow/graph/hash.ts';
import { functionIn, nodeOf } from '../../src/kernel/move/offers.ts';
import type { LoggedSignal } from '../../src/model/ports/store.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Watch } from './watch.ts';
import { isConfirmation } from '../../src/kernel/state/draft.ts';

/** Records which functions run and what allowed them to run. */
export interface Ledger {
  /** Records a model's call. It may reach a function only if `mayRun` is true. */
  made(call: { readonly callId?: string; readonly name: string; readonly rawArguments: string }, mayRun: boolean): void;
  /** Called before the caller's words are taken. `yes`: whether they are a plain yes. */
  turn(eventId: string, yes: boolean): void;
  hear(event: Event): void;
  /** Records a commit. */
  kept(effects: readonly Effect[]): void;
  /** Called when a function starts. Returns the callback for its end. */
  begin(key: EffectKey, call: ToolPayload, attempt: number): (succeeded: boolean) => void;
  /** Checks that the log contains every completed write. */
  keeps(log: readonly LoggedSignal[]): void;
  readonly isRunning: boolean;
  /** Checks that no function runs after the walk. */
  settled(): void;
}

/** Identifies a call by its content, because a session's call ids are unknown to the model. */
function wordsOf(name: string, given: unknown): string {
  return `${name} ${canonical(given)}`;
}

/** Parses arguments. An empty text is an empty object. */
function parsed(rawArguments: string): unknown {
  try {
    return (JSON.parse(rawArguments === '' ? '{}' : rawArguments) as unknown) ?? {};
  } catch {
    return rawArguments;
  }
}

/** Whether two calls have the same effect. */
function isEqual(one: ToolPayload, other: ToolPayload): boolean {
  return one.name === other.name && sameValue(one.arguments, other.arguments);
}

export function createLedger(watch: Watch, flow: () => Pick<Engine, 'graph' | 'state'>): Ledger {
  const mayRun = new Map<string, boolean>();
  const keyOf = new Map<string, EffectKey>();
  const callOf = new Map<EffectKey, string>();
  const durable = new Set<EffectKey>();
  const running = new Map<EffectKey, ToolPayload>();
  const succeeded = new Set<EffectKey>();
  const wrote = new Set<EffectKey>();
  const saidYes = new Map<string, boolean>();
  /** The call that each open question is about. */
  const asked = new Map<EffectKey, string>();
  const agreed = new Set<string>();
  let lastTurn = '';
  /** The turn whose meaning the model has reported. */
  let meant: string | null = null;

  return {
    made({ callId, name, rawArguments }, may) {
      const id = callId ?? wordsOf(name, parsed(rawArguments));
      mayRun.set(id, may || mayRun.get(id) === true);
    },
    turn: (eventId, yes) => void (saidYes.has(eventId) || saidYes.set(eventId, yes)),
    kept(effects) {
      for (const { kind, key } of effects) if (kind === 'tool') durable.add(key);
    },
    hear(event) {
      if (event.type === 'turn:started') lastTurn = event.data.eventId;
      // The model's report of the caller's meaning counts as the caller's word.
      const { type, data } = event;
      if (type === 'tool:settled' && data.function === 'answer' && data.state === 'done') meant = lastTurn;
      if (event.type === 'wait:opened') {
        const wait = flow().state.effects[event.data.key];
        if (wait !== undefined && isConfirmation(wait) && wait.payload.subject.kind === 'call')
          asked.set(event.data.key, wait.payload.subject.call.callId);
      }
      if (event.type !== 'wait:answered' || event.data.answer !== 'yes') return;
      if (saidYes.get(lastTurn) !== true && meant !== lastTurn) watch.broken('only a plain yes is a yes', lastTurn);
      const callId = asked.get(event.data.key);
      if (callId !== undefined) agreed.add(callId);
    },
    begin(key, call, attempt) {
      const { graph, state } = flow();
      const { callId, name, node, visit, write, confirmed } = call;
      const place = `${name} (${callId}) of ${node}, visit ${visit}, key ${key}, attempt ${attempt}`;
      watch.note(`runs: ${place}`, 0);
      const from = nodeOf(graph, state, node);
      const offered = from === null ? null : functionIn(graph, from, name);
      const beside = [...running].find(([other, one]) => other !== key && isEqual(one, call));
      if (write && beside !== undefined) watch.broken('no write runs beside its equal', `${place}; ${beside[0]}`);
      // Once its intent is durable, a write runs whatever else happens.
      if (write && attempt === 1 && !durable.has(key))
        watch.broken('no write runs before its intent is durable', place);
      if (offered === null && !write) watch.broken('no function runs that its node does not offer', place);
      // A node's own call does not come from the model. Its arguments are validated before it runs.
      const isByNode = callId.startsWith('node_') && from?.call?.function === name;
      const mayBegin = mayRun.get(callId) ?? mayRun.get(wordsOf(name, call.arguments));
      if (!isByNode && mayBegin !== true && (offered !== null || write))
        watch.broken('no function runs that was not offered, or with wrong arguments', place);
      if (offered !== null && offered.confirm !== null && !agreed.has(callId))
        watch.broken('nothing to be confirmed runs without a yes', place);
      if (attempt === 1 && !write && !confirmed && (state.position.visit !== visit || state.position.node !== node))
        watch.broken(
          'no function runs whose step is over',
          `${place}; the flow is in ${state.position.node}, visit ${state.position.visit}`,
        );
      if ((keyOf.get(callId) ?? key) !== key) watch.broken('one call has one key', place);
      if ((callOf.get(key) ?? callId) !== callId) watch.broken('keys are unique', place);
      if (running.has(key) && attempt === 1) watch.broken('no key runs twice at a time', place);
      if (write && succeeded.has(key)) watch.broken('no write runs twice', place);
      keyOf.set(callId, key);
      callOf.set(key, callId);
      running.set(key, call);
      return (hasSucceeded) => {
        running.delete(key);
        if (hasSucceeded) succeeded.add(key);
        if (hasSucceeded && write) wrote.add(key);
      };
    },
    keeps(log) {
      const done = new Set<EffectKey>();
      for (const { signal } of log)
        if (signal.type === 'batch:settled')
          for (const { key, state } of signal.calls) if (state === 'done') done.add(key);
      // A write that outlives the final wait stays intended, and is not reported as failed.
      const isIntended = (key: EffectKey): boolean => flow().state.effects[key]?.state === 'intended';
      for (const key of wrote) if (!done.has(key) && !isIntended(key)) watch.broken('what was done is kept', key);
    },
    get isRunning() {
      return running.size > 0;
    },
    settled() {
      if (running.size > 0) watch.broken('no function is left running', [...running.keys()].join(', '));
    },
  };
}
