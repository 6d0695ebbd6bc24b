import { defineCommand } from 'citty';
import type { Diagnostic } from '../flow/diagnostic.ts';
import { paint, print, printDiagnostic } from './output.ts';
import { checkSource, openConfig } from './sources.ts';

export const checkCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description: 'Flow files: YAML, JSON, or TypeScript with a default export; or folders with a flow.yaml.',
      required: true,
    },
    config: {
      type: 'string',
      description: 'agent.config.ts: its tools, flows and node packs are those that flows may name.',
    },
    strict: { type: 'boolean', description: 'Warnings fail as well: exit code 2.' },
    json: { type: 'boolean', description: 'Print one JSON document instead of text.' },
  },
  async run({ args }) {
    const config = await openConfig(args.config);
    const fails = (diagnostics: readonly Diagnostic[]): boolean =>
      count(diagnostics, 'error') + (args.strict === true ? count(diagnostics, 'warning') : 0) > 0;
    const results: { file: string; diagnostics: readonly Diagnostic[] }[] = [];
    for (const file of args._) results.push({ file, diagnostics: (await checkSource(file, config)).diagnostics });
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

function report(file: string, diagnostics: readonly Diagnostic[], hasFailed: boolean): void {
  for (const diagnostic of diagnostics) printDiagnostic(diagnostic);
  const found = (['error', 'warning', 'note'] as const)
    .map((severity) => [count(diagnostics, severity), severity] as const)
    .filter(([amount]) => amount > 0)
    .map(([amount, severity]) => plural(amount, severity));
  const [first = '', ...others] = hasFailed ? found : ['ok', ...found];
  print([`${file}: ${paint(hasFailed ? 'red' : 'green', first)}`, ...others].join(', '));
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}

function plural(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`;
}
