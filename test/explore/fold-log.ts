import { sameValue } from '../../src/flow/expression/same-value.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import { newSession, type SessionState } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import type { LoggedSignal } from '../../src/model/ports/store.ts';
import { withoutTables } from '../kernel/session.ts';
import type { Watch } from './watch.ts';

/** Folds a log to its state, with flows without words and spoken forms. Checks that no key is used twice. */
export function foldLog(
  watch: Watch,
  graphs: ReadonlyMap<string, Graph>,
  first: Graph,
  log: readonly LoggedSignal[],
  onStep: (state: SessionState, signal: Signal) => void = () => undefined,
): SessionState {
  let graph = withoutTables(first);
  let state = newSession('s');
  const intended = new Map<string, string>();
  const claim = (key: string, owner: string): void => {
    if ((intended.get(key) ?? owner) !== owner)
      watch.broken('keys are unique', `${key}: ${intended.get(key)}, ${owner}`);
    intended.set(key, owner);
  };
  for (const [index, { seq, signal }] of log.entries()) {
    if (seq !== index + 1) watch.broken('the log has no gap', `${seq} at ${index + 1}`);
    if (signal.type === 'flow:swapped') graph = withoutTables(graphs.get(signal.flow.hash) ?? graph);
    onStep(state, signal);
    const next = step(graph, state, signal);
    const before = state;
    state = next.state;
    if (signal.type === 'session:resumed') continue;
    for (const effect of next.effects) {
      // The next deadline of an open wait reuses the wait's key.
      if (effect.kind === 'wait' && Object.hasOwn(before.effects, effect.key)) continue;
      claim(effect.key, effect.kind === 'tool' ? effect.payload.callId : `${effect.kind} of signal ${seq}`);
    }
    // The late result of a write that was reported as running has a second id besides the call's.
    if (signal.type === 'batch:settled')
      for (const { key, callId } of signal.calls) claim(key, callId.replace(/_end$/, ''));
  }
  return state;
}

/** Lists the members in which two states differ. */
export function differences(one: unknown, other: unknown): string {
  const left = (one ?? {}) as Record<string, unknown>;
  const right = (other ?? {}) as Record<string, unknown>;
  return Object.keys({ ...left, ...right })
    .filter((name) => !sameValue(left[name], right[name]))
    .map((name) => `${name}: ${JSON.stringify(left[name])} <> ${JSON.stringify(right[name])}`)
    .join('; ');
}
