import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import type { Catalog } from './catalog.ts';
import type { NodeType } from './node-type.ts';
import { type Report, addProblem } from '../report.ts';

/** The node types that a document may use. */
export interface DocumentTypes {
  get(name: string): NodeType | undefined;
  /** Returns the remedy for an unknown type; undefined if the type may belong to a refused pack. */
  remedyFor(name: string): string | undefined;
}

/** Returns the common types and those of the packs that the document names. Reports packs that are not allowed. */
export function documentTypes(
  report: Report,
  names: readonly string[] | undefined,
  path: DocumentPath,
  catalog: Catalog,
): DocumentTypes {
  const ofPacks: NodeType[] = [];
  let isRefused = false;
  for (const [index, name] of (names ?? []).entries()) {
    const pack = catalog.packs.get(name);
    if (pack !== undefined) ofPacks.push(...pack);
    else {
      isRefused = true;
      addProblem(
        report,
        'error',
        'unknown-node-pack',
        [...path, index],
        `node pack "${name}" is not allowed, so it is not loaded.`,
        {
          hint: suggestion(name, catalog.packs.keys()) ?? remedyOf(catalog),
        },
      );
    }
  }
  // Avoids a copy of the catalog per session.
  const types: ReadonlyMap<string, NodeType> =
    ofPacks.length === 0 ? catalog : new Map([...catalog, ...ofPacks.map((type) => [type.name, type] as const)]);
  const packOf = (name: string): string | undefined =>
    [...catalog.packs].find(([, pack]) => pack.some((type) => type.name === name))?.[0];
  return {
    get: (name) => types.get(name),
    remedyFor(name) {
      const meant = suggestion(name, types.keys());
      const pack = packOf(name);
      if (isRefused || (meant !== undefined && pack === undefined)) return meant;
      if (pack === undefined && isOneProviders.test(name) && types.has('agent.run'))
        return 'Agents are agent.run, over any model: give it prompt and input, and name the model by config.model. claude.agent is of the package @roomflow/claude.';
      if (pack !== undefined) return `It is of the node pack "${pack}": name that under node_packs.`;
      return `Known: ${listed(nearest(name, [...types.keys()]))}.`;
    },
  };
}

/** The name that other products use for the agent of one provider, such as claude.agent. */
const isOneProviders = /^[\w-]+\.agent$/;

/** Returns the types of the same family ("data.…"), or all if the family is unknown. */
function nearest(name: string, types: readonly string[]): readonly string[] {
  const family = types.filter((type) => type.split('.')[0] === name.split('.')[0]);
  return family.length > 0 ? family : types;
}

/** Limit of listed names; a longer list does not help a reader. */
const mostListed = 12;

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed;
  return `${names.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function remedyOf({ packs }: Catalog): string {
  return packs.size > 0
    ? 'Add it to nodePacks of agent.config.ts.'
    : 'Allow it by nodePacks of agent.config.ts, and name that file by --config.';
}
