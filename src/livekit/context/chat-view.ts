import { llm } from '@livekit/agents';
import type { View } from '../../kernel/state/view.ts';
import type { CallOutput } from '../../engine/calls/call-output.ts';

/** LiveKit's item id for an agent's instructions; not exported there. */
const instructionsId = 'lk.agent_task.instructions';

/** The position from which the model sees the conversation, and the summary of the part before it. */
export interface ChatCut {
  /** The last hidden item. */
  readonly afterItem: string | null;
  readonly summary: string | null;
}

/** Looks up the outputs of calls, and messages without asides. */
export interface ChatMembers {
  readonly outputOf: (callId: string) => CallOutput | undefined;
  readonly withoutAsides: (message: llm.ChatMessage) => llm.ChatMessage | null;
}

/**
 * Returns the conversation as the model sees it in the current node: the node's prompt, the visible history
 * without asides, and a closing message with the current facts. Each call directly precedes its output; calls
 * without an output never ran and are omitted. `said`: the caller's words that are not in the history yet.
 */
export function chatView(
  items: readonly llm.ChatItem[],
  view: View,
  cut: ChatCut | null,
  { outputOf, withoutAsides }: ChatMembers,
  said?: llm.ChatMessage,
): llm.ChatContext {
  const shown: llm.ChatItem[] = [
    llm.ChatMessage.create({ id: instructionsId, role: 'system', content: view.instructions, createdAt: 0 }),
  ];
  for (const [index, { role, content }] of view.messages.entries())
    shown.push(llm.ChatMessage.create({ id: `flow.prompt.${view.visit}.${index}`, role, content, createdAt: 0 }));
  if (cut !== null && cut.summary !== null)
    shown.push(
      llm.ChatMessage.create({
        id: `flow.summary.${view.visit}`,
        role: 'system',
        content: `Summary of the conversation so far: ${cut.summary}`,
        createdAt: 0,
      }),
    );
  const visible = afterCut(items, cut);
  const outputs = new Map<string, llm.FunctionCallOutput>();
  for (const item of visible) if (item.type === 'function_call_output') outputs.set(item.callId, item);
  // Calls made together stay together, followed by their outputs.
  let group: llm.FunctionCallOutput[] = [];
  let isAnswered = false;
  /** Index of the first call of the group. */
  let start: number | null = null;
  const endGroup = (): void => {
    shown.push(...group);
    group = [];
    isAnswered = false;
    start = null;
  };
  for (const item of visible) {
    if (item.type === 'function_call') {
      if (isAnswered) endGroup();
      const output = outputFor(item, outputs.get(item.callId), outputOf(item.callId));
      if (output === undefined) continue;
      start ??= shown.length;
      shown.push(item);
      group.push(output);
    } else if (item.type === 'function_call_output') isAnswered = true;
    else if (item.type === 'message' && item.id !== instructionsId) {
      const message = withoutAsides(item);
      if (message === null) continue;
      // LiveKit orders by millisecond: a completion's words may be listed among its calls, which come after them.
      if (start !== null && shown[start]?.id.startsWith(`${item.id}/`)) shown.splice(start, 0, message);
      else {
        endGroup();
        shown.push(message);
      }
    }
  }
  endGroup();
  if (said !== undefined && !shown.some(({ id }) => id === said.id)) shown.push(said);
  shown.push(...closing(shown, view));
  return new llm.ChatContext(shown);
}

/** Id of the message that closes the model's view. */
export const closingId = 'flow.now';

/**
 * Returns the last message: current facts, then the caller's words again with the instruction.
 * Only this message changes between requests, so that a provider can cache the rest.
 */
function closing(shown: readonly llm.ChatItem[], view: View): readonly llm.ChatItem[] {
  const last = shown.at(-1);
  const words = last?.type === 'message' && last.role === 'user' ? (last.textContent ?? '').trim() : '';
  const isAsked = words !== '' && view.answersWords && view.functions.length > 0;
  const content = [view.knowledge, isAsked ? whatToDo(words, view) : ''].filter((text) => text !== '').join('\n\n');
  if (content === '') return [];
  return [llm.ChatMessage.create({ id: closingId, role: 'system', content, createdAt: last?.createdAt ?? 0 })];
}

/** Longer words are repeated only up to here, in characters. */
const repeatedAtMost = 500;

function whatToDo(words: string, { functions }: View): string {
  const said = words.replaceAll(/\s+/g, ' ').replaceAll('"', "'").slice(0, repeatedAtMost);
  const records = functions.some(({ body }) => body === 'record') ? ', or record only what these words say' : '';
  return `The caller has just said: "${said}". Call the function that fits${records}; make nothing up. If none fits, answer in words.`;
}

/** Checks whether an item of a view belongs to its prompt, not to the conversation. */
export function isPrompt({ id }: llm.ChatItem): boolean {
  return id === instructionsId || id.startsWith('flow.prompt.') || id.startsWith('flow.summary.') || id === closingId;
}

function afterCut(items: readonly llm.ChatItem[], cut: ChatCut | null): readonly llm.ChatItem[] {
  if (cut?.afterItem === undefined || cut.afterItem === null) return items;
  const last = items.findLastIndex((item) => item.id === cut.afterItem);
  return last < 0 ? items : items.slice(last + 1);
}

/** Returns the output known to the flow, else LiveKit's: a call that waited may have its result now. */
function outputFor(
  call: llm.FunctionCall,
  kept: llm.FunctionCallOutput | undefined,
  known: CallOutput | undefined,
): llm.FunctionCallOutput | undefined {
  if (known === undefined) return kept;
  if (kept !== undefined && kept.output === known.output && kept.isError === known.isError) return kept;
  const { callId, name, createdAt } = call;
  return llm.FunctionCallOutput.create({
    id: `flow.output.${callId}`,
    callId,
    name,
    output: known.output,
    isError: known.isError,
    createdAt: kept?.createdAt ?? createdAt,
  });
}
