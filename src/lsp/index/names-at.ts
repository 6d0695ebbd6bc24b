import type { Analysis } from '../checker/analyses.ts';
import type { FlowIndex, Occurrence } from './flow-index.ts';

/** The name at an offset of a file of a flow. If there are several, the shortest. */
export function occurrenceAt({ occurrences }: FlowIndex, file: string, offset: number): Occurrence | undefined {
  const here = occurrences.filter((one) => one.file === file && one.start <= offset && offset <= one.end);
  // If a name means two things, the thing declared there comes first, then the meaning in the whole flow.
  const weight = (one: Occurrence): number => one.end - one.start + (one.kind === 'parameter' ? 0.5 : 0);
  return here.toSorted((one, other) => weight(one) - weight(other))[0];
}

/** The places where the name of an occurrence is declared, or all its uses. */
export function occurrencesOf(index: FlowIndex, of: Occurrence): readonly Occurrence[] {
  return index.occurrences.filter((one) => isSame(one, of));
}

export function declarationsOf(index: FlowIndex, of: Occurrence): readonly Occurrence[] {
  const declared = occurrencesOf(index, of).filter(({ isDeclaration }) => isDeclaration);
  if (declared.length > 0 || of.kind !== 'function') return nearest(declared, of);
  return declared;
}

/** The function that a node itself offers comes before functions of other nodes with that name. */
function nearest(declared: readonly Occurrence[], of: Occurrence): readonly Occurrence[] {
  if (of.kind !== 'function') return declared;
  const own = declared.filter(({ inside }) => inside === of.inside);
  const everywhere = declared.filter(({ inside }) => inside === null);
  return own.length > 0 ? own : everywhere.length > 0 ? everywhere : declared;
}

function isSame(one: Occurrence, other: Occurrence): boolean {
  return one.kind === other.kind && one.name === other.name && one.scope === other.scope;
}

/** The file that is named at an offset. */
export function fileAt({ index }: Analysis, file: string, offset: number): string | undefined {
  return index.files.find((one) => one.file === file && one.start <= offset && offset <= one.end)?.target;
}
