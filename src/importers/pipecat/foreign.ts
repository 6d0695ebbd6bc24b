import type { DocumentPath, PathSegment, Problem } from '../../flow/document/problems/diagnostic.ts';
import { isRecord, type Members } from './rewrite.ts';

/**
 * Returns the one problem of a document that another product has written and that cannot be read. Returns undefined for
 * every other value.
 */
export function foreignDocument(raw: unknown): Problem | undefined {
  const { value, path } = unwrapped(raw);
  if (!isRecord(value) || isOurs(value)) return undefined;
  for (const { name, tells, hint, imports = false } of formats) {
    const key = tells(value);
    if (key === undefined) continue;
    return {
      code: 'unsupported-format',
      severity: 'error',
      message: `this is ${name}, which ${imports ? 'cannot be read directly' : 'cannot be imported'}.`,
      hint: imports ? `${byCommand} ${hint}`.trim() : hint,
      path: [...path, ...(Object.hasOwn(value, key) ? [key] : [])],
      atKey: true,
    };
  }
  return undefined;
}

interface ForeignFormat {
  /** With its article, as in "this is …". */
  readonly name: string;
  /** The root key that identifies the format, or undefined if the document does not have this format. */
  readonly tells: (root: Members) => string | undefined;
  /** Advice for the author. */
  readonly hint: string;
  /** Whether `roomflow import` can convert it to a flow of ours. */
  readonly imports?: boolean;
}

/** The answer of an API holds the document under the name of its kind, or as the only item of a list. */
function unwrapped(raw: unknown): { readonly value: unknown; readonly path: DocumentPath } {
  const path: PathSegment[] = [];
  let value = raw;
  for (let level = 0; level < 3; level += 1) {
    const list = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : undefined;
    const key = list !== undefined ? 0 : isRecord(value) ? wrapperOf(value) : undefined;
    if (key === undefined) break;
    path.push(key);
    value = list === undefined ? (value as Members)[key] : list[0]; // A wrapper is a key of a map.
  }
  return { value, path };
}

const wrappers = ['squad', 'workflow', 'assistant', 'agent', 'workflow_definition', 'workflow_json'];

function wrapperOf(value: Members): string | undefined {
  return wrappers.find((key) => isRecord(own(value, key)) && Object.keys(value).length <= 3);
}

/** Checks whether a document is ours, or has one of the Pipecat formats that can be read. */
function isOurs(root: Members): boolean {
  if (isRecord(own(root, 'flow')) || isRecord(own(root, 'nodes')) || has(root, 'schema_version')) return true;
  return (has(root, 'initial_node') || has(root, 'initialNode')) && !has(root, 'system_prompt');
}

const byCommand = 'Write it as a flow of ours: roomflow import FILE --out flow.yaml.';
const inWords = 'a condition in words becomes the description of a function with transition_to';
const asNodes = `Write its nodes under initial_node and nodes: fixed sentences become say, prompts task_messages, and ${inWords}.`;
const asPrompts = `Write it under initial_node and nodes: each prompt becomes the task_messages of a node, and ${inWords}.`;

/** Tried in this order, because some formats contain what looks like another one. The first match is used. */
const formats: readonly ForeignFormat[] = [
  {
    name: 'an export of the Pipecat Flows editor, whose decisions are Python code',
    imports: true,
    tells: (root) => {
      const id = own(root, '$id');
      if (typeof id === 'string' && id.includes('flows.pipecat.ai')) return '$id';
      const isOfEditor = ({ type, data }: Members): boolean =>
        isRecord(data) && (has(data, 'task_messages') || has(data, 'role_messages') || editorTypes.has(String(type)));
      return someNode(root, isOfEditor) ? 'nodes' : undefined;
    },
    hint: '',
  },
  {
    name: 'a Dograh workflow',
    tells: (root) =>
      someNode(root, ({ type }) => typeof type === 'string' && dograhTypes.has(type)) ? 'nodes' : undefined,
    hint: asPrompts,
  },
  {
    name: 'a Retell agent with its conversation flow',
    imports: true,
    tells: (root) => (isRecord(own(root, 'conversationFlow')) ? 'conversationFlow' : undefined),
    hint: '',
  },
  {
    name: 'a Retell conversation flow',
    imports: true,
    tells: (root) => {
      if (!Array.isArray(own(root, 'nodes'))) return undefined;
      const known = firstOf(root, ['start_node_id', 'global_prompt', 'start_speaker']);
      const isRetell = ({ type, instruction, edges }: Members): boolean =>
        typeof type === 'string' &&
        retellTypes.has(type) &&
        (isRecord(instruction) || (Array.isArray(edges) && edges.some((edge) => has(edge, 'transition_condition'))));
      return known ?? (someNode(root, isRetell) ? 'nodes' : undefined);
    },
    hint: '',
  },
  {
    name: 'a Retell LLM',
    imports: true,
    tells: (root) => {
      if (isRecord(own(root, 'retellLlmData'))) return 'retellLlmData';
      return firstOf(root, ['general_prompt', 'general_tools', 'starting_state', 'llm_id']);
    },
    hint: '',
  },
  {
    name: 'a Vapi workflow',
    imports: true,
    tells: (root) => {
      const isVapi = ({ type }: Members): boolean => typeof type === 'string' && vapiTypes.has(type.toLowerCase());
      return someNode(root, isVapi) && Array.isArray(own(root, 'edges')) ? 'nodes' : undefined;
    },
    hint: '',
  },
  {
    name: 'a Vapi squad',
    imports: true,
    tells: (root) => {
      const members = own(root, 'members');
      const isMember = (member: unknown): boolean => has(member, 'assistant') || has(member, 'assistantId');
      return Array.isArray(members) && members.some(isMember) ? 'members' : undefined;
    },
    hint: '',
  },
  {
    name: 'a Vapi assistant',
    imports: true,
    tells: (root) => {
      const model = own(root, 'model');
      const isVapi = has(model, 'provider') && (has(model, 'messages') || has(model, 'tools') || has(model, 'model'));
      return isVapi || (has(root, 'firstMessage') && has(root, 'model')) ? 'model' : undefined;
    },
    hint: '',
  },
  {
    name: 'a flow of livekit-flows',
    tells: (root) => (has(root, 'system_prompt') && Array.isArray(own(root, 'nodes')) ? 'system_prompt' : undefined),
    hint: 'Rename: system_prompt is role_messages, static_text say, instruction task_messages, and each edge a function.',
  },
  {
    name: 'a file of Rasa flows',
    imports: true,
    tells: (root) => {
      const flows = own(root, 'flows');
      return isRecord(flows) && Object.values(flows).some((flow) => has(flow, 'steps')) ? 'flows' : undefined;
    },
    hint: 'FILE is the folder or zip archive of the whole project.',
  },
  {
    name: 'a Rasa domain',
    imports: true,
    tells: (root) => {
      const keys = ['slots', 'responses', 'actions', 'intents', 'entities', 'session_config', 'forms'];
      const found = keys.filter((key) => has(root, key));
      return found.length >= 2 && !has(root, 'nodes') ? found[0] : undefined;
    },
    hint: 'FILE is the folder or zip archive of the whole project.',
  },
  {
    name: 'a Dialogflow CX agent',
    imports: true,
    tells: (root) => firstOf(root, ['startFlow', 'startPlaybook']),
    hint: 'FILE is the folder or zip archive of the whole project.',
  },
  {
    name: 'a part of a Dialogflow CX agent',
    imports: true,
    tells: (root) => firstOf(root, ['transitionRoutes', 'eventHandlers', 'nluSettings', 'entryFulfillment']),
    hint: 'FILE is the folder or zip archive of the whole project.',
  },
  {
    name: 'a Voiceflow project',
    tells: (root) =>
      isRecord(own(root, 'diagrams')) || (isRecord(own(root, 'programs')) && has(root, 'project'))
        ? firstOf(root, ['diagrams', 'programs'])
        : undefined,
    hint: 'Write its blocks under initial_node and nodes: text becomes say, capture a slot, if an edge with when.',
  },
  {
    name: 'a topic of Copilot Studio',
    tells: (root) => {
      const isTopic = own(root, 'kind') === 'AdaptiveDialog' || isRecord(own(root, 'beginDialog'));
      return isTopic ? firstOf(root, ['kind', 'beginDialog']) : undefined;
    },
    hint: 'Write its actions under initial_node and nodes: SendActivity becomes say, Question a slot, ConditionGroup edges.',
  },
  {
    name: 'an ElevenLabs agent',
    tells: (root) => (isRecord(own(root, 'conversation_config')) ? 'conversation_config' : undefined),
    hint: asPrompts,
  },
  {
    name: 'a Retell agent without its flow',
    tells: (root) => (isRecord(own(root, 'response_engine')) ? 'response_engine' : undefined),
    hint: `Export its conversation flow or LLM as well. ${asNodes}`,
  },
];

const editorTypes = new Set(['initial', 'node', 'end']);

const vapiTypes = new Set([
  'conversation',
  'tool',
  'hangup',
  'say',
  'gather',
  'apirequest',
  'transfer',
  'transfercall',
  'endcall',
]);

const dograhTypes = new Set(['startCall', 'agentNode', 'endCall', 'globalNode']);

const retellTypes = new Set(
  (
    'conversation subagent function code branch logic_split extract_dynamic_variables transfer_call press_digit sms ' +
    'agent_swap mcp component bridge_transfer cancel_transfer end'
  ).split(' '),
);

function someNode(root: Members, test: (node: Members) => boolean): boolean {
  const nodes = own(root, 'nodes');
  return Array.isArray(nodes) && nodes.some((node: unknown) => isRecord(node) && test(node));
}

function firstOf(root: Members, keys: readonly string[]): string | undefined {
  return keys.find((key) => has(root, key) && own(root, key) !== null);
}

function has(value: unknown, key: string): boolean {
  return isRecord(value) && Object.hasOwn(value, key);
}

function own(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
