import type { JsonObject } from '../../src/model/json.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { View } from '../../src/kernel/state/view.ts';
import type { SpeakingModel } from '../../src/model/ports/model.ts';
import type { Executor } from '../../src/model/ports/executor.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import type { FlowToolContext } from '../../src/livekit/tools/flow-tool.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { TurnHost } from '../../src/engine/perform.ts';
import type { Chunk } from './fake-host.ts';

/** What a fault may use. */
export interface FaultyWalk {
  readonly clock: Clock;
  /** Waits by a timer that the walk knows as its own. */
  pause(ms: number): Promise<void>;
  /** The graph that the walk is checked against. */
  readonly graph: Graph;
  /** A second executor of the same functions, which knows nothing of the first. */
  readonly secondExecutor: Executor;
}

/** Something that is wrong on purpose: parts of a walk are replaced by ones that break what it checks. */
export interface Fault {
  readonly graph?: (graph: Graph) => Graph;
  readonly store?: (store: Store, walk: FaultyWalk) => Store;
  readonly executor?: (executor: Executor, walk: FaultyWalk) => Executor;
  readonly engine?: (engine: Engine, walk: FaultyWalk) => Engine;
  readonly host?: (host: TurnHost) => TurnHost;
  readonly model?: (model: SpeakingModel<View, Chunk>, walk: FaultyWalk) => SpeakingModel<View, Chunk>;
  /** A function that takes so long never ends. */
  readonly hangsAfterMs?: number;
}

/** Something that is wrong on purpose on a real AgentSession. */
export interface SessionFault {
  readonly store?: (store: Store) => Store;
  /** What a function is given instead of what it is to be given. */
  readonly given?: (input: JsonObject, context: FlowToolContext) => { input: JsonObject; context: FlowToolContext };
  /** What the model is shown instead of what it is to be shown. */
  readonly shown?: (items: readonly string[]) => readonly string[];
  /** Waits that are so long never end. */
  readonly hangsAfterMs?: number;
}

/** An object with some members changed; all others stay those of the original, getters included. */
export function altered<Whole extends object>(whole: Whole, changes: Partial<Whole>): Whole {
  // Object.create gives no type, and the object has every member of its prototype.
  return Object.create(whole, Object.getOwnPropertyDescriptors(changes)) as Whole;
}
