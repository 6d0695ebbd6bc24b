import type { llm } from '@livekit/agents';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { Schedule } from '../../people/schedules/schedule.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import type { CrashPoint } from './crash-point.ts';
import type { ToolStandIn } from './document.ts';
import type { ProcessOptions } from './process.ts';
import type { ScriptedReplies } from './scripted-replies.ts';

/** What a scenario is played with. */
export interface WorldOptions {
  readonly sessionId: string;
  readonly startAt: number;
  readonly openStore: (clock: Clock) => Promise<Store>;
  readonly runner: ProcessOptions['runner'];
  /** What the flow asks of code, and what there is of it. */
  readonly code: {
    readonly tools: readonly string[];
    readonly handlers: readonly string[];
    readonly realTools: readonly FunctionTool[];
    readonly realHandlers: Readonly<Record<string, Handler>>;
    readonly writing: ReadonlySet<string>;
  };
  /** Turns that come at a time. */
  readonly schedules: readonly Schedule[];
  /** How often a clerk looks for work that nothing tells it of, in milliseconds of virtual time. */
  readonly clerkLooksEveryMs: number | undefined;
  readonly standIns: Readonly<Record<string, ToolStandIn>>;
  readonly replies: ScriptedReplies;
  readonly modelOn: (clock: Clock, replies: ScriptedReplies) => llm.LLM;
  readonly wordMs: () => number;
  /** How long a caller who hung up is waited for, in milliseconds. */
  readonly graceMs: number;
  /** Where the process of the call, or the clerk, dies for the first time; null where none does. */
  readonly crash: CrashPoint | null;
  /** Whether what is waited for takes real time, as a model behind a network does. */
  readonly isLive: boolean;
}
