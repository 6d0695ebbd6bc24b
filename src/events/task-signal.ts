import type { ChoiceQuestion } from './dialogue.ts';
import type { EffectKey } from './effect.ts';
import type { FlowRef } from './flow-ref.ts';
import type { Json, JsonObject } from './json.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * Tasks begin to run at a place: those of a task flow, or of one repetition of a task's body. Until they begin there
 * again, the attempts at this place are their journal. They run inside of a
 * conversation's effects, which heeds only what attempts keep for its variables.
 */
export interface TasksStarted extends SignalOf<'tasks:started'> {
  /** The key of the run, of the effect or of the task that they are inside of. */
  readonly place: EffectKey;
  /** The task flow; null for the body of a task, which is part of one. */
  readonly taskFlow: FlowRef | null;
  /** The hash of what they were given. */
  readonly givenHash: string;
  /** Which attempt of the task that they are inside of this is; 0 where they are inside of none. */
  readonly attempt: number;
  /** Of a run by itself: what it was given, and the rules it runs under. */
  readonly run?: { readonly given: JsonObject; readonly failFast: boolean; readonly concurrency: number };
}

interface AttemptOf<Type extends string> extends SignalOf<Type> {
  readonly place: EffectKey;
  /** The id of the task. */
  readonly task: string;
  /** What the attempt has kept for the session, by key: in a conversation, a variable's value under the variable's name. */
  readonly kept?: JsonObject;
}

/** An attempt of a task has ended well. */
export interface AttemptDone extends AttemptOf<'attempt:done'> {
  readonly result: Json;
}

/** An attempt of a task has failed. `jitter` is chance, in [0, 1). */
export interface AttemptFailed extends AttemptOf<'attempt:failed'> {
  readonly error: AttemptFailure;
  readonly jitter: number;
}

/** Why one attempt of a task failed. */
export interface AttemptFailure {
  readonly code: string;
  /** For the author's logs. */
  readonly message: string;
  readonly timedOut: boolean;
  /** Another attempt would fail alike. */
  readonly isFinal: boolean;
}

/**
 * Tasks at a place, and at all places below it, begin again in a run that has failed, or in another version of its flow:
 * what had ended well stays as it is, and so do failures that were let pass, but for those of `again`.
 */
export interface TasksReopened extends SignalOf<'tasks:reopened'> {
  readonly place: EffectKey;
  /** The version that they go on in; null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  /** The ids of the tasks at this place that run again. */
  readonly again: readonly string[];
}

/** A run of a task flow by itself is over. */
export interface TasksEnded extends SignalOf<'tasks:ended'> {
  readonly outcome: 'complete' | 'failed';
}

/** A task inside of a conversation asks the caller. A later question takes the place of an earlier one. */
export interface TaskAsked extends SignalOf<'task:asked'>, ChoiceQuestion {
  /** Unique among the questions of the session. */
  readonly key: string;
}

/** The task waits no longer for an answer: it has one, it has ended, or the question was taken back. */
export interface TaskAnswered extends SignalOf<'task:answered'> {
  readonly key: string;
}

/** The questions of tasks to the caller of a conversation. */
export type TaskQuestionSignal = TaskAsked | TaskAnswered;

/** What happens to tasks. */
export type TaskLogSignal = TasksStarted | TasksReopened | AttemptDone | AttemptFailed | TasksEnded;
