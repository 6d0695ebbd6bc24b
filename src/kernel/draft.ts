import type { Effect, EffectKey, SayReason } from '../events/effect.ts';
import type { FlowFact } from '../events/event.ts';
import type { SpokenValue } from '../events/signal.ts';
import type { Graph } from '../graph/graph.ts';
import type { SessionState } from './state.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * One step in the making. The state is a shallow copy: its members are replaced, never changed in place, so that the
 * state before the step stays as it was.
 */
export interface Draft {
  readonly graph: Graph;
  /** The wall clock where the session is, `YYYY-MM-DDTHH:mm`. */
  readonly civil: string;
  /** How values are said: as the signal tells, and what this step has asked the language for besides. */
  readonly spoken: SpokenValue[];
  readonly state: Writable<SessionState>;
  readonly effects: Effect[];
  readonly facts: FlowFact[];
}

export function createDraft(
  graph: Graph,
  state: SessionState,
  civil: string,
  spoken: readonly SpokenValue[] = [],
): Draft {
  return { graph, civil, spoken: [...spoken], state: { ...state }, effects: [], facts: [] };
}

/** Reports what happened. */
export function tell(draft: Draft, fact: FlowFact): void {
  draft.facts.push(fact);
}

type EffectContent = Effect extends infer One ? (One extends Effect ? Pick<One, 'kind' | 'payload'> : never) : never;

/** Intends an effect under the next key of this turn. */
export function intend(draft: Draft, content: EffectContent): EffectKey {
  const { state } = draft;
  const key = effectKey(state.sessionId, state.turn, state.ordinal);
  state.ordinal += 1;
  const { kind, payload } = content;
  if (kind === 'wait' || (kind === 'say' && asking.has(payload.reason))) state.modelAsked = false;
  if (kind === 'say') addSaid(draft, payload.text);
  else if (kind === 'wait') addSaid(draft, payload.put ?? payload.say);
  // Kind and payload come from one member of the union, which taking them apart forgets.
  keep(draft, { key, kind, state: 'intended', node: state.node, visit: state.visit, payload } as Effect);
  return key;
}

/** Lines of the flow's own that the caller is to answer. */
const asking: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap']);

/** The most of an agent's words that are remembered, in characters: the end of them. */
const mostSaid = 2_000;

/** Remembers what the agent says in this turn, so that it can be said again. */
export function addSaid(draft: Draft, text: string): void {
  const { state } = draft;
  if (text.trim() !== '') state.said = { text: `${state.said.text} ${text}`.trim().slice(-mostSaid) };
}

/** Makes an effect part of the state, and of what this step asks the host for. */
export function keep(draft: Draft, effect: Effect): void {
  draft.state.effects = { ...draft.state.effects, [effect.key]: effect };
  draft.effects.push(effect);
}

/** Marks how far an open effect has come; the host is asked for nothing. */
export function changeEffect(draft: Draft, effect: Effect): void {
  draft.state.effects = { ...draft.state.effects, [effect.key]: effect };
}

/** Takes a settled effect out of the state; what was asked for in this very step is not asked for any more. */
export function settle(draft: Draft, effect: Effect, outcome: Effect['state']): void {
  const { [effect.key]: _settled, ...rest } = draft.state.effects;
  draft.state.effects = rest;
  const asked = draft.effects.indexOf(effect);
  if (asked >= 0) draft.effects.splice(asked, 1);
  tell(draft, { type: 'effect:settled', data: { key: effect.key, kind: effect.kind, state: outcome } });
}

/** The effect that is open under a key. */
export function openEffect(state: SessionState, key: EffectKey): Effect | undefined {
  return Object.hasOwn(state.effects, key) ? state.effects[key] : undefined;
}

/** The first open effect of a kind, in order of intending. */
export function openOfKind<Kind extends Effect['kind']>(
  state: SessionState,
  kind: Kind,
): Extract<Effect, { kind: Kind }> | undefined {
  for (const effect of Object.values(state.effects))
    if (effect.kind === kind) return effect as Extract<Effect, { kind: Kind }>; // Its kind was compared.
  return undefined;
}

/** Whether nobody has heard the question of a wait: nothing of it was heard, or a hook has said something else. */
export function isUnheard({ state }: Effect): boolean {
  return state === 'failed' || state === 'cancelled';
}

/** `session/turn/ordinal`. */
function effectKey(sessionId: string, turn: number, ordinal: number): EffectKey {
  return `${sessionId}/${turn}/${ordinal}`;
}

/** Moves the turn's ordinal past a key that the host minted for a call of this turn. */
export function passKey(draft: Draft, key: EffectKey): void {
  const { state } = draft;
  const start = `${state.sessionId}/${state.turn}/`;
  if (!key.startsWith(start)) return;
  const ordinal = Number(key.slice(start.length));
  if (Number.isSafeInteger(ordinal) && ordinal >= state.ordinal) state.ordinal = ordinal + 1;
}

/** Begins a new turn: the keys and bounds of the one before are over. */
export function beginTurn(draft: Draft): void {
  const { state } = draft;
  state.turn += 1;
  if (state.said.text !== '') state.saidBefore = state.said;
  state.said = { text: '' };
  state.patience = false;
  state.ordinal = 0;
  state.transitions = 0;
  state.replies = 0;
}
