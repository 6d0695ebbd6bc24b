import { createChance } from '../chance.ts';
import { createCoverage } from './coverage.ts';
import { type AwkwardOutcome, type AwkwardTalk, holdAwkward } from './hold.ts';
import { everyLaw, heldLaws, type Law, laws } from './ledger.ts';
import { ownScenes } from './scenes/own.ts';
import { quirks } from './quirks.ts';
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

export interface AwkwardReport {
  readonly coverage: string;
  /** The cells that no call can reach, with the reasons. */
  readonly impossible: string;
  readonly missing: readonly string[];
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
    impossible: coverage.impossible(),
    missing: coverage.missing(),
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
