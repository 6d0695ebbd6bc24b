import { existsSync } from 'node:fs';
import { agentOptions } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import type { Scenario } from '../../flowtest/document/document.ts';
import { openTest } from '../../flowtest/open-test.ts';
import { recordSession } from '../../flowtest/record/record-session.ts';
import { testFileOf } from '../../flowtest/record/write-test.ts';
import { operatorOf } from '../people/operator.ts';
import { paint, print } from '../output.ts';
import { playRecorded, type PlayedRecord } from '../run/play-recorded.ts';
import { inStore, readable } from '../people/sessions.ts';
import { configFile } from '../flows/sources.ts';
import { testedFlow } from './tested-flow.ts';
import { writeOut } from '../written-file.ts';

export interface RecordArguments {
  readonly session: string | undefined;
  readonly flow: string | undefined;
  readonly store: string | undefined;
  readonly config: string | undefined;
  readonly write: string | undefined;
}

/** Writes a stored conversation as a test of a flow. Personal values are replaced by stand-ins. */
export async function record({ session, flow, store: address, config: file, write }: RecordArguments): Promise<void> {
  if (session === undefined || flow === undefined)
    throw new FlowError('option-empty', 'record needs a session and its flow: roomflow test record SESSION FLOW.');
  const configuration = configFile(file);
  await inStore({ store: address, config: file }, async (store, config) => {
    await readable(store, operatorOf(config), session);
    const flows = config === null ? {} : agentOptions(config).flows;
    const { catalog = builtinCatalog } = config ?? {};
    const isNamed = !existsSync(flow) && Object.hasOwn(flows, flow);
    if ((await testedFlow(flow, config, isNamed ? flows[flow] : flow)) === null) return;
    const recorded = await recordSession(store, session, { catalog, flows });
    const target = write ?? flow.replace(/(?:\.\w+)?$/, '.recorded.flowtest.yaml');
    if (existsSync(target))
      throw new FlowError('option-invalid', `${target} already exists. Name another file with --write.`);
    const about =
      'Recorded by roomflow test record. Personal values are replaced by stand-ins: review the file before you keep it.';
    const writeScenario = (scenario: Scenario, by?: string): string => {
      const text = testFileOf(target, flow, about, [scenario], by, isNamed ? 'name' : 'file');
      writeOut(target, text);
      return text;
    };
    const ofConfig = recorded.needsConfig || isNamed ? configuration : undefined;
    writeScenario(recorded.scenario, ofConfig);
    const { test } = await openTest(target);
    // The flow needs its configuration, for example for node types of a pack.
    if (test === null && configuration !== undefined) writeScenario(recorded.scenario, configuration);
    const fresh = test === null || ofConfig !== undefined ? null : await playRecorded(test, recorded, writeScenario);
    for (const note of fresh?.notes ?? recorded.notes) print(paint('yellow', note));
    print(`written: ${target}${fresh === null ? '' : `, which ${outcomeText(fresh.outcome)}`}`);
  });
}

function outcomeText({ is, why }: PlayedRecord['outcome']): string {
  return is === 'passes' ? 'passes' : `does not pass: ${why}`;
}
