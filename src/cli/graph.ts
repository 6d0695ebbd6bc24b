import { defineCommand } from 'citty';
import { drawMermaid } from '../graph/draw.ts';
import { print, printDiagnostic } from './output.ts';
import { checkSource, openConfig } from './sources.ts';

export const graphCommand = defineCommand({
  meta: { name: 'graph', description: 'Draw a flow as a Mermaid flowchart.' },
  args: {
    file: { type: 'positional', description: 'The flow file.', required: true },
    config: { type: 'string', description: 'agent.config.ts: its node packs are those that the flow may name.' },
  },
  async run({ args }) {
    const { graph, diagnostics } = await checkSource(args.file, null, (await openConfig(args.config))?.catalog);
    if (graph !== null) {
      print(drawMermaid(graph));
      return;
    }
    for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') printDiagnostic(diagnostic);
    process.exitCode = 2;
  },
});
