import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ForeignProduct } from '../../src/importers/convert.ts';
import type { DraftEdge, DraftNode } from '../../src/importers/draft-node.ts';
import { importFlow, type ImportedFlow } from '../../src/flow/load/import-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** The same parcel desk in the documented format of each product. */
export const foreignFolder = join(import.meta.dirname, 'foreign');

/** Imports a file. Throws if it cannot be imported. */
export function imported(path: string, from?: ForeignProduct): ImportedFlow {
  const { flow, diagnostics } = importFlow(path, { catalog: builtinCatalog, ...(from === undefined ? {} : { from }) });
  if (flow === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return flow;
}

/** The same for a value, which is written to a file first. */
export function importedValue(value: unknown, from?: ForeignProduct): ImportedFlow {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'given.json');
  writeFileSync(file, JSON.stringify(value));
  return imported(file, from);
}

/** A document as the importers write it. */
export interface Written {
  readonly initial_node: string;
  readonly nodes: Readonly<Record<string, DraftNode>>;
  readonly edges?: readonly DraftEdge[];
  readonly functions?: DraftNode['functions'];
  readonly slots?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly state?: Readonly<Record<string, unknown>>;
  readonly role_messages?: unknown;
  readonly language?: string;
  readonly ladder?: unknown;
}

export function written({ document }: ImportedFlow): Written {
  return document as unknown as Written; // The importers write nothing else.
}

/** Returns the texts of one kind in a report. */
export function told(flow: ImportedFlow, kind: 'taken' | 'changed' | 'lost'): readonly string[] {
  return flow.notes.filter((note) => note.kind === kind).map(({ text }) => text);
}
