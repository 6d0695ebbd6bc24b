import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineCommand } from 'citty';
import { FlowError } from '../errors.ts';
import { isError } from '../load/diagnose.ts';
import { type CoverageKind, coverageKinds, coverageOf, type FlowCoverage } from '../testing/flowtest/coverage.ts';
import type { Engine, Thresholds } from '../testing/flowtest/document.ts';
import { isTestFile, openTest } from '../testing/flowtest/open-test.ts';
import type { OpenedTest } from '../testing/flowtest/opened-test.ts';
import { coverageTable, shortfalls } from '../testing/flowtest/reports/coverage-table.ts';
import { githubOf } from '../testing/flowtest/reports/github.ts';
import { htmlOf } from '../testing/flowtest/reports/html.ts';
import { jsonLinesOf } from '../testing/flowtest/reports/json-lines.ts';
import { junitOf } from '../testing/flowtest/reports/junit.ts';
import { lcovOf } from '../testing/flowtest/reports/lcov.ts';
import { type Painter, prettyFile, prettyTotals, type Tone } from '../testing/flowtest/reports/pretty.ts';
import { totalsOf } from '../testing/flowtest/reports/totals.ts';
import { type FileResult, runTests } from '../testing/flowtest/run-tests.ts';
import { explore } from './test-explore.ts';
import { record } from './test-record.ts';
import { complain, paint, print, printDiagnostic } from './output.ts';

export const testCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description:
        'Files of tests (*.flowtest.yaml) and folders, all below this folder where absent; or explore FLOW, or record SESSION FLOW.',
      required: false,
    },
    engine: { type: 'string', description: 'scripted, offline or live, instead of what each scenario names.' },
    name: { type: 'string', description: 'Only scenarios that have this in their name.' },
    tag: { type: 'string', description: 'Only scenarios with one of these tags, by commas.' },
    store: { type: 'string', description: 'Where conversations are kept: memory, sqlite, or the address of a store.' },
    seed: { type: 'string', description: 'Instead of the seeds that scenarios name; of explore the first one.' },
    seeds: { type: 'string', description: 'How many walks explore makes; 100.' },
    seconds: { type: 'string', description: 'How long explore may take; it makes all its walks where absent.' },
    cover: { type: 'boolean', description: 'Let explore write walks that together come through the flow.' },
    write: { type: 'string', description: 'The file that explore or record writes; one beside the flow where absent.' },
    config: { type: 'string', description: 'agent.config.ts, for explore and record.' },
    repeat: { type: 'string', description: 'How often live scenarios are run, instead of what each says.' },
    bail: { type: 'boolean', description: 'Begin nothing more once something has failed.' },
    talk: { type: 'boolean', description: 'Show what was said in every scenario, not only in those that fail.' },
    coverage: { type: 'boolean', description: 'Show what of the flows was covered, and what was not.' },
    'min-nodes': { type: 'string', description: 'How many percent of the nodes must be covered; else exit code 4.' },
    'min-edges': { type: 'string', description: 'The same for edges.' },
    junit: { type: 'string', description: 'Write the results to this file as JUnit XML.' },
    html: { type: 'string', description: 'Write them to this file as one page, with coverage on the drawn flow.' },
    lcov: { type: 'string', description: 'Write the coverage to this file as lcov.' },
    json: { type: 'boolean', description: 'Print JSON lines instead of text.' },
    github: { type: 'boolean', description: 'Print annotations for GitHub beside the text.' },
  },
  async run({ args }) {
    const seed = args.seed === undefined ? undefined : wholeOf('seed', args.seed);
    if (args._[0] === 'explore')
      return await explore({
        flow: args._[1],
        seeds: args.seeds === undefined ? defaultSeeds : wholeOf('seeds', args.seeds),
        firstSeed: seed ?? 1,
        forMs: args.seconds === undefined ? Infinity : 1_000 * wholeOf('seconds', args.seconds),
        ...{ config: args.config, write: args.write, covers: args.cover === true },
      });
    if (args._[0] === 'record')
      return await record({
        ...{ session: args._[1], flow: args._[2], store: args.store, config: args.config, write: args.write },
      });
    const engine = engineOf(args.engine);
    const minimums: Thresholds = {
      ...(args['min-nodes'] === undefined ? {} : { nodes: percentOf('min-nodes', args['min-nodes']) }),
      ...(args['min-edges'] === undefined ? {} : { edges: percentOf('min-edges', args['min-edges']) }),
    };
    const tests = await openTests(testFiles(args._));
    if (tests === null) {
      process.exitCode = 2;
      return;
    }
    const isText = args.json !== true;
    const results = await runTests(
      tests,
      {
        ...{ engine, seed, name: args.name, tags: args.tag?.split(','), store: args.store },
        repeat: args.repeat === undefined ? undefined : wholeOf('repeat', args.repeat),
        bail: args.bail === true,
      },
      (result) => {
        if (isText) print(prettyFile(result, painter, { talk: args.talk === true }));
      },
    );
    const totals = totalsOf(results);
    if (totals.scenarios === 0)
      throw new FlowError('option-empty', 'no scenario is meant by this. Look at --name and --tag.');
    const coverages = coverageOf(results);
    if (isText) print(prettyTotals(results, painter));
    else process.stdout.write(jsonLinesOf(results, coverages));
    if (isText && args.coverage === true) print(coverageTable(coverages, painter));
    if (args.github === true) process.stdout.write(githubOf(results));
    write(args.junit, () => junitOf(results));
    write(args.html, () => htmlOf(results, coverages));
    write(args.lcov, () => lcovOf(coverages));
    const isShort = tellShortfalls(results, coverages, minimums);
    if (isShort) process.exitCode = 4;
    if (totals.broken > 0) process.exitCode = 3;
    if (totals.failed > 0) process.exitCode = 1;
  },
});

const defaultSeeds = 100;

const styles: Readonly<Record<Tone, Parameters<typeof paint>[0]>> = {
  good: 'green',
  bad: 'red',
  quiet: 'dim',
  warn: 'yellow',
};

const painter: Painter = (tone, text) => paint(styles[tone], text);

/** Opens files of tests and tells what is wrong in them; null where something is. */
async function openTests(files: readonly string[]): Promise<readonly OpenedTest[] | null> {
  const tests: OpenedTest[] = [];
  let isBroken = false;
  for (const file of files) {
    const { test, diagnostics } = await openTest(file);
    for (const diagnostic of diagnostics) printDiagnostic(diagnostic);
    isBroken ||= diagnostics.some(isError);
    if (test !== null) tests.push(test);
  }
  return isBroken ? null : tests;
}

/** Tells which flows are covered too little, by what their files of tests and the options ask for. */
function tellShortfalls(
  results: readonly FileResult[],
  coverages: readonly FlowCoverage[],
  minimums: Thresholds,
): boolean {
  const thresholdsOf = (file: string): Thresholds => {
    const asked = results.flatMap(({ test }) => (test.flow.file === file ? [test.document.coverage ?? {}] : []));
    const most = (kind: CoverageKind): number | undefined => {
      const all = [...asked, minimums].flatMap((one) => one[kind] ?? []);
      return all.length === 0 ? undefined : Math.max(...all);
    };
    return Object.fromEntries(coverageKinds.map((kind) => [kind, most(kind)]));
  };
  const found = shortfalls(coverages, thresholdsOf);
  for (const { file, kind, percent, least } of found)
    complain(`${file}: ${Math.floor(percent)} % of the ${kind} are covered, and ${least} % are asked for.`);
  return found.length > 0;
}

function write(file: string | undefined, textOf: () => string): void {
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, textOf());
}

function engineOf(name: string | undefined): Engine | undefined {
  if (name === undefined || name === 'scripted' || name === 'offline' || name === 'live') return name;
  throw new FlowError('option-invalid', `--engine is scripted, offline or live, not "${name}".`);
}

function wholeOf(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number)) return number;
  throw new FlowError('option-invalid', `--${option} is a whole number, not "${text}".`);
}

function percentOf(option: string, text: string): number {
  const number = Number(text);
  if (number >= 0 && number <= 100) return number;
  throw new FlowError('option-invalid', `--${option} is a number from 0 to 100, not "${text}".`);
}

/** The files that are meant; those of folders by their names. Throws `option-empty` where there is none. */
function testFiles(given: readonly string[]): readonly string[] {
  const places = given.length === 0 ? ['.'] : given;
  const files = places.flatMap((place) => (isFolder(place) ? testFilesIn(place) : [place]));
  if (files.length > 0) return files;
  const where = given.length === 0 ? 'below this folder' : `in ${given.join(', ')}`;
  throw new FlowError('option-empty', `there is no file of tests ${where}. Their names end in .flowtest.yaml.`);
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '.' ? entry.name : join(folder, entry.name);
      if (entry.isDirectory()) return /^(?:\.|node_modules$|dist$)/.test(entry.name) ? [] : testFilesIn(path);
      return isTestFile(entry.name) ? [path] : [];
    });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
