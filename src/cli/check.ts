import { defineCommand } from 'citty';
import { relative } from 'node:path';
import { cwd } from 'node:process';
import type { OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { Diagnostic } from '../flow/diagnostic.ts';
import { isGeneratorFlow } from '../flow/generator.ts';
import { isFlowText } from '../load/open-source.ts';
import { createFileChecker } from './check-files.ts';
import { paint, print, printDiagnostic } from './output.ts';
import { checkSource, configFile, openConfig } from './sources.ts';
import { counted } from '../ports/counted.ts';

export const checkCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description:
        'Flow files: YAML, JSON, or TypeScript with a default export; or folders with a flow.yaml. Where absent, the flows of the configuration.',
      required: false,
    },
    config: {
      type: 'string',
      description:
        'agent.config.ts: its tools, flows and node packs are those that flows may name. Where absent, the nearest above each file.',
    },
    strict: { type: 'boolean', description: 'Warnings fail as well: exit code 2.' },
    json: { type: 'boolean', description: 'Print one JSON document instead of text.' },
  },
  async run({ args }) {
    const named = args._.length === 1 ? args._.find(isConfiguration) : undefined;
    const isAll = args._.length === 0 || named !== undefined;
    const config = await openConfig(isAll ? (named ?? configFile(args.config)) : args.config);
    const sources = isAll ? flowsOf(config) : args._.map((file): FlowToCheck => [file, file]);
    const isNearest = !isAll && config === null;
    const checkFile = createFileChecker();
    const check = async (source: string | object): Promise<readonly Diagnostic[]> =>
      isNearest && typeof source === 'string'
        ? await checkFile(source)
        : (await checkSource(source, config)).diagnostics;
    const fails = (diagnostics: readonly Diagnostic[]): boolean =>
      count(diagnostics, 'error') + (args.strict === true ? count(diagnostics, 'warning') : 0) > 0;
    const results: { file: string; diagnostics: readonly Diagnostic[] }[] = [];
    for (const [file, source] of sources) results.push({ file, diagnostics: await check(source) });
    if (args.json === true)
      print(
        JSON.stringify({
          files: results.map(({ file, diagnostics }) => ({ file, ok: !fails(diagnostics), diagnostics })),
        }),
      );
    else for (const { file, diagnostics } of results) report(file, diagnostics, fails(diagnostics));
    if (results.some(({ diagnostics }) => fails(diagnostics))) process.exitCode = 2;
  },
});

/** By its name, as `agent.config.ts`: who names it for a flow means the flows in it. */
function isConfiguration(file: string): boolean {
  return /\.config\.[cm]?[jt]s$/.test(file);
}

/** What a flow is called in what is told of it, and the flow itself or its file. */
type FlowToCheck = readonly [name: string, source: string | object];

/** The flows of a configuration; a generator has no document. Throws `option-empty` where there is none to check. */
function flowsOf(config: OpenedConfig | null): readonly FlowToCheck[] {
  const flows = Object.entries(config?.flows ?? {}).flatMap(([name, flow]): readonly FlowToCheck[] => {
    if (isGeneratorFlow(flow)) return [];
    return typeof flow === 'string' && !isFlowText(flow) ? [[relative(cwd(), flow), flow]] : [[name, flow]];
  });
  if (flows.length > 0) return flows;
  const fact =
    config === null ? 'there is no agent.config.ts here' : 'the configuration has no flow that is a document';
  throw new FlowError('option-empty', `check needs FILES, for ${fact}. Name the files of flows.`);
}

function report(file: string, diagnostics: readonly Diagnostic[], hasFailed: boolean): void {
  for (const diagnostic of diagnostics) printDiagnostic(diagnostic);
  const found = (['error', 'warning', 'note'] as const)
    .map((severity) => [count(diagnostics, severity), severity] as const)
    .filter(([amount]) => amount > 0)
    .map(([amount, severity]) => counted(amount, severity));
  const [first = '', ...others] = hasFailed ? found : ['ok', ...found];
  print([`${file}: ${paint(hasFailed ? 'red' : 'green', first)}`, ...others].join(', '));
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}
