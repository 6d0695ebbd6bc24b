import type { Draft } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system, type Talk, type Exit, writeRoute, writeTalk } from '../router.ts';
import type { Source } from '../source.ts';
import { templateText } from '../template.ts';
import { shortly, plainText } from '../words.ts';
import { edgesOf, specialEdge, waysOf } from './edges.ts';
import { type Exits, instructionOf } from './instruction.ts';
import { descriptionOf } from './nodes.ts';
import type { KeyedNode, Scope, Scopes } from './scopes.ts';
import { readSubagentTools } from './subagent.ts';
import { variablesSchema } from './tools.ts';
import { writeTransfer } from './write-transfer.ts';
import { writeFunction } from './write-function.ts';

/** Writes one node of Retell, which may become several nodes. */
export function writeNode(draft: Draft, node: KeyedNode, scope: Scope, scopes: Scopes): void {
  const { source, id } = node;
  const type = source.text('type') ?? 'conversation';
  for (const key of ['name', 'display_position']) source.at(key).take();
  writeGlobal(draft, source, id, scopes);
  const edges = edgesOf(draft, source.items('edges'), scope.resolve);
  const always = specialEdge(draft, source.at('always_edge'), scope.resolve);
  const otherwise = specialEdge(draft, source.at('else_edge'), scope.resolve);
  const onward = edges.always ?? always.onward ?? otherwise.onward;
  const all = [...edges.ways, ...always.ways, ...otherwise.ways];
  // Next to an edge that is always taken, the other edge is for a failure.
  const failed = onward === otherwise.onward ? undefined : otherwise.onward;
  const about = descriptionOf(source, id);
  const name = JSON.stringify(shortly(about.description ?? id));
  // Nodes that are reported as lost are not also reported as taken.
  if (counterparts.has(type)) draft.notes.taken(source, `${type} ${name} is node ${id}`);
  for (const key of ['finetune_conversation_examples', 'finetune_transition_examples']) {
    if (!isFilled(source.at(key).take())) continue;
    draft.notes.lost(source.at(key), `"${key}": write what matters of them into prompts and descriptions`);
  }
  switch (type) {
    case 'conversation':
    case 'subagent':
      return writeConversation(draft, node, scope, { ways: all, onward, about, skip: edges.skip });
    case 'branch':
    case 'logic_split':
      return writeRoute(draft, id, all, { onward, place: source, ...about });
    case 'extract_dynamic_variables':
    case 'extract_dynamic_variable':
      return writeExtraction(draft, source, id, { ways: all, onward, about });
    case 'function':
    case 'code':
    case 'mcp':
    case 'sms':
      return writeFunction(draft, node, scope, { type, ways: all, onward, failed, about });
    case 'transfer_call':
    case 'agent_swap':
    case 'bridge_transfer': {
      const failure = specialEdge(draft, source.at('edge'), scope.resolve);
      const { say, prompt } = instructionOf(draft, source);
      tellSilent(draft, source);
      if (type !== 'agent_swap')
        return writeTransfer(draft, source, id, { about, say, prompt, failed: failure.onward });
      const said = {
        ...(say === undefined ? {} : { say }),
        ...(prompt === undefined ? {} : { task_messages: [system(prompt)] }),
      };
      draft.node(id, { ...about, ...said, ...handoverEnd(draft, source) }, source);
      return;
    }
    case 'component':
      return writeComponent(draft, node, scope, scopes, { ways: all, onward, about });
    case 'end': {
      const { say, prompt } = instructionOf(draft, source);
      tellSilent(draft, source);
      draft.node(
        id,
        {
          ...about,
          ...(say === undefined ? {} : { say }),
          ...(prompt === undefined ? {} : { task_messages: [system(prompt)] }),
          end: 'ended',
        },
        source,
      );
      return;
    }
    case 'press_digit':
      return writePress(draft, node, { ways: all, onward, about });
    case 'cancel_transfer': {
      instructionOf(draft, source);
      draft.notes.lost(source, `breaking a transfer off: node ${id} only leads on`);
      return writeRoute(draft, id, all, { onward, place: source, ...about });
    }
    default:
      draft.notes.lost(
        source,
        `${name} of type "${type}" is not known: node ${id} says what its instruction says, and leads on`,
      );
      return writeConversation(draft, node, scope, { ways: all, onward, about, skip: edges.skip });
  }
}

/** Writes keys that the agent presses, if the instruction names them. */
function writePress(draft: Draft, { source, id }: KeyedNode, { ways, onward, about }: Exits): void {
  const { prompt = '', say = prompt } = instructionOf(draft, source);
  const delayMs = source.number('delay_ms') ?? 0;
  const named = say.match(/(?<![\w.,])[\d*#]+(?![\w]|[.,]\d)/g) ?? [];
  const [keys] = named;
  if (named.length !== 1 || keys === undefined) {
    draft.notes.lost(source, `keys that the agent presses: node ${id} only leads on; write send_keys with the keys`);
    return writeRoute(draft, id, ways, { onward, place: source, ...about });
  }
  draft.notes.taken(source, `node ${id} presses ${keys}`);
  const then = draft.id(`${id}_then`);
  const press = { type: 'send_keys', keys: `${'w'.repeat(Math.min(20, Math.round(delayMs / 500)))}${keys}` };
  draft.node(id, { ...about, type: 'control.noop', pre_actions: [press], default_transition: then }, source);
  writeRoute(draft, then, ways, { onward, place: source });
}

/** Types of nodes that have a close counterpart here. */
const counterparts: ReadonlySet<string> = new Set([
  ...['conversation', 'subagent', 'branch', 'logic_split', 'extract_dynamic_variables', 'extract_dynamic_variable'],
  ...['function', 'code', 'mcp', 'sms', 'transfer_call', 'agent_swap', 'bridge_transfer', 'component', 'end'],
]);

function writeConversation(
  draft: Draft,
  { source, id }: KeyedNode,
  scope: Scope,
  { ways, onward, about, skip: skipped }: Exits & { readonly skip: string | undefined },
): void {
  const { say, prompt } = instructionOf(draft, source);
  const talk: Talk = {
    ...about,
    ...(say === undefined ? {} : { say }),
    ...(prompt === undefined ? {} : { task_messages: [system(prompt)] }),
  };
  const own = specialEdge(draft, source.at('skip_response_edge'), scope.resolve);
  const skip = skipped === undefined || own.onward !== undefined ? own : { ...own, onward: skipped };
  if (skip.onward !== undefined || skip.ways.length > 0) {
    for (const way of ways)
      draft.notes.lost(way.place, 'an edge beside "skip response": the caller is not heard there');
    return writeUnheard(draft, source, id, talk, skip);
  }
  const functions = readSubagentTools(draft, source, id, scope);
  const isEmpty = say === undefined && prompt === undefined && functions.length === 0;
  if (isEmpty)
    draft.notes.changed(source, 'a node without an instruction: the model speaks there as the global prompt says');
  const spoken = isEmpty ? { ...talk, task_messages: [system('Go on with the conversation.')] } : talk;
  writeTalk(draft, id, spoken, ways, { ...(onward === undefined ? {} : { onward }), place: source, functions });
}

/** A node that speaks and continues immediately. */
function writeUnheard(
  draft: Draft,
  source: Source,
  id: string,
  talk: Talk,
  skip: { readonly onward?: string; readonly ways: readonly Exit[] },
): void {
  const next = skip.ways.length === 0 && skip.onward !== undefined ? skip.onward : draft.id(`${id}_next`);
  if (next !== skip.onward) writeRoute(draft, next, skip.ways, { onward: skip.onward, place: source });
  if (talk.say !== undefined) return draft.node(id, { ...talk, listen: false, default_transition: next }, source);
  // A function that the model calls while it speaks continues without the caller.
  const { task_messages = [], ...rest } = talk;
  const messages = [...task_messages, system('Say that, ask nothing, and call go_on in the same answer.')];
  const goOn = { name: 'go_on', description: 'It has been said.', transition_to: next };
  draft.node(id, { ...rest, task_messages: messages, functions: [goOn], default_transition: next }, source);
}

/** Makes the model keep the values of some variables without saying anything, and decides by them. */
function writeExtraction(draft: Draft, source: Source, id: string, { ways, onward, about }: Exits): void {
  const variables = source.items('variables');
  const parameters = variablesSchema(draft, variables);
  instructionOf(draft, source);
  const isDirect = ways.length === 0 && onward !== undefined;
  const next = isDirect ? onward : draft.id(`${id}_next`);
  if (!isDirect) writeRoute(draft, next, ways, { onward, place: source });
  const keep = {
    name: 'keep_values',
    description: 'Keeps what the caller has said of these values.',
    parameters,
    transition_to: next,
  };
  const told =
    'Say nothing. Call keep_values now, with every value that the conversation has shown so far; leave the others out.';
  draft.notes.changed(source, 'variables are extracted by a function that the model calls at once, in one inference');
  draft.node(id, { ...about, task_messages: [system(told)], functions: [keep], default_transition: next }, source);
}

function handoverEnd(draft: Draft, source: Source): { readonly end: string } {
  const whom = plainText(source.at('agent_id').take() ?? '');
  for (const key of [
    'agent_version',
    'post_call_analysis_setting',
    'webhook_setting',
    'keep_current_language',
    'keep_current_voice',
  ])
    source.at(key).take();
  draft.notes.changed(
    source,
    `agent_swap${whom === '' ? '' : ` to ${whom}`} became the end of the flow for the reason "agent-swap": let a router or a handoff lead on from there`,
  );
  return { end: 'agent-swap' };
}

/** The nodes of a component are copied into the flow, once for each node that runs it. */
function writeComponent(
  draft: Draft,
  { source, id }: KeyedNode,
  scope: Scope,
  scopes: Scopes,
  { ways, onward, about }: Exits,
): void {
  const isDirect = ways.length === 0 && onward !== undefined;
  const hasExit = isDirect || ways.length > 0 || onward !== undefined;
  const exit = isDirect ? onward : hasExit ? draft.id(`${id}_next`) : undefined;
  if (!isDirect && exit !== undefined) writeRoute(draft, exit, ways, { onward, place: source });
  const opened = scopes.open(source, id, exit, scope);
  source.at('component_type').take();
  const to = opened?.start ?? exit;
  if (opened !== undefined)
    draft.notes.changed(source, 'the nodes of its component stand in the flow, with its name before theirs');
  writeRoute(draft, id, [], { onward: to, place: source, ...about });
}

/** A node that can be reached from everywhere is a function of the flow. */
function writeGlobal(draft: Draft, source: Source, id: string, scopes: Scopes): void {
  const setting = source.at('global_node_setting');
  if (!isRecord(setting.value)) return;
  const condition = setting.text('condition');
  for (const key of ['positive_finetune_examples', 'negative_finetune_examples', 'cool_down']) {
    if (isFilled(setting.at(key).take())) draft.notes.lost(setting.at(key), `"${key}" of a global node`);
  }
  const backs = setting.items('go_back_conditions');
  if (condition === undefined) {
    draft.notes.lost(setting, 'a global node without a condition is reached by its edges alone');
    return;
  }
  draft.root.functions.push({
    name: draft.functionName(`to_${id}`),
    description: templateText(draft, condition, setting),
    ...(backs.length === 0 ? {} : { digression: true }),
    transition_to: id,
  });
  draft.notes.taken(setting, `a global node is a function of the flow that leads to ${id}`);
  const ways = waysOf(draft, backs, () => '$return');
  if (ways.length > 0) scopes.backs.push({ id, ways });
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** Reports silent ends: here, the line of an end is always said. */
function tellSilent(draft: Draft, source: Source): void {
  if (source.flag('speak_during_execution') === false && source.has('instruction'))
    draft.notes.changed(source, '"speak_during_execution" is false: the line of this node is said all the same');
}
