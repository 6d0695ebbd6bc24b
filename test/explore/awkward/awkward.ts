import { createChance } from '../chance.ts';
import { createCoverage } from './coverage.ts';
import { type AwkwardOutcome, type AwkwardTalk, holdAwkward, type Script } from './hold.ts';
import { everyLaw, heldLaws, type Law, laws } from './ledger.ts';
import { ownScenes } from './scenes/own.ts';
import { quirks } from './quirks.ts';
import { type ActName, acts } from './utterance.ts';
import type { Scene } from './scene.ts';
import { shippedScenes } from './scenes/shipped.ts';

/** The flows in `own.ts` appear twice because they cover cases that the shipped flows lack. */
const scenes: readonly Scene[] = [...ownScenes, ...shippedScenes, ...ownScenes];

export function awkwardOfSeed(seed: number, model?: 'realtime'): AwkwardTalk {
  const chance = createChance(seed + 1_000_000);
  const scene = scenes[seed % scenes.length] as Scene; // A remainder is a valid index.
  const quirk = chance.pick(quirks);
  const awkwardness = chance.pick([0.15, 0.35, 0.6]);
  const atConsent = chance.often(0.5);
  const talk = { seed, scene, quirk, awkwardness, atConsent, name: `seed ${seed}: ${scene.name}, model: ${quirk}` };
  return model === undefined ? talk : { ...talk, model };
}

/** Acts that must follow another act to reach some cells of the table. */
const sequels: { readonly [act in ActName]?: readonly Omit<Script, 'act'>[] } = {
  twice: [{ at: 'line', first: 'unrelated' }],
  // A corrected slot is read back before the write, while the node still asks for another slot.
  decline: [
    { at: 'line', first: 'correct_other' },
    { at: 'cut', first: 'correct_other' },
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

/** Every act at every question of every flow: after the line, into the line, and after a question by the model. */
export function everyAwkward(filter = ''): readonly AwkwardTalk[] {
  const ways = acts.flatMap((act) => [
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
  ]);
  return [...ownScenes, ...shippedScenes]
    .flatMap((scene) =>
      [...ways, ...(ownScenes.includes(scene) ? atEachWord : [])].map(({ quirk, ...script }) => ({
        ...{ scene, quirk, script, awkwardness: 0, atConsent: false },
        name: `${scene.name}, ${nameOf(script)}, model: ${quirk}`,
      })),
    )
    .map((talk) => ({ ...talk, seed: seedOf(talk.name) }))
    .filter(({ name }) => name.includes(filter));
}

export interface AwkwardReport {
  readonly coverage: string;
  /** Cells of the table that were reached although they are listed as impossible. */
  readonly unexpected: readonly string[];
  readonly held: number;
  readonly broken: readonly { readonly talk: AwkwardTalk; readonly outcome: AwkwardOutcome }[];
}

const atOnce = 12;

/** Plays all calls and checks the given laws. */
export async function holdAllAwkward(
  talks: readonly AwkwardTalk[],
  to: readonly Law[] = heldLaws,
  onProgress: (done: number, broken: number) => void = () => undefined,
): Promise<AwkwardReport> {
  const coverage = createCoverage();
  const broken: { talk: AwkwardTalk; outcome: AwkwardOutcome }[] = [];
  let next = 0;
  let count = 0;
  const holdOn = async (): Promise<void> => {
    for (let talk = talks[next]; talk !== undefined; talk = talks[next]) {
      next += 1;
      const held = await holdAwkward({ ...talk, coverage });
      const outcome = { ...held, findings: held.findings.filter(({ law }) => to.includes(law)) };
      if (outcome.findings.length > 0) broken.push({ talk, outcome });
      onProgress((count += 1), broken.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, holdOn));
  return {
    coverage: coverage.report(),
    unexpected: coverage.unexpected(),
    held: count,
    broken: broken.toSorted((one, other) => one.talk.seed - other.talk.seed),
  };
}

/** Reports how often each law is broken, with the shortest call for each. */
export function reportAwkward({ held, broken }: AwkwardReport): string {
  const lines: string[] = [];
  for (const law of everyLaw) {
    const breaking = broken.filter(({ outcome }) => outcome.findings.some((one) => one.law === law));
    const shortest = breaking.toSorted((one, other) => one.outcome.turns - other.outcome.turns)[0];
    if (shortest === undefined) continue;
    const detail = shortest.outcome.findings.find((one) => one.law === law)?.detail ?? '';
    lines.push(
      `${String(breaking.length).padStart(5)} of ${held} break: ${laws[law]}`,
      `        ${shortest.talk.name}: ${detail}`,
    );
  }
  return lines.join('\n');
}

/** Returns the transcripts of the broken calls with the laws that they break. */
export function transcriptsOf({ broken }: AwkwardReport): string {
  return broken
    .map(({ talk, outcome: { findings, transcript } }) =>
      [talk.name, ...findings.map(({ law, detail }) => `  ${law}: ${detail}`), ...transcript, ''].join('\n'),
    )
    .join('\n');
}
