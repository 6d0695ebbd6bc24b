import { defineCommand } from 'citty';
import { assertStoreAddress } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import { formatDiagnostic } from '../../flow/document/problems/diagnostic.ts';
import type { Engine, Thresholds } from '../../flowtest/document/document.ts';
import { complain, paint, print, printDiagnostic } from '../output.ts';
import { reportPainter } from './report-painter.ts';
import { testFiles, testPlaces } from './test-files.ts';
import type { RoundOptions } from './test-round.ts';
import { assertWritable } from '../written-file.ts';

export const testCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description:
        'Test files (*.flowtest.yaml) and folders; or explore FLOW; or record SESSION FLOW. Default: all tests below this folder.',
      required: false,
    },
    engine: { type: 'string', description: 'scripted, offline or live. Overrides the engine of each scenario.' },
    name: { type: 'string', description: 'Only scenarios whose name contains this text.' },
    tag: { type: 'string', description: 'Only scenarios with one of these tags, separated by commas.' },
    store: {
      type: 'string',
      description: 'The store of the conversations: memory, sqlite, or the address of a store.',
    },
    seed: { type: 'string', description: 'Overrides the seeds of scenarios. With explore: the first seed.' },
    seeds: {
      type: 'string',
      description: 'The maximum number of walks of explore, which ends when the flow is covered. Default: 100.',
    },
    seconds: { type: 'string', description: 'The time limit of explore. Default: none.' },
    cover: { type: 'boolean', description: 'With explore: write walks that together cover the flow.' },
    write: { type: 'string', description: 'The file that explore or record writes. Default: a file beside the flow.' },
    config: { type: 'string', description: 'agent.config.ts, for explore and record.' },
    repeat: { type: 'string', description: 'How often live scenarios run. Overrides the number of each scenario.' },
    bail: { type: 'boolean', description: 'Stop after the first failure.' },
    talk: { type: 'boolean', description: 'Show the conversation of every scenario, not only of those that fail.' },
    coverage: { type: 'boolean', description: 'Show the coverage of the flows.' },
    'min-nodes': { type: 'string', description: 'The minimum coverage of nodes in percent. Below it: exit code 4.' },
    'min-edges': { type: 'string', description: 'The same for edges.' },
    junit: { type: 'string', description: 'Write the results to this file as JUnit XML.' },
    html: {
      type: 'string',
      description: 'Write the results to this file as one page, with the coverage in a drawing of the flow.',
    },
    lcov: { type: 'string', description: 'Write the coverage to this file as lcov.' },
    json: { type: 'boolean', description: 'Print JSON lines instead of text.' },
    github: { type: 'boolean', description: 'Also print annotations for GitHub.' },
    watch: {
      type: 'boolean',
      description: 'Keep running, and repeat the tests that a changed file affects. Ctrl-C stops.',
    },
    update: {
      type: 'boolean',
      description: 'Update the texts of "exactly", and show the changes.',
    },
  },
  async run({ args }) {
    const seed = args.seed === undefined ? undefined : wholeOf('seed', args.seed);
    // Loaded on demand: wrong options are reported without waiting for these modules.
    if (args._[0] === 'explore') {
      const { explore } = await import('./test-explore.ts');
      return await explore({
        flow: args._[1],
        seeds: args.seeds === undefined ? defaultSeeds : wholeOf('seeds', args.seeds, 1),
        firstSeed: seed ?? 1,
        forMs: args.seconds === undefined ? Infinity : 1_000 * wholeOf('seconds', args.seconds, 1),
        ...{ config: args.config, write: args.write, covers: args.cover === true },
      });
    }
    if (args._[0] === 'record') {
      const { record } = await import('./test-record.ts');
      return await record({
        ...{ session: args._[1], flow: args._[2], store: args.store, config: args.config, write: args.write },
      });
    }
    const engine = engineOf(args.engine);
    for (const file of [args.junit, args.html, args.lcov]) assertWritable(file);
    if (args.store !== undefined && args.store !== 'sqlite') assertStoreAddress(args.store);
    const minimums: Thresholds = {
      ...(args['min-nodes'] === undefined ? {} : { nodes: percentOf('min-nodes', args['min-nodes']) }),
      ...(args['min-edges'] === undefined ? {} : { edges: percentOf('min-edges', args['min-edges']) }),
    };
    const options: Omit<RoundOptions, 'files'> = {
      ...{ engine, seed, name: args.name, tags: args.tag?.split(','), store: args.store, minimums },
      repeat: args.repeat === undefined ? undefined : wholeOf('repeat', args.repeat, 1),
      ...{ bail: args.bail === true, talk: args.talk === true, coverage: args.coverage === true },
      ...{
        junit: args.junit,
        html: args.html,
        lcov: args.lcov,
        json: args.json === true,
        github: args.github === true,
      },
    };
    if (args.watch === true) {
      if (args.update === true || args.json === true || args.github === true)
        throw new FlowError(
          'option-invalid',
          '--watch runs until it is stopped. Remove --update, --json and --github.',
        );
      const { watchTests } = await import('./test-watch.ts');
      return await watchTests(testPlaces(args._), options);
    }
    const files = testFiles(args._);
    if (args.update === true) {
      const { refresh } = await import('./test-update.ts');
      await refresh({ ...options, files });
    }
    const { playRound } = await import('./test-round.ts');
    // A problem of a flow with several test files is printed once.
    const told = new Set<string>();
    process.exitCode = await playRound(
      { ...options, files },
      {
        paint: reportPainter(paint),
        opened(_file, _reads, diagnostics) {
          const fresh = diagnostics.filter((one) => !told.has(formatDiagnostic(one)));
          for (const one of fresh) printDiagnostic(one);
          for (const one of fresh) told.add(formatDiagnostic(one));
        },
        ran(_file, text) {
          if (!options.json) print(text);
        },
        totals: print,
        print,
        write: (text) => void process.stdout.write(text),
        complain,
      },
    ).then(({ exitCode }) => exitCode);
  },
});

const defaultSeeds = 100;

function engineOf(name: string | undefined): Engine | undefined {
  if (name === undefined || name === 'scripted' || name === 'offline' || name === 'live') return name;
  throw new FlowError('option-invalid', `--engine must be scripted, offline or live, not "${name}".`);
}

function wholeOf(option: string, text: string, least = -Infinity): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  const above = least === 1 ? ' above 0' : '';
  throw new FlowError('option-invalid', `--${option} must be a whole number${above}, not "${text}".`);
}

function percentOf(option: string, text: string): number {
  const number = Number(text);
  if (number >= 0 && number <= 100) return number;
  throw new FlowError('option-invalid', `--${option} must be a number from 0 to 100, not "${text}".`);
}
