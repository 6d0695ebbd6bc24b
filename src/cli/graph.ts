import { defineCommand } from 'citty';
import { drawMermaid } from '../graph/draw.ts';
import { print, printDiagnostic } from './output.ts';
import { checkSource } from './sources.ts';

export const graphCommand = defineCommand({
  meta: { name: 'graph', description: 'Draw a flow as a Mermaid flowchart.' },
  args: { file: { type: 'positional', description: 'The flow file.', required: true } },
  async run({ args }) {
    const { graph, diagnostics } = await checkSource(args.file, null);
    if (graph !== null) {
      print(drawMermaid(graph));
      return;
    }
    for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') printDiagnostic(diagnostic);
    process.exitCode = 2;
  },
});
