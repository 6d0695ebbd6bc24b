import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { Graph, GraphNode, Prompt } from '../graph/graph.ts';
import type { NodeSource, NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { placeOf } from './place.ts';
import { alwaysLeads } from './ways/ways-out.ts';

/** Limit in characters. Longer prompts slow every turn, and models follow them badly. */
const longestPrompt = 8_000;

/** Reports prompts that are missing, unused or too long, and nodes that leave the caller in silence. */
export function checkPrompts(report: Report, graph: Graph, sources: NodeSources): void {
  const hasPersona =
    graph.persona.length > 0 ||
    graph.document.promptFile !== undefined ||
    [...graph.nodes.values()].some(({ persona }) => persona !== null && persona.length > 0);
  reportLong(report, graph.persona, ['roleMessages']);
  for (const source of sources.values()) {
    const node = graph.nodes.get(source.id);
    if (node === undefined || source.source.type !== undefined || node.interrupt !== null) continue;
    reportLong(report, node.persona ?? [], [...source.path, 'roleMessages']);
    reportLong(report, node.messages, [...source.path, 'taskMessages']);
    const hasPrompt = node.messages.length > 0 || source.source.promptFile !== undefined;
    if (hasPrompt && isNeverAsked(graph, node)) reportUnread(report, node, source);
    if (!hasPrompt && !hasPersona && callsModel(graph, node)) {
      const { path, atKey } = placeOf(source);
      addProblem(
        report,
        'warning',
        'model-without-prompt',
        path,
        `the model is called in node "${node.id}" without any prompt.`,
        {
          hint: 'Add task_messages to the node, or role_messages to the flow.',
          atKey,
        },
      );
    }
    if (!hasPrompt && isSilent(node)) {
      const { path, atKey } = placeOf(source);
      addProblem(
        report,
        'warning',
        'silent-node',
        path,
        `node "${node.id}" has nothing to say or ask, and waits for the caller.`,
        {
          hint: 'Add a say or task_messages, or respond_immediately: false if that is meant.',
          atKey,
        },
      );
    }
  }
}

function reportLong(report: Report, prompts: readonly Prompt[], path: DocumentPath): void {
  for (const [index, { content }] of prompts.entries()) {
    if (content.source.length <= longestPrompt) continue;
    addProblem(
      report,
      'warning',
      'prompt-too-long',
      [...path, index, 'content'],
      `this prompt has ${content.source.length} characters.`,
      {
        hint: `Keep it below ${longestPrompt}: say in each node only what matters there.`,
      },
    );
  }
}

function reportUnread(report: Report, node: GraphNode, { path, source }: NodeSource): void {
  const key = source.taskMessages === undefined ? 'promptFile' : 'taskMessages';
  addProblem(
    report,
    'warning',
    'say-and-prompt',
    [...path, key],
    `node "${node.id}" says its text and never asks the model, so this is never read.`,
    {
      hint: 'Remove the say, or this.',
      atKey: true,
    },
  );
}

/** Checks whether a node says its `say` and ends or is left before the model is called. */
function isNeverAsked(graph: Graph, node: GraphNode): boolean {
  if (node.say === null || node.call !== null) return false;
  if (node.end !== null) return true;
  return (
    node.keys.size === 0 &&
    node.functions.length === 0 &&
    graph.functions.length === 0 &&
    node.collect.length === 0 &&
    alwaysLeads(node)
  );
}

/** Checks whether the model can be called in a node without its own prompt. */
function callsModel(graph: Graph, node: GraphNode): boolean {
  // A node with a call asks the model only if something is missing.
  if (node.end !== null || node.call !== null) return false;
  if (node.functions.length > 0) return true;
  return node.collect.some((name) => graph.slots.get(name)?.ask === null);
}

function isSilent(node: GraphNode): boolean {
  const { say, functions, collect, end, respondImmediately, preActions, postActions } = node;
  if (say !== null || end !== null || node.call !== null || !respondImmediately) return false;
  return [functions, collect, preActions, postActions].every((list) => list.length === 0);
}
