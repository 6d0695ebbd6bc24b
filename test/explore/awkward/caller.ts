import type { Json } from '../../../src/model/json.ts';
import type { KeyRule } from '../../../src/kernel/keys/key-rule.ts';
import type { Chance } from '../chance.ts';
import { type Fact, type Facts, said, type Said } from '../talk/said.ts';
import { lastQuestion } from '../talk/talk.ts';
import { inOtherLanguage } from './foreign.ts';
import type { Scene } from './scene.ts';
import { pressing } from './pressing.ts';
import type { ActName, Stance, Utterance } from './utterance.ts';

/** A caller with a purpose, which may change. */
export interface AwkwardCaller {
  readonly facts: () => Facts;
  /** Returns the caller's plain answer to what was heard; null if the caller has none. */
  answer(heard: string, before: string): Utterance | null;
  /** Returns the awkward act for what was heard; null if the act is not possible here. `wanted` is the type of the requested value. */
  does(act: ActName, heard: string, isCut: boolean, wanted?: string, keys?: KeysNow): Utterance | null;
  spoke(utterance: Utterance): void;
}

/** The node, and what telephone keys mean in it. */
export interface KeysNow {
  readonly node: string;
  readonly rule: KeyRule | null;
}

export function createAwkwardCaller(scene: Scene, chance: Chance): AwkwardCaller {
  const { phrases, values } = scene;
  const truth = new Map<string, Fact>(Object.entries(values).map(([slot, [first]]) => [slot, first]));
  const facts = (): Facts => Object.fromEntries(truth);
  const refused = new Set<string>();
  let last: Utterance | null = null;

  /** The slots whose values occur in what was heard. */
  const valuesIn = (heard: string): readonly string[] =>
    Object.keys(values).filter((slot) => values[slot]?.some(({ heardAs }) => heardAs.test(heard)));
  const answer = (heard: string, before: string): Utterance | null => {
    const question = lastQuestion(heard) || heard;
    // A repeated question without values refers to the values heard before.
    const context = valuesIn(heard).length > 0 ? heard : `${before} ${heard}`;
    for (const rule of scene.answers) {
      const words = rule(question, context, facts());
      if (words !== null) return utter('answer', words);
    }
    return null;
  };
  /** Picks a new value for one of these slots. */
  const change = (slots: readonly string[]): readonly [string, Fact] | null => {
    const slot = chance.any(slots.filter((name) => (values[name]?.length ?? 0) > 1));
    const now = slot === undefined ? undefined : truth.get(slot);
    const other =
      slot === undefined ? undefined : chance.any(values[slot]?.slice(0, 2).filter((one) => one !== now) ?? []);
    if (slot === undefined || other === undefined) return null;
    truth.set(slot, other);
    return [slot, other];
  };
  const correction = (act: ActName, slots: readonly string[], isRefusal = false): Utterance | null => {
    const changed = change(slots);
    if (changed === null) return null;
    const [slot, { value, words }] = changed;
    const text = isRefusal ? phrases.refusal(words) : phrases.correction(words);
    return stating(act, text, { [slot]: value }, isRefusal ? 'refuses' : 'neither');
  };
  /** The first bad value for a day, and for a telephone number, is of that type: the rules name the problem. */
  const badValue = (wanted = ''): string => {
    const all = scene.badValues ?? phrases.badValues;
    const own = wanted === 'date' ? all[0] : wanted === 'phone' ? all.at(-1) : undefined;
    if (own === undefined || refused.has(own)) return chance.pick(all);
    refused.add(own);
    return own;
  };
  const asked = (heard: string): readonly string[] => {
    const next = answer(heard, '');
    return Object.keys(next?.states ?? {});
  };

  const does = (act: ActName, heard: string, isCut: boolean, wanted?: string, keys?: KeysNow): Utterance | null => {
    const named = valuesIn(heard);
    const others = Object.keys(values).filter(
      // The digits of a personal slot are not said.
      (slot) => !named.includes(slot) && !asked(heard).includes(slot) && slot !== scene.keys?.secret,
    );
    switch (act) {
      case 'cut_yes':
        return isCut ? plain(act, chance.pick(phrases.yes), 'agrees') : null;
      case 'cut_weak':
        return isCut ? plain(act, chance.pick(phrases.weak), 'agrees', true) : null;
      case 'cut_no':
        return isCut ? plain(act, phrases.no, 'refuses') : null;
      case 'cut_correction':
        return isCut ? correction(act, named.length > 0 ? named : others, chance.often(0.5)) : null;
      case 'weak_yes':
        return isCut ? null : plain(act, chance.pick(phrases.weak), 'agrees', true);
      case 'refuse_reason':
        return plain(
          act,
          chance.pick([...phrases.refusals, ...(scene.refusals ?? [])] as [string, ...string[]]),
          'refuses',
        );
      case 'refuse_value':
        return named.length === 0 ? null : correction(act, named, true);
      case 'correct_other':
        return correction(act, others);
      case 'change_mind':
        return scene.decides.length === 0 ? null : correction(act, scene.decides);
      case 'twice':
        // A repeated yes or no might be meant for another question, and keys mean something else there.
        return last === null || last.stance !== 'neither' || last.keys !== undefined ? null : { ...last, act };
      case 'model_value':
        return /how many|when was/i.test(heard) && answer(heard, '') === null
          ? plain(act, phrases.number, 'neither')
          : null;
      case 'hedge':
        return plain(act, chance.pick(phrases.hedges), 'neither');
      case 'aside_yes':
        return plain(act, chance.pick(phrases.asides), 'neither');
      case 'trailing': {
        const next = answer(heard, '');
        // `keys_words` are keys beside words.
        if (next === null || next.keys !== undefined || Object.keys(next.states).length === 0) return null;
        return { ...next, act, text: `${next.text}${chance.pick(phrases.trailing)}` };
      }
      case 'unrelated':
        return plain(act, chance.pick(phrases.unrelated), 'neither');
      case 'hmm':
        return plain(act, chance.pick(phrases.sounds), 'neither');
      case 'repeat':
        return plain(act, chance.pick(phrases.repeats), 'neither');
      case 'question':
        return plain(act, scene.question, 'neither');
      case 'wait':
        return plain(act, chance.pick(phrases.waits), 'neither');
      case 'person':
        return plain(act, phrases.person, 'neither');
      case 'stop':
        return { ...plain(act, phrases.goodbye, 'neither'), means: { wants: 'end_call' } };
      case 'decline':
        return plain(act, scene.decline ?? phrases.decline, 'neither');
      case 'bad_value':
        return plain(act, badValue(wanted), 'neither');
      case 'echo':
        // A verb counts as yes only for a question that contains it; a question that was cut off has no question mark yet.
        return scene.echo === undefined
          ? null
          : plain(
              act,
              scene.echo,
              /shall I|soll ich|, (?:reject|ablehnen)\?/i.test(`${lastQuestion(heard)} ${openSentence(heard)}`)
                ? 'agrees'
                : 'neither',
            );
      case 'tell_more':
        return scene.more === undefined ? null : plain(act, scene.more, 'neither');
      case 'stall':
        return plain(act, chance.pick(phrases.stalls), 'neither');
      case 'foreign': {
        const { text, stance } = inOtherLanguage(phrases, chance);
        return plain(act, text, stance);
      }
      case 'keys':
      case 'few_keys':
      case 'wrong_keys':
      case 'stray_keys':
      case 'early_keys':
      case 'keys_words':
        return keys === undefined ? null : pressing(act, scene, keys, facts());
      case 'answer':
      case 'silence':
      case 'resume':
        return null;
    }
  };
  return { facts, answer, does, spoke: (utterance) => void (last = utterance) };
}

function plain(act: ActName, text: string, stance: Stance, isWeak = false): Utterance {
  const wants = stance === 'neither' ? {} : { wants: stance === 'agrees' ? 'agree' : 'refuse' };
  return { text, act, stance, isWeak, states: {}, means: wants };
}

function stating(act: ActName, text: string, states: Readonly<Record<string, Json>>, stance: Stance): Utterance {
  return { text, act, stance, isWeak: false, states, means: { slots: states } };
}

/** Turns a scripted sentence into an utterance of the same meaning. */
function utter(act: ActName, { text, means, keys }: Said = said('')): Utterance {
  const { slots = {}, wants } = means;
  const stance = wants === 'agree' ? 'agrees' : wants === 'refuse' ? 'refuses' : 'neither';
  return { text, act, stance, isWeak: false, states: slots, means, ...(keys === undefined ? {} : { keys }) };
}

/** Returns the words after the last whole sentence. */
function openSentence(heard: string): string {
  return heard.split(/[.!?]/).at(-1) ?? '';
}
