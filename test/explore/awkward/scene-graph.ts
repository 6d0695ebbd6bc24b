import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { isGeneratorFlow } from '../../../src/flow/document/generator.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import { checkFlow } from '../../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../../src/flow/nodes/builtin.ts';
import type { Scene } from './scene.ts';

/** A deliberate fault in a flow. Only scenes whose source is a document can have one. */
export type FlowFault = (flow: ConversationFlow) => ConversationFlow;

const graphs = new Map<Scene, Graph>();

/** Returns the flow of a scene. Each flow is compiled once for all calls. */
export function graphOf(scene: Scene): Graph {
  const known = graphs.get(scene);
  if (known !== undefined) return known;
  const graph = compiled(scene);
  graphs.set(scene, graph);
  return graph;
}

export function compiled(scene: Scene, fault: FlowFault = (flow) => flow): Graph {
  const functions = new Set(Object.keys(scene.tools()));
  const source = talksByDocument(scene.source) ? fault(scene.source) : scene.source;
  const { graph, diagnostics } = checkFlow(source, { catalog: builtinCatalog, functions, handlers: functions });
  if (graph === null)
    throw new Error(`${scene.name} does not compile: ${diagnostics.map(({ message }) => message).join('; ')}`);
  return graph;
}

function talksByDocument(source: Scene['source']): source is ConversationFlow {
  return typeof source === 'object' && !isGeneratorFlow(source);
}
