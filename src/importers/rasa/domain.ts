import type { Draft } from '../draft.ts';
import type { DraftSlot, DraftSpoken } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Source } from '../source.ts';
import { plainText } from '../words.ts';

/** The merged content of the domain files of a Rasa project. */
export interface Domain {
  readonly slots: ReadonlyMap<string, Source>;
  /** The custom actions that the domain lists. */
  readonly actions: ReadonlySet<string>;
  /** Returns the wordings of a response, or undefined if it does not exist. */
  response(name: string): DraftSpoken | undefined;
  /** The words of buttons, by the values that they set. */
  buttons(name: string): ReadonlyMap<string, readonly string[]>;
}

export function readDomain(draft: Draft, roots: readonly Source[]): Domain {
  const slots = new Map<string, Source>();
  const responses = new Map<string, Source>();
  const actions = new Set(roots.flatMap((root) => root.items('actions').map((action) => plainText(action.value))));
  for (const root of roots) {
    for (const [name, slot] of root.at('slots').members()) slots.set(name, slot);
    for (const [name, response] of root.at('responses').members()) responses.set(name, response);
  }
  const spoken = new Map<string, DraftSpoken | undefined>();
  return {
    slots,
    actions,
    response(name) {
      const response = responses.get(name);
      if (response === undefined) return undefined;
      if (!spoken.has(name))
        spoken.set(
          name,
          readResponse(draft, name, response, (slot) => slots.has(slot)),
        );
      return spoken.get(name);
    },
    buttons(name) {
      const words = new Map<string, string[]>();
      for (const variant of itemsOf(responses.get(name)))
        for (const button of variant.items('buttons')) {
          const title = button.text('title');
          const [, value] = /SetSlots\([^=)]+=\s*["']?([^"')]+)["']?\s*\)/.exec(button.text('payload') ?? '') ?? [];
          if (title !== undefined && value !== undefined) words.set(value, [...(words.get(value) ?? []), title]);
        }
      return words;
    },
  };
}

function itemsOf(list: Source | undefined): readonly Source[] {
  if (list === undefined || !Array.isArray(list.value)) return [];
  return list.value.map((_item, index) => list.at(index));
}

function readResponse(
  draft: Draft,
  name: string,
  response: Source,
  isSlot: (slot: string) => boolean,
): DraftSpoken | undefined {
  const texts: string[] = [];
  const byLanguage = new Map<string, string[]>();
  for (const variant of itemsOf(response)) {
    const text = variant.text('text');
    if (text === undefined) {
      draft.notes.lost(variant, `a variant of ${name} without a text`);
      variant.take();
      continue;
    }
    if (variant.has('condition')) {
      variant.at('condition').take();
      draft.notes.changed(variant, `a variant of ${name} under a condition is one of its wordings`);
    }
    if (isRecord(variant.at('metadata').take()))
      draft.notes.lost(variant.at('metadata'), `"metadata" of ${name}: lines are said as they stand`);
    for (const key of ['channel', 'image', 'attachment', 'custom', 'elements', 'quick_replies'])
      if (variant.at(key).take() !== undefined) draft.notes.lost(variant.at(key), `"${key}" of a response`);
    variant.flag('allow_interruptions');
    if (variant.has('buttons'))
      draft.notes.changed(
        variant.at('buttons'),
        'buttons of a response: their titles are words for the values of a slot',
      );
    variant.at('buttons').take();
    texts.push(spokenText(draft, text, isSlot));
    for (const [language, translated] of variant.at('translation').members()) {
      const value = translated.take();
      if (typeof value === 'string')
        byLanguage.set(language, [...(byLanguage.get(language) ?? []), spokenText(draft, value, isSlot)]);
    }
  }
  if (byLanguage.size > 0)
    draft.notes.lost(response, `translations of ${name}: list languages of the flow, and write each text by language`);
  const [only] = texts;
  if (only === undefined) return undefined;
  return texts.length === 1 ? only : texts;
}

/** Converts a text with `{slot}` to one of ours. */
function spokenText(draft: Draft, text: string, isSlot: (slot: string) => boolean): string {
  return text
    .replaceAll(
      /\{\{\s*(?:slots\.)?([\w-]+)\s*\}\}|\{(?:slots\.)?([\w-]+)\}/g,
      (whole, first?: string, second?: string) => {
        const name = first ?? second ?? '';
        return isSlot(name) ? `\u0000${draft.name(name, 'read')}\u0001` : whole;
      },
    )
    .replaceAll('{{', '\\{{')
    .replaceAll('\u0000', '{{ ')
    .replaceAll('\u0001', ' }}')
    .trim();
}

/** Reports mappings: every slot of ours is filled by what the caller says. */
function tellMappings(draft: Draft, theirs: string, slot: Source | undefined): void {
  const mappings = slot?.items('mappings') ?? [];
  for (const mapping of mappings) {
    const type = mapping.text('type') ?? '';
    mapping.take();
    if (type !== '' && type !== 'from_llm')
      draft.notes.changed(mapping, `slot ${theirs} is filled by what the caller says, and not "${type}"`);
  }
  slot?.at('mappings').take();
}

/** Declares a slot that the caller is asked for. Returns false if no slot type of ours can hold its values. */
export function declareSlot(
  draft: Draft,
  theirs: string,
  slot: Source | undefined,
  more: Pick<DraftSlot, 'ask' | 'description' | 'ladder'> & { words?: ReadonlyMap<string, readonly string[]> },
): boolean {
  const { words, ...rest } = more;
  const type = slot?.text('type') ?? 'text';
  const ours = slotOf(slot, type, words);
  tellMappings(draft, theirs, slot);
  slot?.at('influence_conversation').take();
  if (slot !== undefined && slot.has('initial_value')) {
    slot.at('initial_value').take();
    draft.notes.lost(slot, `the first value of slot ${theirs}: a slot begins without one`);
  }
  if (ours === undefined) {
    draft.notes.lost(
      slot ?? { file: '', path: [] },
      `slot ${theirs} of type "${type}" is a variable: no slot holds a list or a map`,
    );
    return false;
  }
  draft.slot(draft.name(theirs, 'read'), { ...ours, ...rest });
  return true;
}

function slotOf(
  slot: Source | undefined,
  type: string,
  words?: ReadonlyMap<string, readonly string[]>,
): DraftSlot | undefined {
  switch (type) {
    case 'text':
      return { type: 'text' };
    case 'bool':
      return { type: 'boolean' };
    case 'float': {
      const [minimum, maximum] = [slot?.number('min_value'), slot?.number('max_value')];
      return {
        type: 'number',
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
    }
    case 'categorical':
    case 'strict_categorical': {
      const given = slot?.at('values').take();
      const values = new Map(
        (Array.isArray(given) ? given : []).map((value) => [plainText(value).toLowerCase(), plainText(value)]),
      );
      values.delete('');
      if (values.size === 0) return { type: 'text' };
      if (words === undefined || words.size === 0) return { type: 'enum', values: [...values.values()] };
      // A word that is already a value means that value.
      const taken = new Set(values.keys());
      return {
        type: 'enum',
        values: Object.fromEntries(
          [...values.values()].map((value) => [
            value,
            (words.get(value) ?? []).filter((word) => {
              const isFree = !taken.has(word.toLowerCase());
              taken.add(word.toLowerCase());
              return isFree;
            }),
          ]),
        ),
      };
    }
    default:
      return undefined;
  }
}
