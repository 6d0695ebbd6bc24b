import type { ValueSource } from '../provenance.ts';
import type { Answerer, AnswerReason } from '../callee.ts';
import type { EffectKind, EffectState } from '../effect.ts';
import type { DeadlinePolicy } from '../outside-wait.ts';
import type { Envelope } from './envelope.ts';
import type { ConversationLimit, LanguageCause } from '../signals/signal.ts';
import type { TransferMode, TransferOutcome } from '../transfer.ts';
import type { TaskEvents } from './task-event.ts';
import type { TurnTrace } from './turn-trace.ts';

/** The cause of a transition. */
export type TransitionCause =
  | 'start'
  | 'function'
  | 'key'
  | 'refused'
  | 'dynamic'
  | 'edge'
  | 'default'
  | 'stale'
  | 'error'
  | 'trouble'
  | 'requested'
  | 'return'
  | 'swap'
  | 'yield'
  | 'expired'
  | 'outcome';

/**
 * Why an open question is repeated: the words did not answer it, the caller was silent, the caller refused, or the
 * caller said something else that was answered.
 */
export type LadderCause = 'no-match' | 'no-input' | 'refused' | 'aside';

/** The outcome of a conversation that did not end by itself. */
export type OutsideOutcome = 'caller_gone' | 'handed_over' | 'stopped' | Exclude<Answerer, 'person'>;

/**
 * Facts that the kernel reports about one step. Values that callers said are named by slot only, so that a log of
 * these events holds no speech.
 */
export interface FlowEvents {
  /** The session began with this flow. `hash` names the version of the flow. */
  'flow:started': { flow: string; hash: string };
  /** Another flow, or another version of it, took over the session with all values that mean the same there. */
  'flow:swapped': { from: string; to: string; hash: string };
  /**
   * The flow reached an end, or the session was ended for `reason`. No node is entered after it. `outcome` is the reported
   * name of an end from outside; absent if it is the reason.
   */
  'flow:ended': { reason: string; outcome?: OutsideOutcome };
  /** The conversation has reached its longest time, or its highest cost. It ends after a line. */
  'limit:reached': { limit: ConversationLimit };
  /** This flow was begun within the session; the flow before waits until it returns. */
  'flow:called': { flow: string };
  /** This flow has the conversation again, after the flow that it called. */
  'flow:returned': { flow: string };
  /** The flow gave the conversation to another flow. */
  'flow:handoff': { from: string; to: string };
  /** The flow could not go on, and its fallback flow has the conversation. */
  'flow:fallback': { from: string; to: string };
  /** The code of a generator threw in this step. It is tried again up to a limit. */
  'flow:failed': { step: number; reason: string; attempt: number };
  /** A generator was given up. `reason` names why. */
  'flow:cleared': { reason: 'handoff-unresolved' | 'failed' | 'too-many-yields' | Exclude<LadderCause, 'aside'> };
  /** After a resume the code of a generator yielded other words for a step than those that were said. */
  'flow:reworded': { step: number };
  /**
   * After a resume the code of a generator yielded something else than before. The session waits for an operator.
   */
  'flow:parked': { reason: 'flow-nondeterministic'; step: number; expected: string; found: string };
  /** The answer to the question of a generator does not meet its schema. The question is asked again. */
  'answer:refused': { key: string; problem: string };
  /**
   * The flow cannot go on from here by its own edges: `on_error`, `on_trouble` or an apology follows. `code` is that
   * of a failed task.
   */
  'flow:stuck': {
    reason: 'too-many-transitions' | 'node-failed' | 'unknown-node' | 'nothing-to-return-to';
    code?: string;
  };
  /** The values in a text of this node exceed a million characters. The value of this name was left out. */
  'text:too-long': { name: string };
  /** The agent speaks another language from its next line on. */
  'language:changed': { to: string; by: LanguageCause };
  /** The flow entered the node that the envelope names. */
  'node:entered': { cause: TransitionCause };
  /** The flow left the node that the envelope names. */
  'node:left': { to: string };
  /** The flow moved from one node to another. `function` and `edge` name what moved it. */
  'transition:taken': { from: string; to: string; cause: TransitionCause; function?: string; edge?: number };
  /**
   * A function wanted to move the flow and did not. `problem`: what is wrong in a node that a function returned, and
   * the remedy.
   */
  'transition:dropped': {
    to: string;
    function: string;
    reason: 'another-won' | 'superseded' | 'stale' | 'unknown-node' | 'invalid-node' | 'corrected' | 'unconfirmed';
    /** Of a node made on the spot: its key that is wrong, the fact and the remedy. */
    problem?: string;
  };
  /** A slot was corrected by which `node` had been left for `from`. The conversation goes on at `to`. */
  'decision:retaken': { node: string; from: string; to: string };
  /** Words of the caller, or of another person for the caller, began a turn. */
  'turn:started': { eventId: string; via: string };
  /** The caller asked for the last words once more, or for time. */
  'turn:asked': { for: 'repeat' | 'patience' };
  /** Words of this `eventId` were taken before. Nothing follows. */
  'turn:duplicate': { eventId: string };
  /** The words answered the question of a task. */
  'turn:answered': { eventId: string; via: string };
  /**
   * The hook `beforeResponse` cancelled or replaced a line. `policyReason` is in the words of the hook, and may quote
   * the caller.
   */
  'response:decided': { key: string; action: 'cancel' | 'replace'; policyReason?: string };
  /**
   * A command, a hook or the router decided about the turn before the flow did. With `route` the turn is for another
   * flow, `to`.
   */
  'turn:decided': {
    action: 'say' | 'hold' | 'end' | 'route';
    by: 'command' | 'hook' | 'router' | 'takeover';
    to?: string;
    policyReason?: string;
  };
  /** The model called a function that is not offered here, or no longer. */
  'tool:blocked': { function: string; reason: 'not-in-node' | 'over' };
  /** A function has ended. `reason` says why it failed, and quotes nothing of what its code said. */
  'tool:settled': { function: string; key: string; state: string; reason?: 'timeout' | 'error' };
  /**
   * A slot got a value. `grounded`: whether the value was found in what the caller said; null if that is not known.
   */
  'slot:filled': { slot: string; corrected: boolean; source: ValueSource['kind']; grounded: boolean | null };
  /** A value that rules did not find in the words of the caller is to replace the known one. The known one stays until the caller agrees. */
  'slot:proposed': { slot: string };
  /** A value does not meet the rules of the slot. */
  'slot:rejected': { slot: string; problem: string };
  /** The caller agreed to the value. */
  'slot:confirmed': { slot: string };
  /** The value of the slot was taken out. */
  'slot:cleared': { slot: string };
  /** An optional slot was asked for and left unsaid. It is not asked for again. */
  'slot:declined': { slot: string };
  /** A variable got a value. */
  'variable:set': { name: string };
  /**
   * The open question was not answered, for the `attempt`th of `of` times. After the last one the flow goes another
   * way.
   */
  'question:missed': { cause: Exclude<LadderCause, 'aside'>; attempt: number; of: number };
  /**
   * The author's question before a call was replaced by a generated one: a name in it has no value, or it does not
   * name an argument that the caller never gave.
   */
  'confirm:replaced': { function: string; reason: 'no-value' | 'not-said'; names: readonly string[] };
  /** The session waits for a person, an event or a time. `key` names the wait. */
  'wait:opened': { key: string; wait: string };
  /** A person, an event or a default resolved the wait. */
  'wait:resolved': { key: string; wait: string };
  /** A deadline of the wait came. `act` is what follows. */
  'wait:expired': { key: string; wait: string; act: DeadlinePolicy['act'] | 'go_on' };
  /** The wait is over without an outcome: its node was left, or its facts changed and it is opened anew. */
  'wait:cancelled': { key: string; wait: string; reason: 'left' | 'facts-changed' };
  /** The caller is to be put through. `key` names the wait for the outcome. */
  'transfer:started': { key: string; to: 'line' | 'queue' | 'agent'; mode: TransferMode };
  /** The attempt to put the caller through has ended. */
  'transfer:ended': { key: string; outcome: TransferOutcome };
  /** Rules read the first words of a call that the agent's side placed. `who` is null if they do not decide who answered. */
  'callee:judged': { who: Answerer | null; reason: AnswerReason };
  /** The call has reached no person. It is repeated as attempt number `attempt`, `afterMs` from now. */
  'callee:again': { attempt: number; afterMs: number };
  /** A person talks to the caller. The agent is silent. */
  'takeover:started': { actor: string | null };
  /** The caller heard words of that person, and the store has them. */
  'takeover:heard': { actor: string | null };
  /** The agent talks again, in node `to` if the person named one. */
  'takeover:ended': { actor: string | null; escalationId?: string; to?: string };
  /** The caller answered a question for consent. `other` is neither a yes nor a no. */
  'wait:answered': { key: string; answer: 'yes' | 'no' | 'other' };
  /** An effect (a line, a reply, a call, a wait) has ended. */
  'effect:settled': { key: string; kind: EffectKind; state: EffectState };
  /** A signal changed nothing, for `reason`. */
  'signal:ignored': {
    signal: string;
    reason:
      | 'not-started'
      | 'ended'
      | 'parked'
      | 'already-started'
      | 'unknown-effect'
      | 'stale'
      | 'unknown-node'
      | 'unlisted-language'
      | 'wait-over'
      | 'not-due'
      | 'unfit';
  };
}

/** Routing and policy around a turn. */
export interface TurnEvents {
  /**
   * A function's handler threw. `reason` is the code or the kind of the error, never its text, which may quote the
   * caller.
   */
  'tool:failed': { function: string; attempt: number; reason: string };
  /**
   * A turn is over: what it took, and when. A second one of the same turn is about what the session did without new
   * words of the caller, after a decision of a person or a silence.
   */
  'turn:completed': TurnTrace;
  /** A language was heard or wanted that the flow does not list. Nothing changed. */
  'language:ignored': { language: string; by: LanguageCause };
  /** A router chose the flow of the turn. */
  'route:selected': { mode: string; to: string };
  /** The router was not sure, or the flow that it chose cannot begin: its first choice is not used. */
  'route:fallback': { mode: string; reason: string };
  /** The first words of a reply are ready. No hook has decided about them yet. */
  'response:prepared': ResponseData;
  /** Some of the reply was heard (in text: given out). */
  'response:sent': ResponseData;
  /** The reply that was sent is durable in the store. */
  'response:persisted': ResponseData;
  /** A part of the turn failed at `stage`. `reason` is an error code or the kind of an error. */
  'response:failed': ResponseData & { stage: string; reason: string };
  /** Nothing of the turn is heard, by the decision of a command or a hook. */
  'response:suppressed': ResponseData & { stage: 'command' | 'beforeLLM' | 'beforeResponse' };
  /** Parts of a hook's decision could not be used: their keys. The rest was obeyed. */
  'decision:trimmed': { stage: string; action: string; keys: readonly string[] };
  /** A summary or another context strategy failed. The model is shown the whole history. */
  'context:fallback': { from: string; reason: string };
  /** Words for the run of an agent, from `sendToRun`, `sendTo` or a channel. */
  'session:message': { content: string; runId?: string; nodeId?: string };
  /** The agent of this run is to end once it has answered. */
  'session:close': { runId: string };
}

/** What people are waited for, and how the last wait for them has ended. */
export type HitlState =
  | 'none'
  | 'pending_confirm'
  | 'live_takeover'
  | 'pending_admin_resolution'
  | 'resolved'
  | 'timed_out';

interface ResponseData {
  source: 'classic' | 'flow' | 'short_circuit' | 'scheduled';
  beforeLLMAction?: 'continue' | 'skip_llm' | 'route_flow' | 'end';
  beforeResponseAction?: 'continue' | 'cancel' | 'replace';
  /** The state of the wait for a person; absent if there is none. */
  hitlState?: Exclude<HitlState, 'none'>;
  /** Why, in the words of the hook that decided last, which may quote the caller. */
  policyReason?: string;
  /** The caller spoke over it. */
  interrupted?: true;
}

type Tagged<Table> = { [Type in keyof Table & string]: { readonly type: Type; readonly data: Readonly<Table[Type]> } };

/** A fact of the kernel, without its envelope. */
export type FlowFact = Tagged<FlowEvents>[keyof FlowEvents];

type AllEvents = FlowEvents & TurnEvents & TaskEvents;

/** Every event that a hub can carry. Closed. */
export type Event = { [Type in keyof AllEvents]: Envelope<Type, Readonly<AllEvents[Type]>> }[keyof AllEvents];

/** The name of an event. */
export type EventType = Event['type'];
