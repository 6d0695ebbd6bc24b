import { createChance } from '../chance.ts';
import { type Caller, callers } from './callers.ts';
import { type Flaw, flaws } from './flaws.ts';
import { type Noise, noises } from './noise.ts';
import type { ModelKind } from './session.ts';
import { holdTalk, type Manner, manners, type Outcome, type Talk } from './talk.ts';

/** A talk with the name that repeats it. */
export interface NamedTalk extends Omit<Talk, 'cleanTurns'> {
  readonly name: string;
}

const cleanRuns = new Map<Caller, Promise<Outcome>>();

/** Returns the turns that a caller needs without noise or flaw: the baseline for the other talks. */
async function cleanTurnsOf(caller: Caller): Promise<number> {
  const known = cleanRuns.get(caller);
  const run = known ?? holdTalk({ seed: 1, caller, noise: () => [], flaw: 'none', cleanTurns: Infinity });
  if (known === undefined) cleanRuns.set(caller, run);
  return (await run).turns;
}

/** Plays one talk and returns its outcome. */
async function hold(talk: NamedTalk): Promise<Outcome> {
  return await holdTalk({ ...talk, cleanTurns: await cleanTurnsOf(talk.caller) });
}

/** Every caller with every noise before every answer, and with every flaw. */
export function everyNoise(filter = '', model?: ModelKind): readonly NamedTalk[] {
  const all = callers.flatMap((caller) => {
    const name = `${caller.flow}, ${caller.name}`;
    const noisy = noises.map((noise) => talkOf(`${name}, caller: ${noise}`, caller, [noise]));
    const mannered = manners.map((manner) => talkOf(`${name}, caller answers: ${manner}`, caller, [], manner));
    const flawed = flaws.map((flaw) => talkOf(`${name}, model: ${flaw}`, caller, [], null, flaw));
    return [...noisy, ...mannered, ...flawed];
  });
  const chosen = all.filter(({ name }) => name.includes(filter));
  return model === undefined ? chosen : chosen.map((talk) => ({ ...talk, model }));
}

/** Each noise, manner and flaw with one caller in turn, so that each caller meets some of each. */
export function everyNoiseOnce(): readonly NamedTalk[] {
  const all = everyNoise();
  const kinds = all.length / callers.length;
  return all.filter((_, index) => (Math.floor(index / kinds) + (index % kinds)) % callers.length === 0);
}

/** Every caller without a flaw, and each flaw once. */
export function everyFlawOnce(model: ModelKind): readonly NamedTalk[] {
  const clean = callers.map((caller) => talkOf(`${model}: ${caller.flow}, ${caller.name}`, caller, []));
  const flawed = flaws
    .filter((flaw) => flaw !== 'none')
    .map((flaw, index) => {
      const caller = callers[index % callers.length] as Caller; // A remainder is a valid index.
      return talkOf(`${model}: ${caller.flow}, ${caller.name}, model: ${flaw}`, caller, [], null, flaw);
    });
  return [...clean, ...flawed].map((talk) => ({ ...talk, model }));
}

function talkOf(
  name: string,
  caller: Caller,
  noise: readonly Noise[],
  manner: Manner | null = null,
  flaw: Flaw = 'none',
): NamedTalk {
  return { name, seed: 1, caller, noise: () => noise, manner: () => manner, flaw };
}

/** Returns the talk of a seed: a caller, a flaw and sometimes a noise. */
export function talkOfSeed(seed: number, model?: ModelKind): NamedTalk {
  const chance = createChance(seed);
  const caller = callers[seed % callers.length] as Caller; // A remainder is a valid index.
  const flaw = model === 'brain' ? 'none' : chance.pick(flaws);
  const planned = Array.from({ length: 60 }, () => ({
    noise: chance.often(0.35) ? [chance.pick(noises), ...(chance.often(0.2) ? [chance.pick(noises)] : [])] : [],
    manner: chance.often(0.3) ? chance.pick(manners) : null,
  }));
  const name = `seed ${seed}: ${caller.flow}, ${caller.name}, model: ${[model, flaw].filter((one) => one !== undefined && (one !== 'none' || model === undefined)).join(', ')}`;
  return {
    name,
    seed,
    caller,
    noise: (turn) => planned[turn]?.noise ?? [],
    manner: (turn) => planned[turn]?.manner ?? null,
    flaw,
    ...(model === undefined ? {} : { model }),
  };
}

/** The results of several talks. */
export interface TalkReport {
  readonly held: number;
  readonly broken: readonly { readonly name: string; readonly outcome: Outcome }[];
}

/** Talks mostly wait for LiveKit's timers, so several run concurrently. */
const atOnce = 12;

/** Plays all talks. Stops after `most` broken ones. */
export async function holdAll(
  talks: readonly NamedTalk[],
  most = Infinity,
  onProgress: (done: number, broken: number) => void = () => undefined,
): Promise<TalkReport> {
  const broken: { name: string; outcome: Outcome }[] = [];
  let next = 0;
  let held = 0;
  const holdOn = async (): Promise<void> => {
    for (let talk = talks[next]; talk !== undefined && broken.length < most; talk = talks[next]) {
      next += 1;
      const outcome = await hold(talk);
      if (outcome.finding !== null) broken.push({ name: talk.name, outcome });
      onProgress((held += 1), broken.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, holdOn));
  return { held, broken };
}

/** Lists the broken laws, each with the first talk that breaks it. */
export function reportTalks({ held, broken }: TalkReport): string {
  const laws = new Map<string, { count: number; first: TalkReport['broken'][number] }>();
  for (const one of broken) {
    const law = one.outcome.finding?.invariant ?? '';
    const known = laws.get(law);
    laws.set(law, { count: (known?.count ?? 0) + 1, first: known?.first ?? one });
  }
  const parts = [...laws].map(([law, { count, first }]) =>
    [
      `${count} of ${held} talks break: ${law}`,
      `  such as ${first.name}`,
      `  ${first.outcome.finding?.detail ?? ''}`,
      ...first.outcome.transcript.slice(-24).map((line) => `    ${line}`),
    ].join('\n'),
  );
  return parts.join('\n\n');
}
