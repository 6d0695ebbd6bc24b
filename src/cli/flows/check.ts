import { defineCommand } from 'citty';
import { relative } from 'node:path';
import { cwd } from 'node:process';
import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import { isGeneratorFlow } from '../../flow/document/generator.ts';
import { isFlowText } from '../../flow/load/open-source.ts';
import { connected } from '../../config/connected-config.ts';
import { systemClock } from '../../system.ts';
import { createFileChecker } from './check-files.ts';
import { paint, print, printDiagnostic } from '../output.ts';
import { checkSource, configFile, openConfig } from './sources.ts';
import { counted } from '../../model/ports/counted.ts';

export const checkCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description:
        'Flow files: YAML, JSON, or TypeScript with a default export; or folders with a flow.yaml. Default: the flows of the configuration.',
      required: false,
    },
    config: {
      type: 'string',
      description:
        'agent.config.ts with the tools, flows and node packs that flows may name. Default: the nearest one above each file.',
    },
    mcp: {
      type: 'boolean',
      description: 'Connect to the MCP servers of the configuration, and check the names and arguments of their tools.',
    },
    strict: { type: 'boolean', description: 'Fail on warnings too: exit code 2.' },
    json: { type: 'boolean', description: 'Print one JSON document instead of text.' },
  },
  async run({ args }) {
    const named = args._.length === 1 ? args._.find(isConfiguration) : undefined;
    const isAll = args._.length === 0 || named !== undefined;
    const opened = await openConfig(isAll || args.mcp === true ? (named ?? configFile(args.config)) : args.config);
    const servers = args.mcp === true ? await connected(opened ?? {}, { env: process.env, clock: systemClock }) : null;
    const config = servers === null || opened === null ? opened : servers.config;
    await servers?.close();
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

/** Checks by its name, such as `agent.config.ts`, whether a file is a configuration. Its flows are checked then. */
function isConfiguration(file: string): boolean {
  return /\.config\.[cm]?[jt]s$/.test(file);
}

/** The label of a flow in the output, and its file or document. */
type FlowToCheck = readonly [name: string, source: string | object];

/**
 * Returns the flows of a configuration, without generators, which have no document. Throws `option-empty` if there are
 * none.
 */
function flowsOf(config: OpenedConfig | null): readonly FlowToCheck[] {
  const flows = Object.entries(config?.flows ?? {}).flatMap(([name, flow]): readonly FlowToCheck[] => {
    if (isGeneratorFlow(flow)) return [];
    return typeof flow === 'string' && !isFlowText(flow) ? [[relative(cwd(), flow), flow]] : [[name, flow]];
  });
  if (flows.length > 0) return flows;
  const fact =
    config === null ? 'there is no agent.config.ts here' : 'the configuration has no flow that is a document';
  throw new FlowError('option-empty', `check needs FILES, because ${fact}. Name the flow files.`);
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
