import { isRecord, type Members } from './rewrite.ts';

/**
 * Checks whether a document is a `FlowConfig` of Pipecat: it has something that only a FlowConfig has, and nothing that
 * a FlowConfig cannot have. Its functions are code that is described in code, except those marked as `transition_only`.
 */
export function isFlowConfig(root: Members, isVoiceField: (key: string) => boolean): boolean {
  const hasOnly = (members: unknown, keys: ReadonlySet<string>): members is Members =>
    isRecord(members) && Object.keys(members).every((key) => keys.has(key) || isVoiceField(key));
  if (!hasOnly(root, rootKeys) || !isRecord(root['nodes'])) return false;
  const nodes = Object.values(root['nodes']);
  const functions = [root, ...nodes].flatMap((part): readonly unknown[] => {
    const listed = isRecord(part) ? (part === root ? part['global_functions'] : part['functions']) : undefined;
    return Array.isArray(listed) ? listed : [];
  });
  const isMarked =
    Object.hasOwn(root, 'global_functions') ||
    nodes.some((node) => isRecord(node) && Object.hasOwn(node, 'role_message')) ||
    functions.some((one) => isRecord(one) && Object.hasOwn(one, 'transition_only'));
  return (
    isMarked && nodes.every((node) => hasOnly(node, nodeKeys)) && functions.every((one) => hasOnly(one, functionKeys))
  );
}

const rootKeys = new Set(['$schema', 'initial_node', 'nodes', 'global_functions']);
const nodeKeys = new Set(
  'role_message task_messages functions pre_actions post_actions context_strategy respond_immediately'.split(' '),
);
const functionKeys = new Set(['name', 'description', 'transition_only', 'transition_to']);
