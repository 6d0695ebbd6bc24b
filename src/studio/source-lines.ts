import type { DocumentPath } from '../flow/document/problems/diagnostic.ts';
import type { ConversationDocument } from '../flow/document/document.ts';
import type { FlowReading } from '../flow/load/read-flow.ts';
import type { SourceLines } from '../flow/picture/flow-shown.ts';
import { pathOfNode, type SourcePlaces } from '../flow/picture/source-places.ts';

/**
 * Returns the lines of a flow's parts: each from its own line to the line before the next part. `text` is the text of
 * the flow's file. All are null without lines, as for a flow in TypeScript.
 */
export function sourcePlaces(
  document: ConversationDocument,
  { file, locate }: FlowReading,
  text: string,
): SourcePlaces {
  const placeOf = (path: DocumentPath, atKey: boolean) =>
    locate({ code: '', severity: 'note', message: '', path, atKey });
  const last = text.split('\n').length;
  /** Returns the lines of the entries of one map or list, which ends at line `end`. */
  const lines = (paths: readonly DocumentPath[], end: number): Map<string, SourceLines> => {
    const placed = paths.flatMap((path) => {
      const { file: where, line } = placeOf(path, true);
      return line === undefined || where !== file ? [] : [{ key: String(path.at(-1)), line }];
    });
    placed.sort((one, other) => one.line - other.line);
    return new Map(
      placed.map(({ key, line }, index) => {
        const next = placed[index + 1]?.line ?? end + 1;
        return [key, { file, from: line, to: Math.max(line, trimmed(text, line, next - 1)) }];
      }),
    );
  };
  /** The first lines of the document's parts; a part ends where the next one begins. */
  const parts = [
    'nodes',
    'edges',
    'slots',
    'functions',
    'state',
    'input',
    'lines',
    'roleMessages',
    'policy',
    'onTrouble',
  ]
    .filter((name) => Object.hasOwn(document, name))
    .flatMap((name) => placeOf([name], true).line ?? []);
  const endOf = (name: string): number => {
    const from = placeOf([name], true).line ?? last;
    return Math.min(last, ...parts.filter((line) => line > from).map((line) => line - 1));
  };
  const { nodes } = document;
  const ids = Array.isArray(nodes) ? nodes.flatMap(({ id }) => id ?? []) : Object.keys(nodes);
  const nodePaths = ids.map((id) => pathOfNode(document, id) ?? []);
  const ofNodes = lines(nodePaths, endOf('nodes'));
  const ofSlots = lines(
    Object.keys(document.slots ?? {}).map((name) => ['slots', name]),
    endOf('slots'),
  );
  const ofEdges = lines(
    (document.edges ?? []).map((_edge, index) => ['edges', index]),
    endOf('edges'),
  );
  return {
    node: (id) => ofNodes.get(String(pathOfNode(document, id)?.at(-1))) ?? null,
    slot: (name) => ofSlots.get(name) ?? null,
    edge: (index) => ofEdges.get(String(index)) ?? null,
    fileOf(path) {
      const { file: where } = placeOf(path, false);
      return where === file ? null : where;
    },
  };
}

/** Blank lines and comments above the next part belong to the next part. */
function trimmed(text: string, from: number, to: number): number {
  const rows = text.split('\n');
  let end = to;
  while (end > from && /^\s*(?:#.*)?$/.test(rows[end - 1] ?? '')) end -= 1;
  return end;
}
