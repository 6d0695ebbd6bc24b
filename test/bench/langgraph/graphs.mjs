// The graphs of tasks.bench.ts for LangGraph. Plain JavaScript, because its types exist only after its installation.
import { setTimeout as wait } from 'node:timers/promises';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ done: Annotation({ reducer: (sum, one) => sum + one, default: () => 0 }) });
const noop = () => ({ done: 1 });

/** Runs one of the graphs to its end. Returns the number of executed nodes. */
export async function run(graph) {
  // One step for each node of the longest graph, plus start and end.
  const { done } = await graph.invoke({}, { recursionLimit: 10_100, maxConcurrency: 8 });
  return done;
}

export function chain(length) {
  const graph = new StateGraph(State);
  const ids = Array.from({ length }, (_, index) => `t${index}`);
  for (const id of ids) graph.addNode(id, noop);
  for (const [index, id] of ids.entries()) graph.addEdge(index === 0 ? START : `t${index - 1}`, id);
  return graph.addEdge(ids.at(-1), END).compile();
}

export function fan(width) {
  const graph = new StateGraph(State).addNode('first', noop).addNode('last', noop);
  const ids = Array.from({ length: width }, (_, index) => `t${index}`);
  for (const id of ids) graph.addNode(id, noop).addEdge('first', id);
  return graph.addEdge(START, 'first').addEdge(ids, 'last').addEdge('last', END).compile();
}

export function waits(times) {
  const graph = new StateGraph(State);
  for (const ms of times) {
    const waiting = async () => {
      await wait(ms);
      return noop();
    };
    graph.addNode(`wait${ms}`, waiting).addEdge(START, `wait${ms}`).addEdge(`wait${ms}`, END);
  }
  return graph.compile();
}
