import type { Utterance } from '../model/dialogue.ts';
import type { ActorRef, EntryCorrelation, InboxEntry } from '../model/inbox.ts';
import { keyPart } from '../model/key-part.ts';
import type { HeardLine, TurnPolicy, TurnVia, UserTurn } from '../model/signals/signal.ts';
import { classic } from '../flow/document/classic.ts';
import { isScreening, mayBeMachine } from '../kernel/callee/callee.ts';
import { reopens } from '../kernel/question/last-line.ts';
import { lastSaid, openOfKind } from '../kernel/state/draft.ts';
import { openTaskQuestion } from '../kernel/wait/task-question.ts';
import type { Calls } from './calls/calls.ts';
import { type FlowChanges, type RoutedChoice, routeOf, type TurnCommit, unknownFlow } from './flow-changes.ts';
import type { HandoffEffect } from './generators/generators.ts';
import { cutText } from './limits.ts';
import type { TurnChoice, TurnToDecide } from './policy/policy.ts';
import type { Session } from './session.ts';
import type { SessionLanguage } from './session/session-language.ts';
import { readChoice } from './words/read-choice.ts';
import { readOnce } from './words/read-once.ts';

/** Words of the caller: spoken, typed or pressed. */
export interface Inbound {
  readonly eventId: string;
  readonly text: string;
  readonly via: TurnVia;
  /** The actor who posted the words on the caller's behalf. */
  readonly actor?: ActorRef;
  /** Further ids that the turn belongs to, besides the session. */
  readonly correlation?: EntryCorrelation;
  /** The reading of pressed keys, whose digits may not be in the text. */
  readonly utterance?: Utterance;
  /** The agent's lines that were still playing when the caller began. */
  readonly heard?: readonly HeardLine[];
}

/** The inbox entry that brought the words. */
export interface OfEntry {
  /** Consumed together with the words. */
  readonly key: string;
  /** The call to make if the caller is cut off before they hear the answer; null for no call. */
  readonly call: InboxEntry | null;
}

/** Takes a caller's turn. `entry` is the inbox entry that the turn consumes. */
export type Receive = (inbound: Inbound, entry?: OfEntry) => Promise<'taken' | 'duplicate' | 'over'>;

/** The parts of a session that a caller's turn passes. */
export interface InboundParts {
  readonly calls: Calls;
  readonly flows: FlowChanges;
  readonly language: SessionLanguage;
  handOff(effect: HandoffEffect): Promise<void>;
}

/**
 * Creates the function that takes a caller's turn: claims it once, asks commands, tasks and
 * policy, reads the words, and folds them after running work has settled.
 */
export function createInbound(session: Session, parts: InboundParts): Receive {
  const { options, outbox, tracer } = session;
  const { clock, ids, policy, questions } = options;
  const { calls, flows, language } = parts;
  const taken = new Set<string>();
  /** The number of turns being taken. */
  let receiving = 0;

  /** Claims a turn by its key, so that it is taken once. */
  const claim = async (key: string): ReturnType<Receive> => {
    if (taken.has(key)) return 'duplicate';
    // An ended session is answered without the store.
    if (session.state.status === 'ended') return 'over';
    taken.add(key);
    if (await options.store.inbox.isConsumed(key)) return 'duplicate';
    // Words spoken over the last line of a flow go to the flow after it.
    if (openOfKind(session.state, 'end')?.payload.returns != null) await flows.leave(true);
    return session.state.status !== 'active' && !reopens(session.graph, session.state) ? 'over' : 'taken';
  };
  /** Cancels questions that the caller spoke over before they were said. They are asked again if they still matter. */
  const forgetUnsaid = (): void => {
    const unsaid = outbox.drop(
      (effect) => effect.kind === 'wait' || (effect.kind === 'say' && effect.payload.reason !== 'node'),
    );
    for (const { key } of unsaid) {
      const settled = {
        type: 'speech:settled',
        at: clock.now(),
        key,
        state: 'cancelled',
        text: '',
        heard: '',
      } as const;
      session.dispatch({ signal: settled });
    }
  };
  /** Waits for running work. A pending handoff runs before the caller's next words, which are for the flow it leads to. */
  const settleWork = async (): Promise<void> => {
    const overtaking = calls.overtake();
    if (overtaking !== null) await overtaking;
    if (outbox.isEmpty()) return;
    const routed = outbox.drop((effect) => effect.kind === 'handoff' && effect.payload.routed === true);
    for (const effect of routed) if (effect.kind === 'handoff') await parts.handOff(effect);
    forgetUnsaid();
  };
  const takeClaimed = async (inbound: Inbound, beside: TurnCommit): Promise<void> => {
    const isAsked = questions?.isOpen() === true;
    const advancing = openOfKind(session.state, 'advance');
    const turn = (): TurnToDecide => turnOf(session, inbound);
    // Commands come before answers and before running work. Both stay open unless the command leads elsewhere.
    const command = isAsked || advancing !== undefined ? ((await policy?.command(turn())) ?? null) : null;
    const isAnswer = command === null && isAsked && (await questions.isAnswered());
    const decided = isAnswer ? ((await policy?.answer(turn())) ?? null) : command;
    if (decided?.to === 'nobody' && decided.stopsFlow !== true && decided.policy.action !== 'end')
      return fold(session, { ...userTurn(session, inbound), policy: decided.policy, taskAsks: true }, beside);
    if (isAnswer && decided === null) return answerTask(session, inbound, beside);
    // A call that asks would block here. A task's node is left first, so that it does not fail without an answer.
    if (decided !== null && openOfKind(session.state, 'task') === undefined) questions?.takeBack();
    if (decided !== null && advancing !== undefined) calls.letGo(advancing.key);
    await settleWork();
    if (inbound.via === 'speech') language.beforeTurn(inbound.text);
    await take(session, flows, inbound, beside, decided);
  };

  return async (given, entry) => {
    receiving += 1;
    session.isReceiving = true;
    try {
      const inbound = { ...given, text: cutText(given.text, session.limits.callerCharacters) };
      const key = entry?.key ?? `${session.sessionId}/${keyPart(inbound.eventId)}`;
      const claimed = await claim(key);
      if (claimed !== 'taken') return claimed;
      tracer.await('arrived', clock.now());
      policy?.closeTurn();
      // Later events belong to the new turn.
      session.requestId = ids.create('req');
      await takeClaimed(inbound, { keys: [key], call: entry?.call ?? null });
      return 'taken';
    } finally {
      receiving -= 1;
      session.isReceiving = receiving > 0;
    }
  };
}

/** Asks the policy for the turn's target and folds the words there. `given`: the policy has decided already. */
async function take(
  session: Session,
  flows: FlowChanges,
  inbound: Inbound,
  beside: TurnCommit,
  given: TurnChoice | null,
): Promise<void> {
  const { policy } = session.options;
  // Words of a machine reach neither a hook nor a router.
  if (isScreening(session.state)) return foldWords(session, inbound, beside);
  const chosen = given ?? policy?.choose(turnOf(session, inbound)) ?? ({ to: 'current' } as const);
  const choice = chosen instanceof Promise ? await chosen : chosen;
  if (choice.to === 'current') return foldWords(session, inbound, beside);
  const turn = userTurn(session, inbound);
  if (choice.to === 'nobody') {
    const isStopped = choice.stopsFlow !== true || session.activeFlow() === null || (await flows.leave(true));
    return fold(session, { ...turn, policy: isStopped ? choice.policy : endedBy(choice.policy) }, beside);
  }
  if (choice.flow === classic) {
    if (!(await flows.goClassic())) policy?.tellFallback(choice.by, unknownFlow);
    // The words may answer a question that is open on the classic path.
    return foldWords(session, inbound, beside);
  }
  const next = await flows.chosen(choice);
  if (next === null && choice.by !== 'command') return foldWords(session, inbound, beside);
  if (next === null) {
    // A command is not shown to the model; the reason is published as an event.
    const text = `Flow "${choice.flow}" cannot begin: it needs input, or it cannot be read.`;
    return fold(session, { ...turn, policy: { action: 'say', text, by: 'command' } }, beside);
  }
  await flows.keep(next);
  await flows.leave(true);
  session.dispatch({ signal: { ...turn, policy: { ...routeOf(choice, next), ...lineOf(choice) } }, joins: true });
  // A command is not passed to the flow as words.
  flows.begin(next, choice.input, beside, choice.by === 'command' ? {} : { inbound });
}

/** Takes words as the answer to a task's question. They do not count as a turn of the flow. */
function answerTask(session: Session, inbound: Inbound, beside: TurnCommit): void {
  const asked = openTaskQuestion(session.state);
  const utterance =
    asked === null ? {} : { utterance: inbound.utterance ?? readChoice(session.graph.reader, asked, inbound.text) };
  fold(session, { ...userTurn(session, inbound), answersTask: true, ...utterance }, beside);
}

/** Folds words with their reading in the current flow. */
function foldWords(session: Session, inbound: Inbound, beside: TurnCommit): void {
  const turn = userTurn(session, inbound);
  const { graph, state } = session;
  const isWords = inbound.via === 'speech' || inbound.via === 'text';
  const callee =
    isWords && mayBeMachine(state) ? { callee: graph.reader.callee(inbound.text), ...session.takeVerdict() } : {};
  const utterance = inbound.utterance ?? readOnce({ graph, state, civil: session.civil(turn.at) }, inbound.text);
  fold(session, { ...turn, utterance, ...callee }, beside);
}

function fold(session: Session, signal: UserTurn, { keys, call }: TurnCommit): void {
  session.dispatch({ signal, inputKeys: keys, call });
}

function userTurn({ options }: Session, inbound: Inbound): UserTurn {
  return { type: 'user:turn', at: options.clock.now(), ...inbound };
}

/** Adds the active flow and the last line to the words, for the policy. */
function turnOf(session: Session, inbound: Inbound) {
  return { ...inbound, activeFlow: session.activeFlow(), lastSaid: lastSaid(session.state) };
}

/** Ends the session: stopping a flow without a calling flow leaves nothing to continue with. */
function endedBy(policy: TurnPolicy): TurnPolicy {
  return { ...policy, action: 'end', reason: 'stopped', by: 'command' };
}

function lineOf({ say }: RoutedChoice): { readonly text?: string } {
  return say === undefined ? {} : { text: say };
}
