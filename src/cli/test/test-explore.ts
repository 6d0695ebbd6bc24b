import { existsSync } from 'node:fs';
import { FlowError } from '../../model/errors.ts';
import { exploreFlow } from '../../flowtest/explore/explore-flow.ts';
import { testFileOf } from '../../flowtest/record/write-test.ts';
import { paint, print } from '../output.ts';
import { openConfig } from '../flows/sources.ts';
import { testedFlow } from './tested-flow.ts';
import { assertWritable, writeOut } from '../written-file.ts';

export interface ExploreArguments {
  readonly flow: string | undefined;
  readonly seeds: number;
  readonly firstSeed: number;
  /** Time limit in milliseconds. */
  readonly forMs: number;
  readonly config: string | undefined;
  readonly write: string | undefined;
  readonly covers: boolean;
}

/** Explores a flow by random walks. Writes a failing test for each finding, or tests that together cover the flow. */
export async function explore({
  flow: file,
  seeds,
  firstSeed,
  forMs,
  config,
  write,
  covers,
}: ExploreArguments): Promise<void> {
  if (file === undefined) throw new FlowError('option-empty', 'explore needs a flow: roomflow test explore FLOW.');
  assertWritable(write);
  const flow = await testedFlow(file, await openConfig(config));
  if (flow === null) return;
  if (flow.graph.generator !== null)
    throw new FlowError('flow-invalid', `${file} is a generator. Its nodes are not known before it runs.`);
  const { walks, isAllKnown, findings, covering } = await exploreFlow(flow, { seeds, firstSeed, forMs });
  for (const { seed, finding } of findings) print(`${paint('red', 'found')} with seed ${seed}: ${finding.message}`);
  const tests = covers ? covering : findings.map(({ scenario }) => scenario);
  const all = isAllKnown && walks < seeds ? ', which cover all of it' : '';
  print(
    `${walks} walks through ${flow.file}${all}: ${findings.length === 0 ? 'nothing found' : `${findings.length} found`}`,
  );
  if (tests.length > 0) {
    const target = write ?? flow.file.replace(/\.\w+$/, covers ? '.walks.flowtest.yaml' : '.found.flowtest.yaml');
    if (existsSync(target))
      throw new FlowError('option-invalid', `${target} already exists. Name another file with --write.`);
    const about = covers
      ? 'Walks that together cover the flow, by roomflow test explore.'
      : 'Findings of roomflow test explore: each scenario fails.';
    writeOut(target, testFileOf(target, flow.file, about, tests, config));
    print(`written: ${target}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
