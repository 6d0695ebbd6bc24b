import { FlowError } from '../../model/errors.ts';
import { drawingOf, drawMermaid } from '../../flow/graph/draw/draw.ts';
import { drawDot } from '../../flow/graph/draw/dot.ts';
import { drawTasks } from '../../flow/graph/draw/tasks.ts';
import { drawFlowHtml, drawFlowSvg } from '../../flow/picture/draw-flow.ts';
import { toPipecat } from '../../importers/pipecat/to-pipecat.ts';
import { print, printDiagnostic, tellBeside } from '../output.ts';
import { checkSource } from './sources.ts';
import { refuseExisting, writeOut } from '../written-file.ts';

const forms = ['pipecat', 'mermaid', 'dot', 'html', 'svg'];

/**
 * Writes a flow in another format and reports on standard error what that format cannot express. Throws
 * `option-invalid`, `file-exists` and `file-unwritable`.
 */
export async function exportFlow(
  file: string,
  form: string,
  { out, force }: { readonly out?: string | undefined; readonly force?: boolean | undefined },
): Promise<void> {
  if (!forms.includes(form))
    throw new FlowError('option-invalid', `--to "${form}" is not valid. Use ${forms.join(', ')}.`);
  refuseExisting(out, force === true);
  const { graph, document, tasks, diagnostics } = await checkSource(file, null);
  if (graph === null && tasks !== null && form === 'mermaid') return write(drawTasks(tasks), out);
  if (graph === null || document === null) {
    if (tasks !== null) throw new FlowError('option-invalid', `"${tasks.name}" is a task flow: export it as mermaid.`);
    for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') printDiagnostic(diagnostic);
    process.exitCode = 2;
    return;
  }
  if (form === 'mermaid') return write(drawMermaid(graph), out);
  if (form === 'dot') return write(drawDot(drawingOf(graph)), out);
  if (form === 'html') return write(await drawFlowHtml(graph), out);
  if (form === 'svg') return write(await drawFlowSvg(graph), out);
  const { document: exported, notes } = toPipecat(document);
  write(JSON.stringify(exported, null, 2), out);
  if (notes.length > 0)
    tellBeside([`different in Pipecat (${notes.length}):`, ...notes.map((note) => `  ${note}`)].join('\n'));
}

function write(text: string, out: string | undefined): void {
  if (out === undefined) print(text.trimEnd());
  else writeOut(out, `${text.trimEnd()}\n`);
}
