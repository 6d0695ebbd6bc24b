import { z } from 'zod';
import { attemptsName } from '../document/function.ts';
import { propertiesOf } from '../graph/compile/function.ts';
import type { Graph, GraphNode, GraphNodeTask } from '../graph/graph.ts';
import { type NameUse, type Report, addProblem } from '../graph/report.ts';
import type { Declaration } from './declarations.ts';
import { nearNames } from './near-names.ts';
import type { Offer } from './offers.ts';

/** Reports undeclared names in templates and conditions, and unknown fields of node outputs. */
export function checkNames(
  report: Report,
  graph: Graph,
  declarations: readonly Declaration[],
  offers: readonly Offer[],
): void {
  const declared = new Set(declarations.map(({ name }) => name));
  const outputs = new Set(declarations.flatMap(({ name, kind }) => (kind === 'catalog node' ? name : [])));
  for (const { offered, source } of offers)
    if (offered.body === 'edge') for (const name of Object.keys(propertiesOf(source))) declared.add(name);
  const near = nearNames(declared);
  for (const use of report.names) {
    const [name = '', field] = use.reference;
    if (name === '' || use.local.includes(name)) continue;
    if (use.confirms !== undefined && (name === 'args' || !declared.has(name))) {
      reportBlank(report, use, use.confirms, near);
    } else if (name === attemptsName && use.isDenied !== undefined && !declared.has(name)) {
      if (field === undefined || graph.nodes.has(field) || graph.slots.has(field)) continue;
      addProblem(report, 'warning', 'undeclared-name', use.path, `no node and no slot is called "${field}".`, {
        hint:
          nearNames([...graph.nodes.keys(), ...graph.slots.keys()])(field) ?? 'Write attempts.NODE or attempts.SLOT.',
      });
    } else if (!declared.has(name))
      addProblem(report, 'warning', 'undeclared-name', use.path, `nothing in the flow declares "${name}".`, {
        hint: onlyLocal.get(name) ?? near(name) ?? 'Declare it as a slot or under state or input, unless code sets it.',
        ...withinOf(use),
      });
    else if (field !== undefined && outputs.has(name)) reportField(report, outputSource(graph.nodes.get(name)), use);
  }
}

/** Reports a name in a confirmation question that would stay blank: the caller would agree to something unsaid. */
function reportBlank(
  report: Report,
  use: NameUse,
  given: readonly string[] | 'anything',
  near: (name: string) => string | undefined,
): void {
  const [first = '', field] = use.reference;
  const name = first === 'args' ? (field ?? '') : first;
  if (first === 'args' && (given === 'anything' || given.includes(name))) return;
  const severity = given === 'anything' ? 'warning' : 'error';
  const fact = `this stays blank in the question before the call: nothing is called "${name}".`;
  const known = given === 'anything' ? [] : given;
  addProblem(report, severity, 'blank-in-confirm', use.path, fact, {
    hint:
      nearNames(known)(name) ??
      (first === 'args' ? undefined : near(name)) ??
      'Name a parameter of the function, or a slot.',
    ...withinOf(use),
  });
}

/** Names that exist only in some kinds of text. */
const onlyLocal: ReadonlyMap<string, string> = new Map([
  ['now', 'The time is known only in conditions and in the input of catalog nodes. Store it with a data.set node.'],
  ['today', 'The date is known only in conditions and in the input of catalog nodes. Store it with a data.set node.'],
  ['attempts', 'The number of unanswered attempts is known only in conditions.'],
  ['args', 'The arguments of a function are known only in its confirm text.'],
  ['value', 'The name value exists only in the confirm_text of a slot. Elsewhere, use the name of the slot.'],
]);

/** Reports a field that the output of a catalog node lacks. */
export function reportField(report: Report, task: OutputSource | undefined, use: NameUse): void {
  const [name = '', field] = use.reference;
  const output = task?.type.output;
  if (field === undefined) return;
  if (use.isDenied === true && task?.policy.continueOnError === true && markerFields.includes(field))
    addProblem(
      report,
      'warning',
      'unknown-unless-failed',
      use.path,
      `"${use.reference.join('.')}" is known only where node "${name}" has failed, so this never holds where it has not.`,
      { hint: `Write not: { exists: { var: ${name}.${field} } }.` },
    );
  // Only plain objects list their fields, and loose objects allow others.
  if (!(output instanceof z.ZodObject)) return;
  const fields = [...Object.keys(output.shape), ...(task?.policy.continueOnError === true ? markerFields : [])];
  if (isOpen(output) || fields.includes(field)) return;
  addProblem(
    report,
    'warning',
    'unknown-output-field',
    use.path,
    `the output of node "${name}" has no field "${field}".`,
    {
      hint: nearNames(fields)(field) ?? (fields.length === 0 ? 'It has none at all.' : `It has ${fields.join(', ')}.`),
      ...withinOf(use),
    },
  );
}

/** Returns the source of a node's output fields, if known. */
function outputSource(node: GraphNode | undefined): OutputSource | undefined {
  return node?.task ?? undefined;
}

/** The source of an output. */
export type OutputSource = Pick<GraphNodeTask, 'type' | 'policy'>;

/** Fields of the output of a tolerated failure. */
const markerFields = ['failed', 'error'];

function isOpen({ def }: z.ZodObject): boolean {
  return def.catchall !== undefined && !(def.catchall instanceof z.ZodNever);
}

/** Returns the part of a text with the name, for a problem. */
export function withinOf({ within }: NameUse): Pick<NameUse, 'within'> {
  return within === undefined ? {} : { within };
}
