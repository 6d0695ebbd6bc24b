import { llm } from '@livekit/agents';
import { closingId } from '../context/chat-view.ts';
import type { CallOutput } from '../../engine/calls/call-output.ts';

export interface RealtimeContext {
  /** The items in the realtime session. */
  readonly remote: readonly llm.ChatItem[];
  /** The conversation that the flow shows the model: see `chatView`. */
  readonly shown: readonly llm.ChatItem[];
  /** Ids of everything that was ever said or called, hidden or not. */
  readonly history: ReadonlySet<string>;
  /** Ids of what the session itself said or heard, whether or not it lists them. */
  readonly known: ReadonlySet<string>;
  /** Ids of output that was never heard, unless the history contains it. */
  readonly unheard: ReadonlySet<string>;
  readonly outputOf: (callId: string) => CallOutput | undefined;
  /** Whether the session accepts calls that it did not make. If not, they are described in words. */
  readonly takesCalls: boolean;
}

/**
 * Returns the context that a realtime session needs: its own items, without hidden and unheard
 * ones, plus what it cannot know: lines spoken for it, typed words and outputs of its calls.
 */
export function realtimeContext({
  remote,
  shown,
  history,
  known,
  unheard,
  outputOf,
  takesCalls,
}: RealtimeContext): llm.ChatContext {
  // In a realtime session the closing message is part of the instructions.
  const wanted = shown.filter(({ id }) => id !== instructionsId && id !== closingId);
  const wantedKeys = new Set(wanted.map(keyOf));
  const kept = remote.filter((item) => {
    const key = keyOf(item);
    if ((unheard.has(item.id) || unheard.has(key)) && !history.has(key)) return false;
    return item.type === 'function_call_output' ? false : wantedKeys.has(key) || !(history.has(key) || isOurs(item));
  });
  const placeOf = new Map(kept.map((item, index) => [keyOf(item), index]));
  const after = new Map<number, llm.ChatItem[]>();
  let place = -1;
  for (const item of wanted) {
    const key = keyOf(item);
    const keptAt = placeOf.get(key);
    // A session orders a message and its call its own way; later items come after both.
    if (keptAt !== undefined) place = Math.max(place, keptAt);
    else if (item.type !== 'function_call_output' && !known.has(key))
      after.set(place, [...(after.get(place) ?? []), item]);
  }
  const items: llm.ChatItem[] = [];
  const add = (item: llm.ChatItem, isForeign = false): void => {
    if (isForeign && !takesCalls && item.type === 'function_call') return tellOf(item);
    items.push(item);
    const output = item.type === 'function_call' ? outputOf(item.callId) : undefined;
    if (item.type === 'function_call' && output !== undefined)
      items.push(
        llm.FunctionCallOutput.create({
          id: `flow_${hashed(item.callId, output.output)}`,
          callId: item.callId,
          name: item.name,
          ...output,
        }),
      );
  };
  const tellOf = ({ callId, name }: llm.FunctionCall): void => {
    const { output } = outputOf(callId) ?? {};
    if (output === undefined) return;
    const content = `The function ${name} was called and gave: ${output}`;
    items.push(llm.ChatMessage.create({ id: `flow_${hashed(callId, output)}`, role: 'system', content }));
  };
  for (const item of after.get(-1) ?? []) add(item, true);
  for (const [index, item] of kept.entries()) {
    add(item);
    for (const later of after.get(index) ?? []) add(later, true);
  }
  return new llm.ChatContext(items);
}

/** Returns the identity of an item, because LiveKit and providers give the items of one call different ids. */
export function keyOf(item: llm.ChatItem): string {
  if (item.type === 'function_call') return `call ${item.callId}`;
  return item.type === 'function_call_output' ? `output ${item.callId}` : item.id;
}

const instructionsId = 'lk.agent_task.instructions';

function isOurs({ id }: llm.ChatItem): boolean {
  return id.startsWith('flow.');
}

/** Creates an id that changes with the output, so that a later result is sent again. */
function hashed(callId: string, output: string): string {
  let hash = 0;
  for (const character of output) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return `${callId}_${(hash >>> 0).toString(36)}`.slice(-27);
}
