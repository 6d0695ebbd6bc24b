import type { llm } from '@livekit/agents';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { Schedule } from '../../people/schedules/schedule.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { CrashPoint } from './crash-point.ts';
import type { ToolStandIn } from '../document/document.ts';
import type { ProcessOptions } from './process.ts';
import type { ScriptedReplies } from './scripted-replies.ts';

/** The parts with which a scenario is played. */
export interface WorldOptions {
  readonly sessionId: string;
  readonly startAt: number;
  readonly openStore: (clock: Clock) => Promise<Store>;
  readonly runner: ProcessOptions['runner'];
  /** The code that the flow needs, and the part of it that exists. */
  readonly code: {
    readonly tools: readonly string[];
    readonly handlers: readonly string[];
    readonly realTools: readonly FunctionTool[];
    readonly realHandlers: Readonly<Record<string, Handler>>;
    readonly writing: ReadonlySet<string>;
    /** The flow whose outcome is reported. */
    readonly graph?: Graph;
  };
  /** Turns that come at a time. */
  readonly schedules: readonly Schedule[];
  /** The interval at which a clerk looks for work without a notice, in milliseconds of virtual time. */
  readonly clerkLooksEveryMs: number | undefined;
  readonly standIns: Readonly<Record<string, ToolStandIn>>;
  readonly replies: ScriptedReplies;
  readonly modelOn: (clock: Clock, replies: ScriptedReplies) => llm.LLM;
  readonly wordMs: () => number;
  /** How long a caller who hung up is waited for, in milliseconds. */
  readonly graceMs: number;
  /** The point at which the process of the call, or the clerk, first dies; null if neither does. */
  readonly crash: CrashPoint | null;
  /** Whether what is waited for takes real time, as a model behind a network does. */
  readonly isLive: boolean;
}
