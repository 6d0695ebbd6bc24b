import type { ConversationFlow } from '../flow/document/document.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { FlowLibrary, FlowSource } from '../flow/load/files/flow-library.ts';
import type { taskFlowsAmong } from '../flow/load/task-flows.ts';

/**
 * Shared by all sessions of one configuration: the first session reads and compiles
 * the flows. All of them must use the same flows, functions and node types.
 */
export interface SharedFlows {
  prompted(make: () => ConversationFlow | null): ConversationFlow | null;
  taskFlows(read: () => ReturnType<typeof taskFlowsAmong>): ReturnType<typeof taskFlowsAmong>;
  library(make: () => FlowLibrary): FlowLibrary;
  /** Returns the flow of a hash if it was compiled before. */
  graphOf(hash: string): Graph | undefined;
  /** Makes new sessions read the flows again after a file has changed. Running sessions are unaffected. */
  renew(): void;
}

/** How many graphs are cached by hash, including older versions. */
const mostKept = 100;

export function createSharedFlows(): SharedFlows {
  let prompted: ConversationFlow | null | undefined;
  let taskFlows: ReturnType<typeof taskFlowsAmong> | null = null;
  let library: FlowLibrary | null = null;
  const byHash = new Map<string, Graph>();
  return {
    prompted: (make) => (prompted === undefined ? (prompted = make()) : prompted),
    taskFlows: (read) => (taskFlows ??= read()),
    library: (make) => (library ??= remembering(make(), byHash)),
    graphOf: (hash) => byHash.get(hash),
    renew() {
      prompted = undefined;
      taskFlows = null;
      library = null;
    },
  };
}

/** Wraps a library so that each flow is compiled once. Failures are not cached. */
function remembering(library: FlowLibrary, byHash: Map<string, Graph>): FlowLibrary {
  const compiled = new Map<FlowSource, Graph>();
  const opened = new Map<string, Graph>();
  const note = (graph: Graph): Graph => {
    const [oldest] = byHash.keys();
    if (byHash.size >= mostKept && oldest !== undefined) byHash.delete(oldest);
    byHash.set(graph.hash, graph);
    return graph;
  };
  return {
    compile(flow) {
      const known = compiled.get(flow);
      if (known !== undefined) return known;
      const graph = note(library.compile(flow));
      compiled.set(flow, graph);
      return graph;
    },
    compileAnew(flow) {
      const graph = note(library.compileAnew(flow));
      compiled.set(flow, graph);
      return graph;
    },
    compileKept(document, hash) {
      const known = hash === undefined ? undefined : byHash.get(hash);
      return known ?? note(library.compileKept(document));
    },
    async open(name) {
      const known = opened.get(name);
      if (known !== undefined) return known;
      const graph = await library.open(name);
      if (graph !== null) opened.set(name, note(graph));
      return graph;
    },
    generatorOf: (name) => library.generatorOf(name),
  };
}
