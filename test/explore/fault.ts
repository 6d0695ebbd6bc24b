import type { JsonObject } from '../../src/model/json.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { View } from '../../src/kernel/state/view.ts';
import type { SpeakingModel } from '../../src/model/ports/model.ts';
import type { Executor } from '../../src/model/ports/executor.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import type { FlowToolContext } from '../../src/livekit/tools/flow-tool.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { TurnHost } from '../../src/engine/performer.ts';
import type { Chunk } from './fake-host.ts';

/** The parts of a walk that a fault may use. */
export interface FaultyWalk {
  readonly clock: Clock;
  /** Waits by a timer that counts as the walk's own. */
  pause(ms: number): Promise<void>;
  /** The graph that the walk is checked against. */
  readonly graph: Graph;
  /** A second executor of the same functions, independent of the first. */
  readonly secondExecutor: Executor;
}

/** A deliberate fault: replaces parts of a walk with faulty ones. */
export interface Fault {
  readonly graph?: (graph: Graph) => Graph;
  readonly store?: (store: Store, walk: FaultyWalk) => Store;
  readonly executor?: (executor: Executor, walk: FaultyWalk) => Executor;
  readonly engine?: (engine: Engine, walk: FaultyWalk) => Engine;
  readonly host?: (host: TurnHost) => TurnHost;
  readonly model?: (model: SpeakingModel<View, Chunk>, walk: FaultyWalk) => SpeakingModel<View, Chunk>;
  /** A function that runs at least this long never ends. */
  readonly hangsAfterMs?: number;
}

/** A deliberate fault on a real AgentSession. */
export interface SessionFault {
  readonly store?: (store: Store) => Store;
  /** Changes the input and context of a function. */
  readonly given?: (input: JsonObject, context: FlowToolContext) => { input: JsonObject; context: FlowToolContext };
  /** Changes the items that the model receives. */
  readonly shown?: (items: readonly string[]) => readonly string[];
  /** A wait that is at least this long never ends. */
  readonly hangsAfterMs?: number;
}

/** Returns an object with some members changed. The others, including getters and methods, remain the original's. */
export function altered<Whole extends object>(whole: Whole, changes: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name) as unknown;
      const member: unknown = Reflect.get(target, name);
      // A class with private members accepts no other object.
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
