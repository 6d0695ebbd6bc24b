import { pluralForms } from '../expression/plural-form.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import type { DocumentPath } from '../document/problems/diagnostic.ts';
import { type NameUse, type Report, addProblem } from '../graph/report.ts';
import type { Declaration } from './declarations.ts';
import { withinOf } from './names.ts';
import type { Offer } from './offers.ts';

/** Reports names in a confirmation question that an argument hides, or that have no value or may have none. */
export function checkConfirmTexts(
  report: Report,
  declarations: readonly Declaration[],
  offers: readonly Offer[],
): void {
  const kinds = new Map(declarations.map(({ name, kind }) => [name, kind]));
  const byPlace = new Map(offers.map((offer) => [placeOf(offer.path), offer]));
  for (const use of report.names) {
    if (use.confirms === undefined) continue;
    const offer = byPlace.get(placeOf(use.path.slice(0, use.path.lastIndexOf('confirm'))));
    if (offer !== undefined) checkName(report, kinds, offer, use);
  }
}

type Kinds = ReadonlyMap<string, Declaration['kind']>;

function checkName(report: Report, kinds: Kinds, offer: Offer, use: NameUse): void {
  const isArgument = use.reference[0] === 'args';
  const [name = '', field] = isArgument ? use.reference.slice(1) : use.reference;
  const parameter = parametersOf(offer).get(name);
  const kind = isArgument ? undefined : kinds.get(name);
  const other = kind === 'slot' ? undefined : kind;
  const isPlain = parameter === undefined ? kind === 'slot' : isScalar(parameter);
  if (parameter !== undefined && other !== undefined && !isBound(offer, name)) {
    if (field === undefined || isPlain) reportHidden(report, use, name, field, other);
  } else if (field !== undefined && isPlain && other === undefined) {
    if (pluralForms.has(field)) return;
    reportBlank(report, use, 'error', `"${name}" is one value and has no "${field}"`, `Write {{ ${name} }}.`);
  } else if (parameter !== undefined && kind === undefined && isOptional(offer, name) && !isBound(offer, name))
    reportBlank(
      report,
      use,
      'note',
      `the call may come without "${name}"`,
      'Name it under required of the parameters, or leave it out here: without it the caller hears a question that is made of the arguments.',
    );
}

function reportHidden(report: Report, use: NameUse, name: string, field: string | undefined, kind: string): void {
  const what = kind === 'catalog node' ? 'the output of a node' : kind === 'input' ? 'an input' : 'a variable';
  const isRead = field === undefined;
  addProblem(
    report,
    isRead ? 'note' : 'warning',
    'hidden-in-confirm',
    use.path,
    isRead
      ? `"${name}" is an argument of the call and ${what}: this is the argument.`
      : `"${name}" is an argument of the call and ${what}: "${use.reference.join('.')}" is read from ${what}, which may not be what is called for.`,
    {
      hint: `Rename one of the two${isRead ? `, or write {{ args.${name} }}` : ''}.`,
      ...withinOf(use),
    },
  );
}

function reportBlank(report: Report, use: NameUse, severity: 'error' | 'note', why: string, hint: string): void {
  const may = severity === 'note' ? 'may stay' : 'stays';
  const fact = `this ${may} blank in the question before the call: ${why}.`;
  addProblem(report, severity, 'blank-in-confirm', use.path, fact, { hint, ...withinOf(use) });
}

function parametersOf({ offered }: Offer): ReadonlyMap<string, JsonObject> {
  const properties = offered.parameters['properties'];
  if (properties === undefined || !isJsonObject(properties)) return new Map();
  return new Map(Object.entries(properties).flatMap(([name, one]) => (isJsonObject(one) ? [[name, one]] : [])));
}

/** Checks whether the schema of a value allows no fields. */
function isScalar({ type }: JsonObject): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.every((one) => typeof one === 'string' && one !== 'object' && one !== 'array');
}

function isOptional({ offered }: Offer, name: string): boolean {
  const required = offered.parameters['required'];
  return !Array.isArray(required) || !required.includes(name);
}

/** Checks whether the node's own `input` supplies the argument. */
function isBound({ offered, node }: Offer, name: string): boolean {
  return node?.call?.function === offered.name && Object.hasOwn(node.call.input, name);
}

function placeOf(path: DocumentPath): string {
  return JSON.stringify(path);
}
