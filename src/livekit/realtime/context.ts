import { llm } from '@livekit/agents';
import { closingId } from '../context/chat-view.ts';
import type { CallOutput } from '../../turn/calls/call-output.ts';

export interface RealtimeContext {
  /** The items that the realtime session holds. */
  readonly remote: readonly llm.ChatItem[];
  /** The conversation as the flow shows it: see `chatView`. */
  readonly shown: readonly llm.ChatItem[];
  /** Ids of everything that was ever said or called, hidden or not. */
  readonly history: ReadonlySet<string>;
  /** Ids of what the session said or heard itself, whether it lists them or not. */
  readonly known: ReadonlySet<string>;
  /** Ids of what the session made and nobody heard, as far as the history does not hold it. */
  readonly unheard: ReadonlySet<string>;
  readonly outputOf: (callId: string) => CallOutput | undefined;
  /** Whether the session takes calls that it has not made itself; where it does not, it is told of them in words. */
  readonly takesCalls: boolean;
}

/**
 * What a realtime session is to have of the conversation: its own items as they stand, without what is hidden or was
 * never heard, and what it cannot know in its place: lines spoken for it, typed words, outputs of its calls.
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
  // The closing message of a request is part of a realtime session's instructions.
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
    // A session lists a message and the call beside it in its own order: what comes later comes after both.
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

/** The identity of an item: LiveKit and a provider give the items of one call different ids. */
export function keyOf(item: llm.ChatItem): string {
  if (item.type === 'function_call') return `call ${item.callId}`;
  return item.type === 'function_call_output' ? `output ${item.callId}` : item.id;
}

const instructionsId = 'lk.agent_task.instructions';

function isOurs({ id }: llm.ChatItem): boolean {
  return id.startsWith('flow.');
}

/** An id that changes with the output, so that a call whose result became known later is told anew. */
function hashed(callId: string, output: string): string {
  let hash = 0;
  for (const character of output) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return `${callId}_${(hash >>> 0).toString(36)}`.slice(-27);
}
