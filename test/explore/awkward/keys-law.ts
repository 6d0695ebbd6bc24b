import { keyRuleOf } from '../../../src/kernel/keys/key-rule.ts';
import { nodeOf } from '../../../src/kernel/move/offers.ts';
import { isSealed } from '../../../src/flow/expression/sealed.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import type { SessionState } from '../../../src/kernel/state/state.ts';
import type { Utterance } from './utterance.ts';

/** The consequences of some keys: the states before and after, the nodes entered and the writes made in between. */
export interface AfterKeys {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly entered: readonly string[];
  readonly writes: readonly string[];
}

/** Returns what keys did besides their meaning, or did not do; null if they did exactly that. */
export function faultOfKeys(graph: Graph, { act, keys = '', states }: Utterance, told: AfterKeys): string | null {
  const { before, after, entered, writes } = told;
  const rule = keyRuleOf(graph, before);
  const [write] = writes;
  if (write !== undefined) return `${write} after the keys ${keys}`;
  const isMeant = act === 'keys' || act === 'answer';
  // A caller may enter the digits of the last question at a menu.
  if (isMeant && rule?.kind === 'menu' && Object.keys(states).length === 0) {
    const target = nodeOf(graph, before, before.position.node)?.keys.get(keys) ?? '';
    return entered.includes(target) ? null : `the key ${keys} does not lead to ${target}`;
  }
  if (isMeant && rule?.kind === 'slot' && states[rule.slot.name] !== undefined) {
    const { name } = rule.slot;
    const value = after.knowledge.slots[name]?.value;
    const isTaken = rule.slot.pii ? isSealed(value) : value !== undefined && sameValue(value, states[name] ?? null);
    return isTaken ? null : `${name} is not the entry`;
  }
  if (isMeant || act === 'keys_words') return null;
  const changed = Object.keys({ ...before.knowledge.slots, ...after.knowledge.slots }).find(
    (name) => !sameValue(before.knowledge.slots[name]?.value ?? null, after.knowledge.slots[name]?.value ?? null),
  );
  return changed === undefined ? null : `${changed} changed after the keys ${keys}`;
}

/** Collects what a call leaves anywhere, and finds digits in it that only functions may receive. */
export interface Secrets {
  keep(...left: readonly unknown[]): void;
  /** Returns the start of what has the digits; null if nothing has. */
  found(): string | null;
}

/** `digits`: null if the flow has no personal slot that takes keys. */
export function watchSecrets(digits: string | null): Secrets {
  let leak: string | null = null;
  return {
    keep(...left) {
      for (const one of digits === null ? [] : left) {
        const text = typeof one === 'string' ? one : JSON.stringify(one);
        // Also digits in groups, and in the numbers of a text.
        if (text.replaceAll(/[\s.,-]/g, '').includes(digits ?? '')) leak ??= text.slice(0, 200);
      }
    },
    found: () => leak,
  };
}
