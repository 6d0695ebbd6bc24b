import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { Graph } from '../graph/graph.ts';
import type { NodeSource, NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import type { Offer } from './offers.ts';
import { placeOf } from './place.ts';

/** A name that a document declares for templates and conditions. */
export interface Declaration {
  readonly name: string;
  readonly kind: 'slot' | 'variable' | 'computed value' | 'input' | 'catalog node';
  readonly path: DocumentPath;
  readonly atKey: boolean;
}

/** Returns every declaration, in document order. */
export function declarationsOf(graph: Graph, sources: NodeSources, offers: readonly Offer[]): readonly Declaration[] {
  const found: Declaration[] = [];
  const addKeys = (kind: Declaration['kind'], key: string, names: Iterable<string>): void => {
    for (const name of names) found.push({ name, kind, path: [key, name], atKey: true });
  };
  addKeys('input', 'input', graph.input.keys());
  addKeys('slot', 'slots', graph.slots.keys());
  addKeys('variable', 'state', graph.variables.keys());
  addKeys('computed value', 'computed', graph.computed.keys());
  for (const { offered, path } of offers)
    if (offered.saveAs !== null)
      found.push({ name: offered.saveAs, kind: 'variable', path: [...path, 'saveAs'], atKey: false });
  for (const source of sources.values())
    if (source.source.type !== undefined || isOwnTransfer(source))
      found.push({ name: source.id, kind: 'catalog node', ...placeOf(source) });
  return found;
}

/** Checks whether a node has a transfer of its own. The node of a function's transfer has no name that texts can use. */
function isOwnTransfer({ source, path }: NodeSource): boolean {
  return source.transfer !== undefined && path.at(-2) !== 'functions';
}

/** Reports names that are declared as two different things. */
export function checkCollisions(report: Report, declarations: readonly Declaration[]): void {
  const kinds = new Map<string, Declaration['kind']>();
  for (const { name, kind, path, atKey } of declarations) {
    const earlier = kinds.get(name);
    if (earlier === undefined) kinds.set(name, kind);
    else if (earlier !== kind)
      addProblem(
        report,
        'error',
        'name-collision',
        path,
        `"${name}" is ${named[kind]} here and ${named[earlier]} elsewhere.`,
        {
          hint: 'Rename one of them.',
          atKey,
        },
      );
  }
}

const named: Readonly<Record<Declaration['kind'], string>> = {
  slot: 'a slot',
  variable: 'a variable',
  'computed value': 'a computed value',
  input: 'an input',
  'catalog node': 'the output of a node',
};
