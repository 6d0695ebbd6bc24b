import { defineCommand } from 'citty';
import type { Diagnostic } from '../flow/diagnostic.ts';
import { paint, print, printDiagnostic } from './output.ts';
import { checkSource, openConfig } from './sources.ts';

export const checkCommand = defineCommand({
  args: {
    files: {
      type: 'positional',
      description: 'Flow files: YAML, JSON, or TypeScript with a default export.',
      required: true,
    },
    config: {
      type: 'string',
      description: 'agent.config.ts: its tools, flows and node packs are those that flows may name.',
    },
    json: { type: 'boolean', description: 'Print one JSON document instead of text.' },
  },
  async run({ args }) {
    const config = await openConfig(args.config);
    const results: { file: string; diagnostics: readonly Diagnostic[] }[] = [];
    for (const file of args._) results.push({ file, diagnostics: (await checkSource(file, config)).diagnostics });
    if (args.json === true)
      print(
        JSON.stringify({
          files: results.map(({ file, diagnostics }) => ({ file, ok: count(diagnostics, 'error') === 0, diagnostics })),
        }),
      );
    else for (const { file, diagnostics } of results) report(file, diagnostics);
    if (results.some(({ diagnostics }) => count(diagnostics, 'error') > 0)) process.exitCode = 2;
  },
});

function report(file: string, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) printDiagnostic(diagnostic);
  const errors = count(diagnostics, 'error');
  const others = (['warning', 'note'] as const)
    .map((severity) => [count(diagnostics, severity), severity] as const)
    .filter(([amount]) => amount > 0)
    .map(([amount, severity]) => plural(amount, severity));
  const verdict = errors === 0 ? paint('green', 'ok') : paint('red', plural(errors, 'error'));
  print([`${file}: ${verdict}`, ...others].join(', '));
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}

function plural(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`;
}
