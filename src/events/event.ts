import type { ValueSource } from './provenance.ts';
import type { DeadlinePolicy, EffectKind, EffectState } from './effect.ts';
import type { Envelope } from './envelope.ts';
import type { Json } from './json.ts';
import type { LanguageCause } from './signal.ts';
import type { TurnTrace } from './turn-trace.ts';

/** What decided a transition. */
export type TransitionCause =
  | 'start'
  | 'function'
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
  | 'expired';

/**
 * Why an open question is put again: what was said does not answer it; nothing was said; the caller would not answer;
 * something else was said, and answered.
 */
export type LadderCause = 'no-match' | 'no-input' | 'refused' | 'aside';

/**
 * Facts that the kernel reports about one step. Values that callers said are named by slot only, so that a log of
 * these events holds no speech.
 */
export interface FlowEvents {
  'flow:started': { flow: string; hash: string };
  'flow:swapped': { from: string; to: string; hash: string };
  'flow:ended': { reason: string };
  'flow:called': { flow: string };
  'flow:returned': { flow: string };
  'flow:handoff': { from: string; to: string };
  /** A flow could not go on, and another one does. */
  'flow:fallback': { from: string; to: string };
  'flow:failed': { step: number; reason: string; attempt: number };
  'flow:cleared': { reason: 'handoff-unresolved' | 'failed' | 'too-many-yields' | Exclude<LadderCause, 'aside'> };
  'flow:reworded': { step: number };
  'flow:parked': { reason: 'flow-nondeterministic'; step: number; expected: string; found: string };
  'answer:refused': { key: string; problem: string };
  /** `code` is that of a catalog node's failure. */
  'flow:stuck': {
    reason: 'too-many-transitions' | 'node-failed' | 'unknown-node' | 'nothing-to-return-to';
    code?: string;
  };
  /** A text of this node takes a million characters of values: what this name stands for is left out. */
  'text:too-long': { name: string };
  /** From the caller's next reply on another language is spoken. */
  'language:changed': { to: string; by: LanguageCause };
  'node:entered': { cause: TransitionCause };
  'node:left': { to: string };
  'transition:taken': { from: string; to: string; cause: TransitionCause; function?: string; edge?: number };
  'transition:dropped': {
    to: string;
    function: string;
    reason: 'another-won' | 'superseded' | 'stale' | 'unknown-node' | 'invalid-node' | 'corrected' | 'unconfirmed';
    /** Of a node made on the spot: its key that is wrong, the fact and the remedy. */
    problem?: string;
  };
  /** A slot was corrected by which `node` had been left for `from`: the conversation goes on at `to`. */
  'decision:retaken': { node: string; from: string; to: string };
  'turn:started': { eventId: string; via: string };
  /** The caller has asked for the last words once more, or for time. */
  'turn:asked': { for: 'repeat' | 'patience' };
  'turn:duplicate': { eventId: string };
  /** The words were the answer to what a task has asked. */
  'turn:answered': { eventId: string; via: string };
  /** `policyReason`: why, in the hook's own words, which may quote the caller. */
  'response:decided': { key: string; action: 'cancel' | 'replace'; policyReason?: string };
  /** `route`: the turn is for another flow, `to`. */
  'turn:decided': {
    action: 'say' | 'hold' | 'end' | 'route';
    by: 'command' | 'hook' | 'router' | 'takeover';
    to?: string;
    policyReason?: string;
  };
  'tool:blocked': { function: string; reason: 'not-in-node' | 'over' };
  /** `reason`: why a call has failed, without what its code says. */
  'tool:settled': { function: string; key: string; state: string; reason?: 'timeout' | 'error' };
  'slot:filled': { slot: string; corrected: boolean; source: ValueSource['kind']; grounded: boolean | null };
  /** A value that was found nowhere is to take the place of the known one, which stays until the caller agrees to it. */
  'slot:proposed': { slot: string };
  'slot:rejected': { slot: string; problem: string };
  'slot:confirmed': { slot: string };
  'slot:cleared': { slot: string };
  /** An optional slot was asked for and left unsaid: it is not asked for again. */
  'slot:declined': { slot: string };
  'variable:set': { name: string };
  /** The open question was left unanswered, for the `attempt`th time of `of` after which the flow goes another way. */
  'question:missed': { cause: Exclude<LadderCause, 'aside'>; attempt: number; of: number };
  /**
   * The question before a call is made of its name and arguments, and not the author's: a name in that has no value, or it does
   * not say an argument that the caller never gave.
   */
  'confirm:replaced': { function: string; reason: 'no-value' | 'not-said'; names: readonly string[] };
  'wait:opened': { key: string; wait: string };
  /** Somebody has resolved it, or an event or a default has. */
  'wait:resolved': { key: string; wait: string };
  'wait:expired': { key: string; wait: string; act: DeadlinePolicy['act'] | 'go_on' };
  /** Nobody waits any more: its node was left, or what it is about has changed and it is opened anew. */
  'wait:cancelled': { key: string; wait: string; reason: 'left' | 'facts-changed' };
  /** A person talks to the caller, and the agent does not. */
  'takeover:started': { actor: string | null };
  /** What that person said to the caller was heard, and is kept. */
  'takeover:heard': { actor: string | null };
  'takeover:ended': { actor: string | null; escalationId?: string; to?: string };
  'wait:answered': { key: string; answer: 'yes' | 'no' | 'other' };
  'effect:settled': { key: string; kind: EffectKind; state: EffectState };
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
  /** A function's handler threw: the code or the kind of the error, never its text, which may quote the caller. */
  'tool:failed': { function: string; attempt: number; reason: string };
  /**
   * A turn is over: what it took, and when what of it happened. A second one of the same turn tells what the session did
   * without new words of the caller, after a decision of a person or a silence.
   */
  'turn:completed': TurnTrace;
  /** Another language was heard or wanted that the flow does not list: nothing has changed. */
  'language:ignored': { language: string; by: LanguageCause };
  'route:selected': { mode: string; to: string };
  'route:fallback': { mode: string; reason: string };
  'response:prepared': ResponseData;
  'response:sent': ResponseData;
  'response:persisted': ResponseData;
  'response:failed': ResponseData & { stage: string; reason: string };
  /** Nothing of the turn is heard, because somebody has decided so: `hook` before a reply, or of the reply. */
  'response:suppressed': ResponseData & { stage: 'command' | 'beforeLLM' | 'beforeResponse' };
  /** Parts of a hook's decision could not be used: their keys. The rest of it was obeyed. */
  'decision:trimmed': { stage: string; action: string; keys: readonly string[] };
  'context:fallback': { from: string; reason: string };
  'session:message': { content: string; runId?: string; nodeId?: string };
  /** The agent of this run is to end once it has answered. */
  'session:close': { runId: string };
}

/** Runs, tasks and agents of task flows. */
export interface TaskEvents {
  /** `keptVersion`: the hash of the version of the flow that the run began with, where there is another one by now. */
  'harness:start': { name: string; keptVersion?: string } & Recovered;
  'harness:complete': { success: boolean; durationMs: number };
  'phase:start': { name: string } & Recovered;
  'phase:complete': { name: string };
  'task:start': { taskId: string } & Recovered;
  'task:complete': { taskId: string; result: Json } & Recovered;
  /** `continued`: its output is an error marker, and the flow goes on. */
  'task:failed': { taskId: string; code: string; attempts: number; continued: boolean } & Recovered;
  /** Another attempt of a task that has failed, in `delayMs`. */
  'task:retry': { taskId: string; attempt: number; delayMs: number } & Recovered;
  'task:skipped': { taskId: string } & Recovered;
  /** A write takes longer than its policy allows, and is waited for; its real end counts. */
  'task:overdue': { taskId: string; limitMs: number };
  'agent:start': { input: Json };
  'agent:text': { delta: string };
  'agent:complete': { text: string };
  /** The run of an agent has failed, or was ended: the last event of its run, where it is not `agent:complete`. */
  'agent:error': { code: string };
  'agent:tool:start': { tool: string; callId: string };
  'agent:tool:complete': { tool: string; callId: string };
  'agent:tool:error': { tool: string; callId: string; message: string };
  'channel:start': { channel: string };
  'channel:complete': { channel: string };
  'channel:error': { channel: string; stage: string };
}

interface Recovered {
  /** It happened before, in a process that is gone: what was kept of it is told again, and nothing is done again. */
  recovered?: true;
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
  /** What a person is waited for, or how that has ended; absent where nobody is. */
  hitlState?: Exclude<HitlState, 'none'>;
  /** Why, in the words of the hook that decided last, which may quote the caller. */
  policyReason?: string;
  /** The caller spoke over it. */
  interrupted?: true;
}

type Tagged<Table> = { [Type in keyof Table & string]: { readonly type: Type; readonly data: Readonly<Table[Type]> } };

/** A fact of the kernel before the host put it into its envelope. */
export type FlowFact = Tagged<FlowEvents>[keyof FlowEvents];

type AllEvents = FlowEvents & TurnEvents & TaskEvents;

/** Every event that a hub can carry. Closed. */
export type Event = { [Type in keyof AllEvents]: Envelope<Type, Readonly<AllEvents[Type]>> }[keyof AllEvents];

/** The name of an event. */
export type EventType = Event['type'];
