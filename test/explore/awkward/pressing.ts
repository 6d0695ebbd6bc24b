import type { Json } from '../../../src/model/json.ts';
import type { Facts } from '../talk/said.ts';
import type { KeysNow } from './caller.ts';
import type { Scene } from './scene.ts';
import type { ActName, Utterance } from './utterance.ts';

/** A key that no menu of the scenes has. */
const otherKey = '7';

/** Returns the keys of an awkward caller; null if the act is not possible here. */
export function pressing(act: ActName, scene: Scene, { node, rule }: KeysNow, facts: Facts): Utterance | null {
  const { keys } = scene;
  // Nothing asks for keys: they answer nothing. In a flow without a personal slot they are words, so a digit may be a value.
  if (rule === null && act === 'stray_keys') return pressed(act, keys === undefined ? '*#' : '1#');
  if (keys === undefined) return null;
  if (rule === null) {
    return act === 'early_keys' ? pressed(act, `${digitsOf(facts, keys.secret)}#`) : null;
  }
  if (rule.kind === 'menu') {
    const key = keys.menus[node];
    if (act === 'keys' && key !== undefined) return pressed(act, key);
    return act === 'wrong_keys' ? pressed(act, otherKey) : null;
  }
  const { slot, dtmf } = rule;
  const digits = digitsOf(facts, slot.name);
  const value = facts[slot.name]?.value;
  if (digits === '' || value === undefined) return null;
  switch (act) {
    case 'keys':
      return pressed(act, `${digits}#`, { [slot.name]: value });
    case 'few_keys':
      return pressed(act, `${digits.slice(0, dtmf.least - 1)}#`);
    case 'wrong_keys': {
      const refused = keys.refused[slot.name];
      return refused === undefined ? null : pressed(act, `${refused}#`);
    }
    case 'keys_words': {
      const words = facts[slot.name]?.words;
      // The digits of a personal slot are not said.
      if (words === undefined || slot.name === keys.secret) return null;
      const [first, rest] = [digits.slice(0, 1), digits.slice(1)];
      const meaning = { [slot.name]: value };
      return {
        ...{ text: `${words}.`, act, stance: 'neither', isWeak: false, states: meaning, means: { slots: meaning } },
        around: [first, `${rest}#`],
      };
    }
    default:
      return null;
  }
}

/** Returns the keys after the words of `keys_words`. */
export function restOfEntry({ around, states }: Utterance): Utterance | null {
  return around === undefined ? null : pressed('keys_words', around[1], states);
}

function pressed(act: ActName, keys: string, states: Readonly<Record<string, Json>> = {}): Utterance {
  return { text: '', act, stance: 'neither', isWeak: false, states, means: {}, keys };
}

function digitsOf(facts: Facts, slot: string): string {
  const value = facts[slot]?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
