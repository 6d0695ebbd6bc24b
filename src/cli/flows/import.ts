import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { formatDiagnostic, formatPath } from '../../flow/document/problems/diagnostic.ts';
import { foreignProducts, type ForeignProduct } from '../../importers/convert.ts';
import { importFlow, type ImportedFlow, type LocatedNote } from '../../flow/load/import-flow.ts';
import { writeYaml } from '../../flow/load/yaml/write-yaml.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { writeToolStubs } from '../run/tool-stubs.ts';
import { assertWritable, refuseExisting, writeOut } from '../written-file.ts';
import { paint, print, printDiagnostic, tellBeside } from '../output.ts';
import { counted } from '../../model/ports/counted.ts';

export const importCommand = defineCommand({
  args: {
    file: {
      type: 'positional',
      description: 'An export of Pipecat, Retell or Vapi; for Rasa and Dialogflow CX a folder or its zip archive.',
      required: true,
    },
    from: { type: 'string', description: `The product: ${foreignProducts.join(', ')}. Default: detected.` },
    out: { type: 'string', description: 'The file for the flow, YAML or (.json) JSON. Default: the flow is printed.' },
    tools: { type: 'string', description: 'The file for stubs of the functions that the flow needs.' },
    force: { type: 'boolean', description: 'Overwrite existing files.' },
    json: {
      type: 'boolean',
      description: 'Print one JSON document with the flow, the report and the functions to write.',
    },
  },
  run({ args }) {
    const from = productNamed(args.from);
    for (const file of [args.out, args.tools]) {
      refuseExisting(file, args.force === true);
      assertWritable(file);
    }
    const { flow, diagnostics } = importFlow(args.file, {
      catalog: builtinCatalog,
      ...(from === undefined ? {} : { from }),
    });
    if (flow === null) {
      if (args.json === true) print(JSON.stringify({ flow: null, diagnostics }, null, 2));
      else for (const diagnostic of diagnostics) printDiagnostic(diagnostic);
      process.exitCode = 2;
      return;
    }
    if (args.out !== undefined) writeOut(args.out, textOf(flow, args.out));
    if (args.tools !== undefined) writeOut(args.tools, writeToolStubs(flow));
    if (args.json === true) print(JSON.stringify({ flow, diagnostics }, null, 2));
    else {
      // If the flow is printed to standard output, the report goes to standard error.
      const isPrinted = args.out === undefined;
      if (isPrinted) print(writeYaml(flow.document).trimEnd());
      const printTo = isPrinted ? tellBeside : print;
      printTo(reportOf(flow, args));
      for (const diagnostic of diagnostics) printTo(formatDiagnostic(diagnostic));
    }
    if (diagnostics.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  },
});

/** Returns the named product. Throws `option-invalid`. */
function productNamed(given: string | undefined): ForeignProduct | undefined {
  if (given === undefined) return undefined;
  const found = foreignProducts.find((product) => product === given.toLowerCase());
  if (found === undefined)
    throw new FlowError('option-invalid', `--from "${given}" is not known. Use ${foreignProducts.join(', ')}.`);
  return found;
}

function textOf({ document }: ImportedFlow, file: string): string {
  return file.endsWith('.json') ? `${JSON.stringify(document, null, 2)}\n` : writeYaml(document);
}

const titles = { taken: 'taken', changed: 'changed', lost: 'without counterpart' } as const;

/** Lists what was taken, changed and lost, each with its place in the foreign file, and the functions to write. */
function reportOf(
  flow: ImportedFlow,
  { out, tools: stubs }: { out?: string | undefined; tools?: string | undefined },
): string {
  const parts = (['taken', 'changed', 'lost'] as const).flatMap((kind) => {
    const notes = flow.notes.filter((note) => note.kind === kind);
    if (notes.length === 0) return [];
    return [
      paint('bold', `${titles[kind]} (${notes.length})`),
      ...notes.toSorted(byPlace).map((note) => `  ${lineOf(note)}`),
    ];
  });
  const { tools } = flow;
  const stub = stubs === undefined ? '; --tools FILE writes stubs' : `, with stubs in ${stubs}`;
  const written =
    tools.length === 0
      ? []
      : [
          paint('bold', `functions to write (${tools.length})${stub}`),
          ...tools.map(
            ({ name, http, description }) =>
              `  ${name}${http === undefined ? '' : `: ${http.method} ${http.url}`}${http !== undefined || description === '' ? '' : `: ${description}`}`,
          ),
        ];
  const counts = (['taken', 'changed', 'lost'] as const).map(
    (kind) => `${flow.notes.filter((note) => note.kind === kind).length} ${titles[kind]}`,
  );
  const place = out === undefined ? '' : ` was written to ${out}`;
  const warnings = flow.check.filter(({ severity }) => severity === 'warning').length;
  const checked = warnings === 0 ? '' : ` A check reports ${counted(warnings, 'warning')}.`;
  return [...parts, ...written, `${flow.what}${place}: ${counts.join(', ')}.${checked}`].join('\n');
}

function byPlace(one: LocatedNote, other: LocatedNote): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

function lineOf({ file, line, column, path, text, more }: LocatedNote): string {
  const place = line === undefined ? `${file}:${formatPath(path)}` : `${file}:${line}:${column ?? 1}`;
  return `${place} ${text}${more === 0 ? '' : ` (and at ${counted(more, 'more place')})`}`;
}
