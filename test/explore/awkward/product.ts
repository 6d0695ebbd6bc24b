import type { AwkwardTalk, Script } from './hold.ts';
import { cellCalls } from './cell-calls.ts';
import { type Quirk, quirks } from './quirks.ts';
import type { Scene } from './scene.ts';
import { ownScenes } from './scenes/own.ts';
import { shippedScenes } from './scenes/shipped.ts';
import { type ActName, acts, keyActs } from './utterance.ts';

/** Acts that must follow another act to reach some cells of the table. */
const sequels: { readonly [act in ActName]?: readonly (Omit<Script, 'act'> & { readonly quirk?: Quirk })[] } = {
  twice: [{ at: 'line', first: 'unrelated' }],
  // A corrected slot is read back before the write, while the node still asks for another slot.
  decline: [
    { at: 'line', first: 'correct_other' },
    { at: 'cut', first: 'correct_other' },
    { at: 'cut', first: 'correct_other', quirk: 'wordy' },
    { at: 'model', first: 'correct_other' },
  ],
};

/** More words than any yes-or-no question of the flows in `own.ts` has. */
const mostWords = 26;

/** A yes, in passing or not, into a yes-or-no question behind each of its words. */
const atEachWord = Array.from({ length: mostWords }, (_, index) => index + 1).flatMap((words) =>
  (['cut_yes', 'cut_weak'] as const).map((act) => ({ act, at: 'cut', words, quirk: 'agrees' }) as const),
);

function nameOf({ act, at, first, words }: Script): string {
  const place = words === undefined ? at : `word ${words}`;
  return `${act} at ${place}${first === undefined ? '' : ` behind ${first}`}`;
}

/** Returns a seed for a name, so that a call stays the same when others are added. */
function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
}

const scenes: readonly Scene[] = [...ownScenes, ...shippedScenes];

/** Every act at every question of every flow: after the line, into the line, and after a question by the model. */
export function everyAwkward(filter = ''): readonly AwkwardTalk[] {
  return scenes
    .flatMap((scene) => [
      ...actsIn(scene).flatMap((act) => waysOf(act).map((way) => talkOf(scene, way))),
      ...(ownScenes.includes(scene) ? atEachWord.map((way) => talkOf(scene, way)) : []),
    ])
    .filter(({ name }) => name.includes(filter));
}

/**
 * A choice of the product that takes a tenth of its time: each act in each flow, each act with each fault of a model and
 * each fault in each flow, a yes behind each word, and the calls that reach the rare cells of the table.
 */
export function chosenAwkward(filter = ''): readonly AwkwardTalk[] {
  const pairs = scenes.flatMap((scene, row) =>
    actsIn(scene).map((act, column) => {
      const quirk = modelFaults[(row + column) % modelFaults.length] ?? 'none';
      const at = quirk === 'asks_back' ? 'model' : (row + column) % 2 === 0 ? 'line' : 'cut';
      return talkOf(scene, { act, at, quirk });
    }),
  );
  const words = ownScenes.flatMap((scene, row) =>
    atEachWord.filter((_, index) => (index + (index >> 1) + row) % 2 === 0).map((way) => talkOf(scene, way)),
  );
  const product = new Map(everyAwkward().map((talk) => [talk.name, talk]));
  const cells = cellCalls.map((name) => {
    const talk = product.get(name);
    if (talk === undefined) throw new Error(`cell-calls.ts names "${name}", but the product has no such call.`);
    return talk;
  });
  const all = new Map([...cells, ...pairs, ...words].map((talk) => [talk.name, talk]));
  return [...all.values()].filter(({ name }) => name.includes(filter));
}

const modelFaults: readonly Quirk[] = [...quirks, 'asks_back'];

function actsIn(scene: Scene): readonly ActName[] {
  return scene.keys === undefined ? [...acts, 'stray_keys'] : [...acts, ...keyActs];
}

type Way = Script & { readonly quirk: Quirk };

function talkOf(scene: Scene, { quirk, ...script }: Way): AwkwardTalk {
  const name = `${scene.name}, ${nameOf(script)}, model: ${quirk}`;
  return { ...{ scene, quirk, script, awkwardness: 0, atConsent: false }, name, seed: seedOf(name) };
}

function waysOf(act: ActName): readonly Way[] {
  return [
    { act, at: 'line', quirk: 'none' } as const,
    { act, at: 'line', quirk: 'wordy' } as const,
    { act, at: 'cut', quirk: 'none' } as const,
    { act, at: 'cut', quirk: 'wordy' } as const,
    { act, at: 'model', quirk: 'asks_back' } as const,
    // A value that the caller never gave is read back while another value is still missing.
    { act, at: 'line', quirk: 'invents_over' } as const,
    { act, at: 'cut', quirk: 'invents_over' } as const,
    ...(sequels[act] ?? []).map(
      (more) => ({ act, quirk: more.at === 'model' ? 'asks_back' : 'none', ...more }) as const,
    ),
  ];
}
