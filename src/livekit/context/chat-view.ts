import { llm } from '@livekit/agents';
import type { View } from '../../kernel/view.ts';
import type { CallOutput } from '../../turn/calls/call-output.ts';

/** The id under which LiveKit keeps an agent's instructions in its context; not exported there. */
const instructionsId = 'lk.agent_task.instructions';

/** The place from which the model is shown the conversation, and the summary of the part before it. */
export interface ChatCut {
  /** The last item that is hidden. */
  readonly afterItem: string | null;
  readonly summary: string | null;
}

/** Looks up the outputs of calls, and the messages without asides. */
export interface ChatMembers {
  readonly outputOf: (callId: string) => CallOutput | undefined;
  readonly withoutAsides: (message: llm.ChatMessage) => llm.ChatMessage | null;
}

/**
 * The conversation as the model sees it in the current node: the node's prompt first; what a context strategy hides
 * left out, as are fillers and the like; each call right before its output; and calls that have no output, because they
 * never ran, not at all; last what holds at this moment. `said` is what the caller says that is no part of the history yet.
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
  // Calls that were made together stand together, their outputs behind the last of them.
  let group: llm.FunctionCallOutput[] = [];
  let isAnswered = false;
  /** Where the calls begin that stand together. */
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
      // LiveKit orders by the millisecond: a completion's words may come among its calls, which come after them.
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

/** The id of the message that closes what a model is shown. */
export const closingId = 'flow.now';

/**
 * The last message: what holds at this moment, then the caller's words again and what to do with them. It alone changes
 * from one request to the next, so that a provider keeps what it has read of the rest.
 */
function closing(shown: readonly llm.ChatItem[], view: View): readonly llm.ChatItem[] {
  const last = shown.at(-1);
  const words = last?.type === 'message' && last.role === 'user' ? (last.textContent ?? '').trim() : '';
  const isAsked = words !== '' && view.answersWords && view.functions.length > 0;
  const content = [view.knowledge, isAsked ? whatToDo(words, view) : ''].filter((text) => text !== '').join('\n\n');
  if (content === '') return [];
  return [llm.ChatMessage.create({ id: closingId, role: 'system', content, createdAt: last?.createdAt ?? 0 })];
}

/** Long words are said again as far as they begin. */
const repeatedAtMost = 500;

function whatToDo(words: string, { functions }: View): string {
  const said = words.replaceAll(/\s+/g, ' ').replaceAll('"', "'").slice(0, repeatedAtMost);
  const records = functions.some(({ body }) => body === 'record') ? ', or record only what these words say' : '';
  return `The caller has just said: "${said}". Call the function that fits${records}; make nothing up. If none fits, answer in words.`;
}

/** Whether an item of a view is of its prompt, and not of what was said. */
export function isPrompt({ id }: llm.ChatItem): boolean {
  return id === instructionsId || id.startsWith('flow.prompt.') || id.startsWith('flow.summary.') || id === closingId;
}

function afterCut(items: readonly llm.ChatItem[], cut: ChatCut | null): readonly llm.ChatItem[] {
  if (cut?.afterItem === undefined || cut.afterItem === null) return items;
  const last = items.findLastIndex((item) => item.id === cut.afterItem);
  return last < 0 ? items : items.slice(last + 1);
}

/** The output as the flow knows it, else as LiveKit kept it: a call that waited may have its result by now. */
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
