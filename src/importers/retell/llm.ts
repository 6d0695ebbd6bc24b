import { createDraft, type Draft, type Drafted } from '../draft.ts';
import type { DraftFunction, DraftNode } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system } from '../router.ts';
import { keptArguments } from '../kept-arguments.ts';
import { argumentsSchema } from '../schema-of-arguments.ts';
import type { SourceDocument, Source } from '../source.ts';
import { templateText } from '../template.ts';
import { noteUnread } from '../unread-keys.ts';
import { createUnique, functionNameOf, plainText } from '../words.ts';
import { readAgent } from './agent.ts';
import { readVariables, waitForCaller } from './flow.ts';
import { readTool } from './read-tool.ts';

/** Converts an LLM of Retell (one prompt, or states), with or without its agent, to a document of ours. */
export function importRetellLlm(root: Source, reading: SourceDocument): Drafted {
  const draft = createDraft(root.file);
  const inside = root.at('retellLlmData');
  const llm = isRecord(inside.value) ? inside : root;
  draft.root.name = root.text('agent_name') ?? 'retell-llm';
  const prompt = llm.text('general_prompt');
  if (prompt !== undefined) {
    draft.root.role_messages = [system(templateText(draft, prompt, llm.at('general_prompt')))];
    draft.notes.taken(llm.at('general_prompt'), 'the general prompt is role_messages of the flow');
  }
  readVariables(draft, llm.at('default_dynamic_variables'));
  const names = createUnique();
  draft.root.functions.push(...llm.items('general_tools').flatMap((tool) => readTool(draft, tool, 'any', names)));
  const begin = writeStates(draft, llm);
  draft.root.initial = begin;
  sayFirst(draft, llm, begin);
  readAgent(draft, root);
  if (llm !== root)
    for (const key of ['llm_id', 'version', 'last_modification_timestamp', 'is_published']) llm.at(key).take();
  root.at('llm_id').take();
  noteUnread(draft, reading, root);
  return draft.finish();
}

/** Writes a node for each state, or one node for a prompt without states. Returns the first. */
function writeStates(draft: Draft, llm: Source): string {
  const states = llm.items('states').filter((state) => isRecord(state.value));
  if (states.length === 0) {
    const id = draft.id('main');
    draft.node(id, { task_messages: [system('Go on with the conversation as you were told.')] }, llm);
    return id;
  }
  const ids = new Map(
    states.map((state) => [plainText(state.at('name').value), draft.id(state.text('name') ?? 'state')]),
  );
  for (const state of states) writeState(draft, state, ids);
  const named = llm.text('starting_state');
  const first = ids.values().next().value ?? '';
  const found = named === undefined ? undefined : ids.get(named);
  if (named !== undefined && found === undefined)
    draft.notes.changed(
      llm.at('starting_state'),
      `the state ${JSON.stringify(named)} is not in the file: the flow begins in its first state`,
    );
  return found ?? first;
}

function writeState(draft: Draft, state: Source, ids: ReadonlyMap<string, string>): void {
  const id = ids.get(plainText(state.at('name').value)) ?? draft.id('state');
  const prompt = state.text('state_prompt');
  const names = createUnique(draft.root.functions.map(({ name }) => name));
  const tools = state.items('tools').flatMap((tool) => readTool(draft, tool, id, names));
  const moves = state.items('edges').flatMap((edge): readonly DraftFunction[] => {
    const to = edge.text('destination_state_name');
    const target = to === undefined ? undefined : ids.get(to);
    if (to === undefined || target === undefined) {
      draft.notes.lost(edge, `an edge to ${JSON.stringify(to ?? '')}, which is not in the file, was left out`);
      edge.take();
      return [];
    }
    const description = edge.text('description');
    if (edge.at('speak_during_transition').take() === true)
      draft.notes.changed(edge, 'speak_during_transition: the node that is entered speaks');
    const schema = argumentsSchema(edge.at('parameters').take());
    const parameters = schema === undefined ? undefined : keptArguments(draft, schema);
    return [
      {
        // Prompts may refer to it by this name.
        name: names.next(functionNameOf(`transition_to_${to}`)),
        description: description === undefined ? `Goes on to ${target}.` : templateText(draft, description, edge),
        ...(parameters === undefined ? {} : { parameters }),
        transition_to: target,
      },
    ];
  });
  draft.notes.taken(state, `state ${plainText(state.at('name').value)} is node ${id}`);
  const text =
    prompt === undefined
      ? 'Go on with the conversation as you were told.'
      : templateText(draft, prompt, state.at('state_prompt'));
  const functions = [...tools, ...moves];
  draft.node(id, { task_messages: [system(text)], ...(functions.length === 0 ? {} : { functions }) }, state);
}

/** The first message: a fixed one, one by the model, or none until the caller has spoken. */
function sayFirst(draft: Draft, llm: Source, begin: string): void {
  const message = llm.at('begin_message');
  if (typeof message.value !== 'string') {
    message.take();
    return waitForCaller(draft, llm, begin);
  }
  const text = llm.text('begin_message');
  llm.at('begin_message').take();
  if (text === undefined) {
    llm.text('start_speaker');
    const id = draft.id('wait_for_caller');
    draft.node(id, { respond_immediately: false, listen: true, default_transition: begin }, llm);
    draft.root.initial = id;
    return;
  }
  if (llm.text('start_speaker') === 'user') {
    draft.notes.lost(message, 'the first message is not said, for the caller speaks first');
    return waitForCaller(draft, llm, begin);
  }
  const say = templateText(draft, text, message);
  draft.notes.taken(message, 'the first message is said by itself, without the model');
  // It is said once, even if the conversation returns to the first state.
  const node: DraftNode = { say, listen: true, default_transition: begin };
  const id = draft.id('begin');
  draft.node(id, node, message);
  draft.root.initial = id;
}
