import { defineCommand } from 'citty';
import { drawMermaid } from '../../flow/graph/draw/draw.ts';
import { drawTasks } from '../../flow/graph/draw/tasks.ts';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import { print, printDiagnostic } from '../output.ts';
import { checkSource, openNearest } from './sources.ts';

export const graphCommand = defineCommand({
  args: {
    file: { type: 'positional', description: 'The flow file.', required: true },
    config: {
      type: 'string',
      description:
        'agent.config.ts with the node packs that the flow may name. Default: the nearest one above the file.',
    },
  },
  async run({ args }) {
    const catalog = (await openNearest(args.config, flowFile(args.file)))?.catalog;
    const { graph, tasks, diagnostics } = await checkSource(args.file, null, catalog);
    if (graph !== null) print(drawMermaid(graph));
    else if (tasks !== null) print(drawTasks(tasks));
    else {
      for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') printDiagnostic(diagnostic);
      process.exitCode = 2;
    }
  },
});
