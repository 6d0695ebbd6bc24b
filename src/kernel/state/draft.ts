import type { Confirmation, ConfirmWait, Effect, EffectKey, SayReason, Waiting } from '../../model/effect.ts';
import type { FlowFact } from '../../model/events/event.ts';
import type { SpokenValue } from '../../model/signals/signal-of.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { copyState, type DraftState } from './copy-state.ts';
import type { SessionState } from './state.ts';

/**
 * A step in progress. The state and its groups are shallow copies whose members are replaced, never mutated, so the
 * previous state stays intact.
 */
export interface Draft {
  readonly graph: Graph;
  /** Local time in the session's time zone, `YYYY-MM-DDTHH:mm`. */
  readonly civil: string;
  /** Time of the step in epoch milliseconds. */
  readonly at: number;
  /** Spoken forms of values: those of the signal, and those that this step requested from the language. */
  readonly spoken: SpokenValue[];
  readonly state: DraftState;
  readonly effects: Effect[];
  readonly facts: FlowFact[];
  /** The outputs at the beginning of the step. */
  readonly outputsBefore: SessionState['knowledge']['outputs'];
  /** Slots for which the caller gave a rejected value in this step, with the problem. */
  readonly untaken: Map<string, string>;
  /** Slots whose known value was repeated in this step. */
  readonly restated: Set<string>;
}

export function createDraft(
  graph: Graph,
  state: SessionState,
  { civil, at }: Pick<Draft, 'civil' | 'at'>,
  spoken: readonly SpokenValue[] = [],
): Draft {
  return {
    graph,
    civil,
    at,
    spoken: [...spoken],
    state: copyState(state),
    effects: [],
    facts: [],
    outputsBefore: state.knowledge.outputs,
    untaken: new Map(),
    restated: new Set(),
  };
}

/**
 * Copies a draft for a trial, whose changes and effects are discarded. Spoken forms are shared: a replay makes the same
 * trial and must not ask the language.
 */
export function trialOf(draft: Draft): Draft {
  return {
    ...draft,
    state: copyState(draft.state),
    effects: [...draft.effects],
    facts: [...draft.facts],
    untaken: new Map(draft.untaken),
    restated: new Set(draft.restated),
  };
}

/** Reports what happened. */
export function emit(draft: Draft, fact: FlowFact): void {
  draft.facts.push(fact);
}

type EffectContent = Effect extends infer One ? (One extends Effect ? Pick<One, 'kind' | 'payload'> : never) : never;

/** Adds an effect under the next key of this turn. */
export function intend(
  draft: Draft,
  content: EffectContent,
  more: Partial<Pick<Effect, 'node' | 'visit' | 'deadline' | 'state'>> = {},
): EffectKey {
  const { state } = draft;
  const key = `${keyStart(state)}${state.turn.ordinal}`;
  state.turn.ordinal += 1;
  const { kind, payload } = content;
  if ((kind === 'wait' && 'subject' in payload) || (kind === 'say' && asking.has(payload.reason)))
    state.dialogue.modelAsked = false;
  if (kind === 'say' && putting.has(payload.reason)) notePut(draft, key, payload.text, questionIn(state));
  if (kind === 'say') addSaid(draft, payload.text);
  else if (kind === 'wait' && 'subject' in payload) sayQuestion(draft, key, payload);
  // During a takeover the agent does not speak. A question that is not heard is not open.
  const isSilent = state.people.takeover !== null && isSpoken(content);
  if (isSilent) noteUnheard(draft, key);
  if (isSilent && kind !== 'wait') return key;
  if (isSilent) more = { ...more, state: 'started' };
  // Kind and payload come from the same union member; destructuring loses that.
  keep(draft, {
    key,
    kind,
    state: 'intended',
    node: state.position.node,
    visit: state.position.visit,
    payload,
    ...more,
  } as Effect);
  return key;
}

function isSpoken({ kind, payload }: EffectContent): boolean {
  if (kind === 'wait') return 'subject' in payload;
  return kind === 'reply' || (kind === 'say' && payload.reason !== 'operator');
}

/** Reasons of the flow's own lines that expect an answer. */
const asking: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap']);

/** Reasons of lines that ask a question, for the first time or again. */
const putting: ReadonlySet<SayReason> = new Set(['node', 'ask', 'recap', 'repeat']);

function sayQuestion(draft: Draft, key: EffectKey, { put, say }: ConfirmWait): void {
  notePut(draft, key, put ?? say, key);
  addSaid(draft, put ?? say);
}

/** Records the latest line with the open question. How much of it is heard is unknown until its speech settles. */
export function notePut(draft: Draft, key: EffectKey, text: string, question: string | null): void {
  const { put } = draft.state.dialogue;
  const isRepeated = put?.afterSilence === true && put.text === text;
  const isSame = question !== null && put?.question === question;
  const wasHeard = isSame && (put.wasHeard === true || put.heard === 'heard' || put.heard === 'partly');
  draft.state.dialogue.put = {
    ...{ key, text, heard: 'unknown', isOver: false },
    ...(question === null ? {} : { question }),
    ...(isRepeated ? { afterSilence: true } : {}),
    ...(wasHeard ? { wasHeard } : {}),
  };
}

/** Records that the line with the open question was not spoken. Speech that replaces it has its key. */
export function noteUnheard({ state }: Draft, key: EffectKey): void {
  const { put } = state.dialogue;
  if (put?.key !== key) return;
  const { wasHeard: _before, ...line } = put;
  state.dialogue.put = { ...line, key: '', heard: 'unheard', isOver: false };
}

/** Checks whether no part of a question was heard: it was cut off, replaced by a hook, or asked during a takeover. */
export function isUnheard({ dialogue: { put } }: Pick<SessionState, 'dialogue'>, question: string): boolean {
  return put?.question === question && put.heard === 'unheard' && put.wasHeard !== true;
}

/** Returns the id of the question that a line of the flow asks; null if there is none. */
function questionIn(state: Pick<SessionState, 'position' | 'dialogue' | 'effects'>): string | null {
  return confirmationIn(state)?.key ?? generatorQuestionId(state) ?? state.dialogue.asked;
}

/** Returns the id of a generator's open question; null if there is none. */
export function generatorQuestionId({ position: { generator } }: Pick<SessionState, 'position'>): string | null {
  return generator?.lastYield?.type === 'ask' ? `${generator.run}/ask:${generator.step}` : null;
}

/** Marks the latest question as repeated because of silence. */
export function noteSilence({ state }: Draft): void {
  if (state.dialogue.put !== null) state.dialogue.put = { ...state.dialogue.put, afterSilence: true };
}

/** Limit for the agent's remembered words, in characters from the end. */
const mostSaid = 2_000;

/** Records what the agent says in this turn, so it can be repeated. */
export function addSaid(draft: Draft, text: string): void {
  const { state } = draft;
  if (text.trim() !== '') state.dialogue.said = { text: `${state.dialogue.said.text} ${text}`.trim().slice(-mostSaid) };
}

/** Returns the agent's last words, of this turn or the previous one. */
export function lastSaid({ dialogue: { said, saidBefore } }: Pick<SessionState, 'dialogue'>): string {
  return said.text === '' ? saidBefore.text : said.text;
}

/** Adds an effect to the state and to the effects of this step. */
export function keep(draft: Draft, effect: Effect): void {
  draft.state.effects = { ...draft.state.effects, [effect.key]: effect };
  draft.effects.push(effect);
}

/** Changes an open effect without a request to the host. */
export function changeEffect(draft: Draft, effect: Effect): void {
  draft.state.effects = { ...draft.state.effects, [effect.key]: effect };
}

/** Removes a settled effect from the state, and from this step if it was added in the same step. */
export function settle(draft: Draft, effect: Effect, outcome: Effect['state']): void {
  const { [effect.key]: _settled, ...rest } = draft.state.effects;
  draft.state.effects = rest;
  const asked = draft.effects.indexOf(effect);
  if (asked >= 0) draft.effects.splice(asked, 1);
  emit(draft, { type: 'effect:settled', data: { key: effect.key, kind: effect.kind, state: outcome } });
}

/** Returns the open effect of a key. */
export function openEffect(state: SessionState, key: EffectKey): Effect | undefined {
  return Object.hasOwn(state.effects, key) ? state.effects[key] : undefined;
}

/** Returns the first open effect of a kind. */
export function openOfKind<Kind extends Effect['kind']>(
  state: SessionState,
  kind: Kind,
): Extract<Effect, { kind: Kind }> | undefined {
  for (const effect of Object.values(state.effects))
    if (effect.kind === kind) return effect as Extract<Effect, { kind: Kind }>; // The kind was checked.
  return undefined;
}

/** Checks whether an effect is a yes-no question to the caller. */
export function isConfirmation(effect: Effect): effect is Confirmation {
  return effect.kind === 'wait' && 'subject' in effect.payload;
}

/** Returns the open yes-no question to the caller. There is at most one. */
export function confirmationIn({ effects }: Pick<SessionState, 'effects'>): Confirmation | undefined {
  return Object.values(effects).find(isConfirmation);
}

/** Returns the waits for something outside the call, in order of opening. */
export function waitingIn({ effects }: Pick<SessionState, 'effects'>): readonly Waiting[] {
  return Object.values(effects).filter(isWaiting);
}

/** Returns the wait of a node, if any. */
export function waitOf(state: Pick<SessionState, 'effects'>, node: string): Waiting | undefined {
  return waitingIn(state).find((wait) => wait.node === node);
}

/** Checks whether an effect waits for something outside the call. */
export function isWaiting(effect: Effect): effect is Waiting {
  return effect.kind === 'wait' && 'factsHash' in effect.payload;
}

/**
 * Returns the key prefix of a turn: `session/turn/`, or `session/~incarnation/turn/` once the store has deleted
 * sessions.
 */
export function keyStart(
  { sessionId, turn: { incarnation, number: turn } }: Pick<SessionState, 'sessionId' | 'turn'>,
  of = turn,
): string {
  return incarnation === 0 ? `${sessionId}/${of}/` : `${sessionId}/~${incarnation}/${of}/`;
}

/** Returns the turn of an effect key. */
export function turnOf(key: EffectKey, state: Pick<SessionState, 'sessionId' | 'turn'>): number {
  return Number.parseInt(key.slice(keyStart(state).length - `${state.turn.number}/`.length), 10);
}

/** Advances the turn's ordinal past a key that the host created for a call. */
export function passKey(draft: Draft, key: EffectKey): void {
  const { state } = draft;
  const start = keyStart(state);
  if (!key.startsWith(start)) return;
  const ordinal = Number(key.slice(start.length));
  if (Number.isSafeInteger(ordinal) && ordinal >= state.turn.ordinal) state.turn.ordinal = ordinal + 1;
}

/** Begins a new turn and resets the keys and limits of the previous one. */
export function beginTurn(draft: Draft): void {
  const { state } = draft;
  state.turn.number += 1;
  if (state.dialogue.said.text !== '') state.dialogue.saidBefore = state.dialogue.said;
  state.dialogue.said = { text: '' };
  state.dialogue.patience = false;
  if (state.dialogue.taskQuestion?.answer != null) state.dialogue.taskQuestion = null;
  state.turn.ordinal = 0;
  state.turn.transitions = 0;
  state.turn.replies = 0;
}

/** Checks whether the flow has entered its first node. A hook may have stopped the run before that. */
export function hasBegun({ position: { visit } }: SessionState): boolean {
  return visit > 0;
}
