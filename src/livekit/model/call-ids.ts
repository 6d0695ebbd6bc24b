import { llm } from '@livekit/agents';

/**
 * The ids of a conversation's calls. Providers number their calls anew in each turn, give several calls one id, or none.
 * The conversation knows each call by an id of its own, and a provider is sent the id that it gave.
 */
export interface CallIds {
  /** The same call under an id that no other call of the conversation has. */
  adopt(call: llm.FunctionCall): llm.FunctionCall;
  /** Items of the conversation as their provider knows them. */
  onWire(items: readonly llm.ChatItem[]): llm.ChatItem[];
  /** Items that a provider holds, as the conversation knows them. */
  offWire(items: readonly llm.ChatItem[]): llm.ChatItem[];
}

/**
 * `keepsItems`: the provider holds the conversation itself and finds a call by the id that it gave. Any other provider is
 * sent each id once: a call whose id another call of the request has keeps its own.
 */
export function createCallIds({ keepsItems }: { readonly keepsItems: boolean }): CallIds {
  /** What the provider called each call, by the call's own id. */
  const given = new Map<string, string>();
  /** The own ids of calls that the provider lists, by the id of its item. */
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

/** A new id of a call. Mistral takes nothing but nine letters and digits, and every provider takes those. */
export function newCallId(): string {
  const { id } = llm.FunctionCall.create({ callId: '', name: '', args: '' });
  return id.replaceAll(/^item_|-/g, '').slice(-9);
}

/** The items with other ids of calls; an output has that of the call before it. */
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
