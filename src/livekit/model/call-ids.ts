import { llm } from '@livekit/agents';

/**
 * Translates the ids of a conversation's calls. Providers restart their numbering each turn, reuse ids
 * or omit them. The conversation has a unique id for each call, and a provider receives the id it gave.
 */
export interface CallIds {
  /** Returns the call under a new unique id. */
  adopt(call: llm.FunctionCall): llm.FunctionCall;
  /** Converts items of the conversation to the provider's ids. */
  onWire(items: readonly llm.ChatItem[]): llm.ChatItem[];
  /** Converts items of a provider to the conversation's ids. */
  offWire(items: readonly llm.ChatItem[]): llm.ChatItem[];
}

/**
 * `keepsItems`: the provider stores the conversation and finds a call by its own id. Other
 * providers are sent each id once per request; a call with a repeated id keeps the conversation's.
 */
export function createCallIds({ keepsItems }: { readonly keepsItems: boolean }): CallIds {
  /** The provider's id of each call, by the conversation's id. */
  const given = new Map<string, string>();
  /** The conversation's ids of calls that the provider lists, by the id of its item. */
  const listed = new Map<string, string>();

  const ownIdOf = ({ id, callId }: llm.FunctionCall): string => {
    const known = listed.get(id);
    if (known !== undefined) return known;
    const taken = new Set(listed.values());
    const [own] = [...given].find(([one, name]) => name === callId && !taken.has(one)) ?? [callId];
    if (own !== callId) listed.set(id, own);
    return own;
  };
  return {
    adopt(call) {
      const callId = newCallId();
      given.set(callId, call.callId);
      return withCallId(call, callId);
    },
    onWire(items) {
      const taken = new Set<string>();
      return renamed(items, ({ callId }) => {
        const name = given.get(callId) ?? '';
        const wire = name !== '' && (keepsItems || !taken.has(name)) ? name : callId;
        taken.add(wire);
        return wire;
      });
    },
    offWire: (items) => renamed(items, ownIdOf),
  };
}

/** Creates a call id of nine letters and digits: the only form that Mistral accepts, and every provider does. */
export function newCallId(): string {
  const { id } = llm.FunctionCall.create({ callId: '', name: '', args: '' });
  return id.replaceAll(/^item_|-/g, '').slice(-9);
}

/** Replaces the call ids of items; an output takes the id of the call before it. */
function renamed(items: readonly llm.ChatItem[], nameOf: (call: llm.FunctionCall) => string): llm.ChatItem[] {
  const names = new Map<string, string>();
  return items.map((item) => {
    if (item.type !== 'function_call' && item.type !== 'function_call_output') return item;
    if (item.type === 'function_call') names.set(item.callId, nameOf(item));
    const name = names.get(item.callId) ?? item.callId;
    return name === item.callId ? item : withCallId(item, name);
  });
}

function withCallId<Item extends llm.FunctionCall | llm.FunctionCallOutput>(item: Item, callId: string): Item {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(item) as object) as Item, item);
  copy.callId = callId;
  return copy;
}
