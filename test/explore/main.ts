import process from 'node:process';
import { parseArgs } from 'node:util';
import { awkwardOfSeed, holdAllAwkward, reportAwkward, transcriptsOf } from './awkward/awkward.ts';
import { chosenAwkward, everyAwkward } from './awkward/product.ts';
import { everyLaw, heldLaws, type Law } from './awkward/ledger.ts';
import { explore, report } from './explore.ts';
import { everyNoise, holdAll, type NamedTalk, reportTalks, talkOfSeed } from './talk/talks.ts';

const usage = `npm run explore -- [--seeds N] [--from SEED] [--session]
npm run explore -- --talk [--seeds N] [--from SEED] [--brain | --realtime]     noisy callers, imperfect models
npm run explore -- --talk --hard [--seeds N] [--from SEED] [--show]     awkward callers and models, by every law
npm run explore -- --talk --hard --every [TEXT] [--full] [--show]     pairs of acts, flows and faults; --full: all of them
npm run explore -- --talk --every [TEXT] [--show]                 every noise and flaw, of talks whose name has TEXT`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      session: { type: 'boolean', default: false },
      talk: { type: 'boolean', default: false },
      brain: { type: 'boolean', default: false },
      realtime: { type: 'boolean', default: false },
      every: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      hard: { type: 'boolean', default: false },
      show: { type: 'boolean', default: false },
    },
  });
  const [from, seeds] = [count(values.from ?? '1'), count(values.seeds ?? '1000')];
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1_000).toFixed(1);
  const progress = (all: number) => {
    const every = Math.max(1, Math.round(all / 10));
    return (done: number, broken = 0): void => {
      if (done % every === 0 && done < all) console.log(`${done} of ${all}${broken > 0 ? `, ${broken} broken` : ''}`);
    };
  };
  const holdAwkwardCalls = async (to: readonly Law[]): Promise<boolean> => {
    const talks = values.every
      ? (values.full ? everyAwkward : chosenAwkward)(positionals[0])
      : Array.from({ length: seeds }, (_, index) =>
          awkwardOfSeed(from + index, values.realtime ? 'realtime' : undefined),
        );
    const result = await holdAllAwkward(talks, to, progress(talks.length));
    if (values.show && result.broken.length > 0) console.log(transcriptsOf(result));
    if (result.broken.length > 0) console.error(reportAwkward(result));
    console.log(result.coverage);
    if (values.every) console.log(result.impossible);
    for (const cell of result.unexpected) console.error(`${cell}: visited, though impossible-cells.ts has it.`);
    console.log(`${result.broken.length} of ${result.held} awkward calls broken, in ${seconds()} s`);
    // Without a filter, the choice reaches every cell.
    const isPartial = values.every && positionals[0] === undefined && result.missing.length > 0;
    return isPartial || result.broken.length + result.unexpected.length > 0;
  };
  let isBroken: boolean;
  if (values.talk && values.hard) {
    isBroken = await holdAwkwardCalls(everyLaw);
  } else if (values.talk) {
    if (values.brain && values.realtime) throw new Error('--brain and --realtime are two models: give one.');
    const model = values.realtime ? 'realtime' : values.brain ? 'brain' : undefined;
    const talks: readonly NamedTalk[] = values.every
      ? everyNoise(positionals[0], model)
      : Array.from({ length: seeds }, (_, index) => talkOfSeed(from + index, model));
    const result = await holdAll(talks, Infinity, progress(talks.length));
    isBroken = result.broken.length > 0;
    if (values.show)
      for (const { name, outcome } of result.broken) console.log(`${name}\n${outcome.transcript.join('\n')}\n`);
    if (isBroken) console.error(reportTalks(result));
    console.log(`${result.broken.length} of ${result.held} talks broken, in ${seconds()} s`);
    if (!values.every && model === undefined) isBroken = (await holdAwkwardCalls(heldLaws)) || isBroken;
  } else {
    const level = values.session ? 'session' : 'engine';
    const finding = await explore({ level, from, seeds, onProgress: progress(seeds) });
    isBroken = finding !== null;
    if (finding === null) console.log(`${level}: seeds ${from} to ${from + seeds - 1} hold, in ${seconds()} s`);
    else console.error(report(finding, level));
  }
  // LiveKit closes its sessions 0.5 s later; the process does not wait for them.
  process.exit(isBroken ? 1 : 0);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exit(2);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`"${text}" is no whole number above 0.`);
  return value;
}
