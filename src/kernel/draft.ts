import type { Confirmation, ConfirmWait, Effect, EffectKey, SayReason, Waiting } from '../events/effect.ts';
import type { FlowFact } from '../events/event.ts';
import type { SpokenValue } from '../events/signal-of.ts';
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
  /** When it happens, in epoch milliseconds. */
  readonly at: number;
  /** How values are said: as the signal tells, and what this step has asked the language for besides. */
  readonly spoken: SpokenValue[];
  readonly state: Writable<SessionState>;
  readonly effects: Effect[];
  readonly facts: FlowFact[];
  /** The outputs when the step began. */
  readonly outputsBefore: SessionState['outputs'];
  /** Slots for which the caller said a value in this step that could not be taken, each with the problem. */
  readonly untaken: Map<string, string>;
  /** Slots whose value was said again in this step as it is known. */
  readonly restated: Set<string>;
}

export function createDraft(
  graph: Graph,
  state: SessionState,
  { civil, at }: Pick<Draft, 'civil' | 'at'>,
  spoken: readonly SpokenValue[] = [],
): Draft {
  const news = { effects: [], facts: [], untaken: new Map<string, string>(), restated: new Set<string>() };
  return { graph, civil, at, spoken: [...spoken], outputsBefore: state.outputs, state: { ...state }, ...news };
}

/**
 * A step to try out: what it changes and intends is lost with it. How it says values is kept, because a replay tries the same
 * and must not ask the language.
 */
export function trialOf(draft: Draft): Draft {
  return {
    ...draft,
    state: { ...draft.state },
    effects: [...draft.effects],
    facts: [...draft.facts],
    untaken: new Map(draft.untaken),
    restated: new Set(draft.restated),
  };
}

/** Reports what happened. */
export function tell(draft: Draft, fact: FlowFact): void {
  draft.facts.push(fact);
}

type EffectContent = Effect extends infer One ? (One extends Effect ? Pick<One, 'kind' | 'payload'> : never) : never;

/** Intends an effect under the next key of this turn. */
export function intend(
  draft: Draft,
  content: EffectContent,
  more: Partial<Pick<Effect, 'node' | 'visit' | 'deadline' | 'state'>> = {},
): EffectKey {
  const { state } = draft;
  const key = `${keyStart(state)}${state.ordinal}`;
  state.ordinal += 1;
  const { kind, payload } = content;
  if ((kind === 'wait' && 'subject' in payload) || (kind === 'say' && asking.has(payload.reason)))
    state.modelAsked = false;
  if (kind === 'say' && putting.has(payload.reason)) notePut(draft, key, payload.text);
  if (kind === 'say') addSaid(draft, payload.text);
  else if (kind === 'wait' && 'subject' in payload) sayQuestion(draft, key, payload);
  // While a person talks to the caller the agent says nothing of its own; a question that nobody hears is not open.
  const isSilent = state.takeover !== null && isSpoken(content);
  if (isSilent && kind !== 'wait') return key;
  if (kind === 'wait' && isSilent) more = { ...more, state: 'failed' };
  // Kind and payload come from one member of the union, which taking them apart forgets.
  keep(draft, { key, kind, state: 'intended', node: state.node, visit: state.visit, payload, ...more } as Effect);
  return key;
}

function isSpoken({ kind, payload }: EffectContent): boolean {
  if (kind === 'wait') return 'subject' in payload;
  return kind === 'reply' || (kind === 'say' && payload.reason !== 'operator');
}

/** Lines of the flow's own that the caller is to answer. */
const asking: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap']);

/** Lines that put a question, again or for the first time. */
const putting: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap', 'repeat']);

function sayQuestion(draft: Draft, key: EffectKey, { put, say }: ConfirmWait): void {
  notePut(draft, key, put ?? say);
  addSaid(draft, put ?? say);
}

/** Remembers which line put the open question last. Until its speech settles, what was heard of it is not known. */
export function notePut(draft: Draft, key: EffectKey, text: string): void {
  const { put } = draft.state;
  const isRepeated = put?.afterSilence === true && put.text === text;
  draft.state.put = { key, text, heard: 'unknown', isOver: false, ...(isRepeated ? { afterSilence: true } : {}) };
}

/** The line that was put last was put because of a silence. */
export function noteSilence({ state }: Draft): void {
  if (state.put !== null) state.put = { ...state.put, afterSilence: true };
}

/** The most of an agent's words that are remembered, in characters: the end of them. */
const mostSaid = 2_000;

/** Remembers what the agent says in this turn, so that it can be said again. */
export function addSaid(draft: Draft, text: string): void {
  const { state } = draft;
  if (text.trim() !== '') state.said = { text: `${state.said.text} ${text}`.trim().slice(-mostSaid) };
}

/** The last words of the agent, of this turn or of the turn before. */
export function lastSaid({ said, saidBefore }: Pick<SessionState, 'said' | 'saidBefore'>): string {
  return said.text === '' ? saidBefore.text : said.text;
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

/** Whether an effect is a question that the caller is to answer by yes or no. */
export function isConfirmation(effect: Effect): effect is Confirmation {
  return effect.kind === 'wait' && 'subject' in effect.payload;
}

/** The yes or no that the caller is being asked for; one at a time. */
export function confirmationIn({ effects }: Pick<SessionState, 'effects'>): Confirmation | undefined {
  return Object.values(effects).find(isConfirmation);
}

/** What the session waits for that does not come through its call, in order of opening. */
export function waitingIn({ effects }: Pick<SessionState, 'effects'>): readonly Waiting[] {
  return Object.values(effects).filter(isWaiting);
}

/** What a node waits for; undefined where it does not. */
export function waitOf(state: Pick<SessionState, 'effects'>, node: string): Waiting | undefined {
  return waitingIn(state).find((wait) => wait.node === node);
}

/** Whether an effect waits for somebody or something outside of the call. */
export function isWaiting(effect: Effect): effect is Waiting {
  return effect.kind === 'wait' && 'factsHash' in effect.payload;
}

/** Whether nobody has heard the question of a wait: nothing of it was heard, or a hook has said something else. */
export function isUnheard({ state }: Effect): boolean {
  return state === 'failed' || state === 'cancelled';
}

/** How the keys of a turn begin: `session/turn/`, or `session/~incarnation/turn/` once the store has deleted sessions. */
export function keyStart(
  { sessionId, incarnation, turn }: Pick<SessionState, 'sessionId' | 'incarnation' | 'turn'>,
  of = turn,
): string {
  return incarnation === 0 ? `${sessionId}/${of}/` : `${sessionId}/~${incarnation}/${of}/`;
}

/** The turn of an effect of the session. */
export function turnOf(key: EffectKey, state: Pick<SessionState, 'sessionId' | 'incarnation' | 'turn'>): number {
  return Number.parseInt(key.slice(keyStart(state).length - `${state.turn}/`.length), 10);
}

/** Moves the turn's ordinal past a key that the host minted for a call of this turn. */
export function passKey(draft: Draft, key: EffectKey): void {
  const { state } = draft;
  const start = keyStart(state);
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
  if (state.taskQuestion?.answer != null) state.taskQuestion = null;
  state.ordinal = 0;
  state.transitions = 0;
  state.replies = 0;
}
