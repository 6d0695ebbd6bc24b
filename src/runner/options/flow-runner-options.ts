import type { InputOf } from '../../livekit/tools/flow-names.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import type { Hooks } from '../../engine/policy/hooks.ts';
import type { LiveSession } from '../../livekit/agent/live-session.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { Store } from '../../model/ports/store.ts';
import type { FlatStore } from '../../store/flat-store.ts';
import type { RunnerOptions } from './runner-options.ts';

/** Flows by name. */
export type FlowsByName = Readonly<Record<string, FlowSource>>;

/** A name of flows; any name if there are none. */
type NameIn<Flows> = [keyof Flows] extends [never] ? string : keyof Flows & string;

/** No flows by name. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a runner with flows is also a runner of this type
export type NoFlows = Record<never, never>;

/**
 * Options of a `FlowRunner`: a session, a flow or a prompt, and what they use. For a flow of `defineFlow` the compiler
 * checks the names of nodes, slots, inputs and tools; for a file, a text or a generator every name is accepted.
 */
export interface FlowRunnerOptions<
  Flow extends FlowSource = FlowSource,
  Flows extends FlowsByName = FlowsByName,
  Tools extends readonly FunctionTool[] = readonly FunctionTool[],
> {
  /** An unmodified LiveKit session with its own model, running or not. */
  readonly session: LiveSession;
  /** A flow file, its text, a flow written in TypeScript, or a generator. Without one, the agent uses `agent.prompt`. */
  readonly flow?: Flow;
  /** Flows for routing and handoffs, and task flows that functions `run`, by name. */
  readonly flows?: Flows;
  /** Functions that the flow may name, besides those registered by `flowTool`. */
  readonly tools?: Tools;
  /** Handlers of actions and of `transition_callback`, by name. */
  readonly handlers?: Readonly<Record<string, Handler<NoInfer<Flow | Flows[keyof Flows]>>>>;
  /** Values for the flow's `input`. */
  readonly input?: NoInfer<InputOf<Flow>>;
  /** Id of the conversation, the same across rooms and crashes. Default: a new one. */
  readonly sessionId?: string;
  /** A store, or its address such as `sqlite:./calls.db`. Default: in memory. */
  readonly store?: Store | FlatStore | string;
  /** Language of the conversation as a BCP 47 tag. Default: the language of each flow. */
  readonly language?: string;
  /** The agent around the flows: its prompt, commands, hooks and router. */
  readonly agent?: AgentOptions<NameIn<NoInfer<Flows>>>;
  /** Values of the host for generators and hooks. */
  readonly host?: HostOptions;
  /** Limits, prices, time and the like, each with a default. */
  readonly settings?: SettingsOptions;
}

/** The agent around the flows of a runner, as in `agent.config.ts`. */
export interface AgentOptions<FlowName extends string = string> extends Pick<
  RunnerOptions,
  'prompt' | 'context' | 'router' | 'commands' | 'output' | 'followUps'
> {
  /** Functions that decide about turns and replies, as `hooks` of the configuration. */
  readonly hooks?: Hooks | undefined;
  /** Name of the flow that takes over when a generator fails. Default: the classic path if there is a prompt, else the conversation ends. */
  readonly fallback?: FlowName;
}

/** Values of the host for generators and hooks of a runner. */
export interface HostOptions extends Pick<
  RunnerOptions,
  'user' | 'replyTarget' | 'resources' | 'correlation' | 'called'
> {}

/** Settings of a runner. */
export interface SettingsOptions extends Pick<
  RunnerOptions,
  | 'catalog'
  | 'moves'
  | 'httpTools'
  | 'timeZone'
  | 'limits'
  | 'prices'
  | 'lines'
  | 'onEnd'
  | 'remoteSession'
  | 'onFlowError'
  | 'transfers'
  | 'clock'
  | 'ids'
  | 'random'
> {}
