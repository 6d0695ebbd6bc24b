import { plainText } from '../words.ts';
import type { Draft } from '../draft.ts';
import type { DraftMessage, DraftNode } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system } from '../router.ts';
import type { Source } from '../source.ts';
import { noteLost } from '../unread-keys.ts';
import { readTools, type ToolTargets } from './assistant-tools.ts';
import { readSilence } from './silence.ts';
import { liquidText } from './tools.ts';

/** Writes an assistant as one node: its role, its first line, and its tools. */
export function writeAssistant(
  draft: Draft,
  assistant: Source,
  id: string,
  { targets, isFirst, isAlone }: { targets: Pick<ToolTargets, 'assistant'>; isFirst: boolean; isAlone: boolean },
): void {
  const persona = readPersona(draft, assistant);
  const goodbye = assistant.text('endCallMessage');
  let isGoodbyeSaid = false;
  const tools: ToolTargets = {
    ...targets,
    goodbye() {
      isGoodbyeSaid = true;
      return goodbye === undefined ? undefined : liquidText(draft, goodbye, assistant.at('endCallMessage'));
    },
  };
  const functions = [
    ...readTools(draft, assistant.at('model'), id, tools),
    ...readTools(draft, assistant, id, tools),
  ].filter((one, index, all) => all.findIndex(({ name }) => name === one.name) === index);
  if (assistant.flag('endCallFunctionEnabled') === true && !functions.some(({ name }) => /end_?call/i.test(name))) {
    const to = draft.id(`${id} end call`);
    draft.node(to, { say: tools.goodbye() ?? 'Goodbye.', end: 'ended' }, assistant.at('endCallFunctionEnabled'));
    functions.push({ name: 'end_call', description: 'The caller is done.', transition_to: to });
  }
  if (goodbye !== undefined && !isGoodbyeSaid)
    draft.notes.lost(
      assistant.at('endCallMessage'),
      'endCallMessage: no function of this assistant ends the call with it. Write it as `say` of an end',
    );
  const first = firstMessage(draft, assistant);
  const ladder = readSilence(draft, assistant);
  readKeys(draft, assistant);
  const phrases = assistant.at('endCallPhrases').take();
  if (Array.isArray(phrases) && phrases.length > 0)
    draft.notes.lost(
      assistant.at('endCallPhrases'),
      'endCallPhrases: an end is a separate node, not a phrase of the agent',
    );
  readRest(assistant);
  if (isAlone) {
    draft.root.role_messages = persona;
    if (ladder !== undefined) draft.root.ladder = ladder;
  }
  const node: DraftNode = {
    ...(first.say === undefined ? {} : { say: first.say }),
    ...(isAlone || persona.length === 0 ? {} : { role_messages: persona }),
    // Without functions, the conversation would end after the first line.
    ...(functions.length === 0
      ? { task_messages: [system('Go on with the conversation as you were told.')] }
      : { functions }),
    ...(first.waits ? { respond_immediately: false } : {}),
    ...(isAlone || ladder === undefined ? {} : { ladder }),
  };
  draft.node(id, node, assistant);
  draft.notes.taken(
    assistant,
    `assistant ${JSON.stringify(plainText(assistant.at('name').value ?? id))} is node ${id}`,
  );
  if (isFirst) draft.root.initial = id;
}

/** The prompts of an assistant, from every place that may have one. */
export function readPersona(draft: Draft, assistant: Source): readonly DraftMessage[] {
  const model = assistant.at('model');
  const listed = model.items('messages').flatMap((message): readonly DraftMessage[] => {
    const role = message.text('role') ?? 'system';
    const content = message.text('content');
    if (content === undefined) return [];
    if (role !== 'system' && role !== 'user' && role !== 'assistant') {
      draft.notes.lost(message, `a message of the role "${role}"`);
      return [];
    }
    return [{ role, content: liquidText(draft, content, message) }];
  });
  const older = [model.text('systemPrompt'), assistant.text('systemPrompt'), assistant.text('instructions')];
  const prompts = older.flatMap((text) => (text === undefined ? [] : [system(liquidText(draft, text, model))]));
  if (listed.length + prompts.length > 0) draft.notes.taken(model, 'the prompt of an assistant is role_messages');
  return [...prompts, ...listed];
}

function firstMessage(draft: Draft, assistant: Source): { readonly say?: string; readonly waits: boolean } {
  const mode = assistant.text('firstMessageMode') ?? 'assistant-speaks-first';
  const text = assistant.text('firstMessage');
  assistant.at('firstMessage').take();
  if (assistant.flag('firstMessageInterruptionsEnabled') !== undefined)
    draft.notes.lost(
      assistant.at('firstMessageInterruptionsEnabled'),
      'firstMessageInterruptionsEnabled: when a caller interrupts is decided by the AgentSession',
    );
  if (mode === 'assistant-waits-for-user') {
    if (text !== undefined)
      draft.notes.lost(assistant.at('firstMessage'), 'the first message is not said, for the caller speaks first');
    return { waits: true };
  }
  if (mode === 'assistant-speaks-first-with-model-generated-message' || text === undefined) return { waits: false };
  if (/^https?:\/\/\S+$/.test(text.trim())) {
    draft.notes.lost(assistant.at('firstMessage'), 'a first message that is a file of sound: the model speaks first');
    return { waits: false };
  }
  draft.notes.taken(assistant.at('firstMessage'), 'the first message is said by itself, without the model');
  return { say: liquidText(draft, text, assistant.at('firstMessage')), waits: false };
}

export function readKeys(draft: Draft, holder: Source): void {
  noteLost(draft, holder.at('keypadInputPlan'), ['timeoutSeconds', 'delimiters']);
  const plan = holder.at('keypadInputPlan').take();
  if (isRecord(plan) && plan['enabled'] !== false)
    draft.notes.changed(
      holder.at('keypadInputPlan'),
      'keys that a caller presses are their words: digits are taken as they come, without a delimiter',
    );
}

/** Reads keys that have no effect on the conversation. */
function readRest(assistant: Source): void {
  for (const key of ['name', 'metadata', 'isServerUrlSecretSet']) assistant.at(key).take();
}

/** Values that are given to a call. */
export function readValues(draft: Draft, map: Source): void {
  for (const [theirs, part] of map.members()) {
    const value = part.take();
    if (value === null || value === undefined) continue;
    draft.first(draft.name(theirs, 'read'), value);
    draft.notes.taken(part, `variable ${theirs} has its value as a default`);
  }
}
