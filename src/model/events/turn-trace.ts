import type { EffectState } from '../effect.ts';
import type { TurnVia } from '../signals/signal.ts';

/**
 * The measurements of one turn: the data of `turn:completed`, which the studio's waterfall, OpenTelemetry spans, metrics and the log
 * are made of. It holds names of the flow and numbers, and nothing that was said, known or passed to a function. `at` and
 * moments are whole milliseconds after `startedAt`, `ms` are durations.
 */
export interface TurnTrace {
  /** How often the model was asked for a reply. */
  readonly inferences: number;
  /** How many transitions were taken. */
  readonly transitions: number;
  /** Epoch milliseconds: the end of the caller's speech; where nothing was spoken, when the turn came. */
  readonly startedAt: number;
  /** How long it took until all of it was heard. */
  readonly ms: number;
  /** How the turn came; or that the session began, or went on in another process, or that something else let it speak. */
  readonly via: TurnVia | 'start' | 'resume' | 'event';
  readonly outcome: TurnOutcome;
  /** The node that the turn began in, and those that it came to, in order; at most 50. */
  readonly nodes: readonly string[];
  readonly moments: TurnMoments;
  /** In the order in which they began; at most 200. */
  readonly spans: readonly TurnSpan[];
  readonly tokens: TokenCount;
  /** The cost of the tokens by `prices` of the configuration; null if a model that was asked has no price there. */
  readonly cost: number | null;
  /** How often the caller spoke over the agent. */
  readonly interruptions: number;
}

/**
 * `answered`: the caller heard something. `interrupted`: the caller spoke over it. `silent`: there was nothing to say.
 * `suppressed`: a hook or a command suppressed the reply. `failed`: a model, a voice or the store failed.
 */
export type TurnOutcome = 'answered' | 'interrupted' | 'silent' | 'suppressed' | 'failed';

/** When a turn reached each stage; absent if the stage did not occur or cannot be observed in this kind of session. */
export interface TurnMoments {
  /** The caller stopped speaking. */
  readonly speechEnded?: number;
  /** The final transcript arrived. */
  readonly transcript?: number;
  /** The words became a turn of the flow. */
  readonly taken?: number;
  /** The store committed the turn. */
  readonly committed?: number;
  /** The first request to the model. */
  readonly requested?: number;
  /** The model's first word or call. */
  readonly firstToken?: number;
  /** The first words were sent to the voice or to the reader. */
  readonly firstWords?: number;
  /** The first audio. */
  readonly firstAudio?: number;
  /** Playback ended and the heard text is known. */
  readonly heard?: number;
}

/** Names of the moments as events of the span `flow.turn`. */
export const momentNames: Readonly<Record<keyof TurnMoments, string>> = {
  speechEnded: 'flow.speech_ended',
  transcript: 'flow.transcript',
  taken: 'flow.taken',
  committed: 'flow.committed',
  requested: 'flow.requested',
  firstToken: 'flow.first_token',
  firstWords: 'flow.first_words',
  firstAudio: 'flow.first_audio',
  heard: 'flow.heard',
};

/** Labels of the moments for people. */
export const momentWords: Readonly<Record<keyof TurnMoments, string>> = {
  speechEnded: 'end of speech',
  transcript: 'transcript',
  taken: 'turn taken',
  committed: 'committed',
  requested: 'model asked',
  firstToken: 'first token',
  firstWords: 'first words',
  firstAudio: 'first sound',
  heard: 'heard',
};

/** Tokens as providers count them: `cached` are part of `input`. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

interface SpanOf<Name extends string> {
  readonly name: Name;
  readonly at: number;
  /** Null if still running when the turn ended. */
  readonly ms: number | null;
}

/** Folding one signal. `to` is the node after the step, if it changed. */
export interface StepSpan extends SpanOf<'flow.step'> {
  readonly signal: string;
  readonly node: string;
  readonly to?: string;
}

/** Committing steps, from the handover to the store. */
export interface CommitSpan extends SpanOf<'flow.commit'> {
  readonly failed?: true;
}

/** One request to a model, until its stream ended. `ttft`: milliseconds to its first word or call. */
export interface RequestSpan extends SpanOf<'chat'> {
  /** The purpose: a reply, a context summary, a flow choice, or a task's agent. */
  readonly use: 'reply' | 'summary' | 'route' | 'agent';
  readonly model: string;
  readonly provider: string;
  /** LiveKit also writes an OpenTelemetry span for it. */
  readonly isLiveKits?: true;
  readonly ttft?: number;
  readonly tokens?: TokenCount;
  /** The stream broke off or was empty. */
  readonly failed?: true;
}

/** A function's handler with all its attempts. `waiting`: its result comes later, from outside the call. */
export interface ToolSpan extends SpanOf<'execute_tool'> {
  readonly tool: string;
  readonly state?: 'done' | 'failed' | 'cancelled' | 'waiting';
}

/** A task that a node runs. */
export interface TaskSpan extends SpanOf<'flow.task'> {
  readonly node: string;
  readonly state?: EffectState;
}

/** A hook of the configuration, by name. */
export interface HookSpan extends SpanOf<'flow.hook'> {
  readonly hook: string;
}

/** From the end of the caller's speech to the turn. */
export interface ListenSpan extends SpanOf<'flow.listen'> {}

/** From the first audio, or without audio from the first words, until all was heard. */
export interface SpeakSpan extends SpanOf<'flow.speak'> {
  readonly interrupted?: true;
}

/** One bar of a turn's waterfall. */
export type TurnSpan = StepSpan | CommitSpan | RequestSpan | ToolSpan | TaskSpan | HookSpan | ListenSpan | SpeakSpan;

/**
 * The name of a span as OpenTelemetry and the waterfall show it: by the conventions for models, `chat` is followed by the
 * model and `execute_tool` by the tool. Throws nothing.
 * @example
 * function printSpans(runner: FlowRunner): void {
 *   runner.on('turn:completed', ({ data }) => {
 *     for (const span of data.spans) console.log(spanName(span), span.ms);
 *   });
 * }
 */
export function spanName(span: TurnSpan): string {
  if (span.name === 'chat') return `chat ${span.model}`;
  return span.name === 'execute_tool' ? `execute_tool ${span.tool}` : span.name;
}

/** Checks whether the work that a span measures has failed. */
export function hasFailed(span: TurnSpan): boolean {
  return 'failed' in span || ('state' in span && span.state === 'failed');
}

/** Checks whether the data of a `turn:completed` is a trace. Older releases stored only counts. */
export function isTurnTrace(data: Partial<TurnTrace>): data is TurnTrace {
  return data.spans !== undefined;
}
