/** A conversation item of the protocol. */
export interface RealtimeItem {
  readonly id: string;
  readonly object: 'realtime.item';
  readonly type: 'message' | 'function_call' | 'function_call_output';
  status: 'in_progress' | 'completed' | 'incomplete';
  readonly role?: 'user' | 'assistant' | 'system';
  readonly content?: { readonly type: string; text?: string; transcript?: string | null; audio?: string }[];
  readonly call_id?: string;
  readonly name?: string;
  arguments?: string;
  readonly output?: string;
}

/** Code and message of an error for a client. */
export type Refusal = readonly [code: string, message: string, param?: string];

/** The items of a session in order, with the refusals of the protocol. */
export interface RealtimeConversation {
  readonly items: readonly RealtimeItem[];
  /** Returns the model's knowledge of each item, as `role:text`, `call:name` or `out:output`. */
  written(): readonly string[];
  /** Inserts after an item, at the front for `root`, else at the end. Returns the id of the item before it. */
  insert(item: RealtimeItem, previous?: string): string | null;
  create(item: RealtimeItem, previous: string | undefined): { readonly after: string | null } | Refusal;
  delete(id: string): Refusal | null;
  truncate(id: string, audioEndMs: number): Refusal | null;
  /** Records the audio that the model itself heard or said, and its length. */
  sounds(id: string, text: string, ms: number): void;
}

const contentOf = {
  user: ['input_text', 'input_audio', 'input_image'],
  assistant: ['output_text', 'output_audio'],
  system: ['input_text'],
};

export function createRealtimeConversation(): RealtimeConversation {
  const items: RealtimeItem[] = [];
  const audio = new Map<string, { text: string; ms: number }>();
  const at = (id: string): number => items.findIndex((item) => item.id === id);

  const insert = (item: RealtimeItem, previous?: string): string | null => {
    const index = previous === undefined ? items.length : previous === 'root' ? 0 : at(previous) + 1;
    const before = items[index - 1]?.id ?? null;
    items.splice(index, 0, item);
    return before;
  };
  const refusalOf = (item: RealtimeItem, previous: string | undefined): Refusal | null => {
    if (item.id.length > 32)
      return [
        'string_above_max_length',
        "Invalid 'item.id': string too long. Expected a maximum length 32.",
        'item.id',
      ];
    if (at(item.id) >= 0) return ['item_create_duplicate_id', `Item with id '${item.id}' exists already.`, 'item.id'];
    if (previous !== undefined && previous !== 'root' && at(previous) < 0)
      return ['item_create_invalid_previous_item_id', `The previous item '${previous}' does not exist.`];
    if (item.type === 'function_call_output') {
      const call = items.some((one) => one.type === 'function_call' && one.call_id === item.call_id);
      return call ? null : ['invalid_tool_call_id', `Tool call ID '${item.call_id}' not found in conversation.`];
    }
    if (item.type === 'function_call') return null;
    const allowed = contentOf[item.role ?? 'user'];
    const wrong = (item.content ?? []).find(({ type }) => !allowed.includes(type));
    return wrong === undefined
      ? null
      : ['invalid_value', `Invalid value: '${wrong.type}'. Supported: ${allowed.join()}.`];
  };

  return {
    items,
    insert,
    written: () =>
      items.map((item) => {
        if (item.type === 'function_call') return `call:${item.name}`;
        if (item.type === 'function_call_output') return `out:${item.output}`;
        const text = audio.get(item.id)?.text ?? (item.content ?? []).map(({ text: part }) => part ?? '').join(' ');
        return `${item.role}:${text}`;
      }),
    create(item, previous) {
      const refusal = refusalOf(item, previous);
      if (refusal !== null) return refusal;
      item.status = 'completed';
      return { after: insert(item, previous) };
    },
    delete(id) {
      const index = at(id);
      if (index < 0) return ['item_delete_invalid_item_id', `The item with id '${id}' does not exist.`, 'item_id'];
      items.splice(index, 1);
      return null;
    },
    truncate(id, audioEndMs) {
      const item = items[at(id)];
      const sound = audio.get(id);
      if (item === undefined) return ['item_truncate_invalid_item_id', `The item with id '${id}' does not exist.`];
      if (item.role !== 'assistant' || sound === undefined)
        return ['invalid_value', 'Only model output audio messages can be truncated.'];
      if (!Number.isInteger(audioEndMs)) return ['invalid_type', "Invalid type for 'audio_end_ms'."];
      if (audioEndMs > sound.ms)
        return ['invalid_value', `Audio content of ${sound.ms}ms is already shorter than ${audioEndMs}ms.`];
      const words = sound.text.split(' ');
      const text = words.slice(0, Math.ceil((words.length * audioEndMs) / sound.ms)).join(' ');
      audio.set(id, { text, ms: audioEndMs });
      return null;
    },
    sounds: (id, text, ms) => void audio.set(id, { text, ms }),
  };
}
