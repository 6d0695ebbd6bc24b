import type { DocumentPath, Problem } from '../../document/problems/diagnostic.ts';
import type { TaskNodeDocument, TaskPartDocument } from '../../document/task-node.ts';
import type { PromptReader } from './prompt-file.ts';

type Prompted = Pick<TaskNodeDocument, 'prompt' | 'promptFile' | 'body'>;

/** Replaces the names of prompt files by their texts, in tasks and in tasks inside them. */
export interface TaskPrompts {
  /** The node with its `prompt`, if it has one, and without the name of a file. */
  node<Node extends Prompted>(node: Node, path: DocumentPath): Omit<Node, 'promptFile'>;
  part<Part extends TaskPartDocument>(part: Part, path: DocumentPath): Part;
  readonly problems: readonly Problem[];
  /** The number of tasks. */
  readonly count: number;
}

export function createTaskPrompts(reader: PromptReader): TaskPrompts {
  const problems: Problem[] = [];
  let count = 0;
  const prompts: TaskPrompts = {
    problems,
    get count() {
      return count;
    },
    node(node, path) {
      const { promptFile, ...rest } = node;
      if (promptFile !== undefined && rest.prompt !== undefined)
        problems.push({
          code: 'conflicting-keys',
          severity: 'error',
          path: [...path, 'promptFile'],
          atKey: true,
          message: 'a node has one prompt, and this one has two.',
          hint: 'Keep either prompt or prompt_file.',
        });
      const text = promptFile === undefined ? undefined : reader.read(promptFile, path);
      const body = rest.body === undefined ? undefined : prompts.part(rest.body, [...path, 'body']);
      return { ...rest, ...(body === undefined ? {} : { body }), ...(text === undefined ? {} : { prompt: text }) };
    },
    part(part, path) {
      const nodes = mapNodes(part.nodes, (node, key) => {
        count += 1;
        return prompts.node(node, [...path, 'nodes', key]);
      });
      return { ...part, nodes };
    },
  };
  return prompts;
}

type Nodes = TaskPartDocument['nodes'];

function mapNodes(nodes: Nodes, change: (node: TaskNodeDocument, key: string | number) => TaskNodeDocument): Nodes {
  if (Array.isArray(nodes)) return nodes.map(change);
  return Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, change(node, id)]));
}
