import type { ChoiceQuestion } from '../dialogue.ts';
import type { EffectKey } from '../effect.ts';
import type { FlowRef } from '../flow-ref.ts';
import type { Json, JsonObject } from '../json.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * Tasks start at a place: those of a task flow, or of one repetition of a task's body. Until they start there again,
 * the attempts at this place are their journal. Inside a conversation's effects, only values that attempts keep for
 * variables matter to the conversation.
 */
export interface TasksStarted extends SignalOf<'tasks:started'> {
  /** The key of the run, effect or task that contains them. */
  readonly place: EffectKey;
  /** The task flow; null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  /** Hash of their input. */
  readonly givenHash: string;
  /** Attempt number of the containing task; 0 if there is none. */
  readonly attempt: number;
  /** For a standalone run: its input and its settings. */
  readonly run?: { readonly given: JsonObject; readonly failFast: boolean; readonly concurrency: number };
}

interface AttemptOf<Type extends string> extends SignalOf<Type> {
  readonly place: EffectKey;
  /** Id of the task. */
  readonly task: string;
  /** Values that the attempt keeps for the session, by key. In a conversation: variables by name. */
  readonly kept?: JsonObject;
}

/** An attempt of a task succeeded. */
export interface AttemptDone extends AttemptOf<'attempt:done'> {
  readonly result: Json;
}

/** An attempt of a task failed. `jitter` is random, in [0, 1). */
export interface AttemptFailed extends AttemptOf<'attempt:failed'> {
  readonly error: AttemptFailure;
  readonly jitter: number;
}

/** The reason for a failed attempt. */
export interface AttemptFailure {
  readonly code: string;
  /** For the author's logs. */
  readonly message: string;
  readonly timedOut: boolean;
  /** A retry would fail the same way. */
  readonly isFinal: boolean;
}

/**
 * Tasks at a place and below it restart in a failed run, or in another version of its flow. Successful results stay,
 * and so do tolerated failures, except for the tasks in `again`.
 */
export interface TasksReopened extends SignalOf<'tasks:reopened'> {
  readonly place: EffectKey;
  /** The version to continue in; null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  /** Ids of the tasks at this place that run again. */
  readonly again: readonly string[];
}

/** A standalone run of a task flow has ended. */
export interface TasksEnded extends SignalOf<'tasks:ended'> {
  readonly outcome: 'complete' | 'failed';
}

/** A task inside a conversation asks the caller. A later question replaces an earlier one. */
export interface TaskAsked extends SignalOf<'task:asked'>, ChoiceQuestion {
  /** Unique within the session. */
  readonly key: string;
}

/** The task no longer waits for an answer: it was answered, it ended, or the question was withdrawn. */
export interface TaskAnswered extends SignalOf<'task:answered'> {
  readonly key: string;
}

/** Questions of tasks to the caller of a conversation. */
export type TaskQuestionSignal = TaskAsked | TaskAnswered;

/** Signals of tasks. */
export type TaskLogSignal = TasksStarted | TasksReopened | AttemptDone | AttemptFailed | TasksEnded;
