import { type Json, type JsonObject, isRecord } from '../../../model/json.ts';
import type { DocumentPath, Problem } from '../../document/problems/diagnostic.ts';
import type { ConversationDocument, InputFieldDocument } from '../../document/document.ts';
import { typeOf } from '../../slots/slot-types.ts';
import type { Catalog } from '../nodes/catalog.ts';
import { checkGraph } from '../../check/check-graph.ts';
import { checkOtherLines, compileLines } from './lines.ts';
import { compileNode, functionsOf, promptsOf, troubleOf } from './node.ts';
import type { Registered } from './registered.ts';
import { inItsLanguages, languageFunction, languagesOf } from '../flow-languages.ts';
import { compileCallee } from './calls/callee.ts';
import { compileOutcome } from './calls/outcome.ts';
import { recordFunction } from './record.ts';
import { computedOf } from './computed.ts';
import { compileSlot } from './slot.ts';
import { withTransferNodes } from './transfers/transfer-functions.ts';
import type { NodeForms, Graph, GraphEdge, GraphInput, GraphNode, GraphSlot } from '../graph.ts';
import { dynamicNodes } from '../nodes/dynamic-nodes.ts';
import { hashOf } from '../hash.ts';
import { httpToolsOf, withHttpTools } from './http-tools.ts';
import { documentTypes } from '../nodes/node-packs.ts';
import { nodeSources, type NodeSources } from '../nodes/node-source.ts';
import type { Language } from '../../../model/ports/reader.ts';
import { createReport, type Report, addProblem, whenAt } from '../report.ts';

export interface CompileOptions extends Registered {
  readonly catalog: Catalog;
  readonly language: Language;
  /** Returns a language by tag, for the flow's other languages. */
  readonly languageOf: (tag: string) => Language;
  /** The default name of a flow. */
  readonly name?: string;
  /** Converts dynamic nodes from other document forms. */
  readonly nodeForms?: NodeForms;
}

export interface Compiled {
  /** Null if there are errors. */
  readonly graph: Graph | null;
  readonly problems: readonly Problem[];
}

const noEdges: readonly GraphEdge[] = Object.freeze([]);

/** Compiles a document into a graph, or reports all its problems. Never throws. */
export function compileFlow(document: ConversationDocument, given: CompileOptions): Compiled {
  const languages = languagesOf(document, given.language);
  const report = createReport(given.language.speech.language, languages.slice(1));
  const tools = httpToolsOf(report, document, given);
  const options = withHttpTools(given, tools);
  const types = documentTypes(report, document.nodePacks, ['nodePacks'], options.catalog);
  const written = nodeSources(report, document.nodes, ['nodes']);
  const { sources, functions } = withTransferNodes(report, document, written);
  const edges = edgesOf(report, document);
  const speech = compileLines(report, options.language, document.lines ?? {});
  for (const [index, tag] of (document.languages ?? []).entries())
    checkOtherLines(report, options.languageOf(tag), document.lines ?? {}, ['languages', index]);
  const slots = new Map<string, GraphSlot>();
  for (const [name, slot] of Object.entries(document.slots ?? {}))
    slots.set(name, compileSlot(report, name, slot, ['slots', name], speech));
  const nodes = new Map<string, GraphNode>();
  for (const { id, source, path } of sources.values())
    nodes.set(id, compileNode(report, id, source, path, { ...options, types, edges: edges.get(id) ?? noEdges }));
  const graph: Graph = {
    name: document.name ?? options.name ?? 'flow',
    hash: hashOf(identityOf(document, written)),
    document,
    initial: document.initialNode,
    nodes,
    slots,
    input: inputOf(report, document.input ?? {}, ['input']),
    variables: new Map(Object.entries((document.state ?? {}) as JsonObject)), // JSON by the loader's contract.
    computed: computedOf(report, document.computed ?? {}, ['computed']),
    persona: promptsOf(report, document.roleMessages, ['roleMessages']),
    functions: functionsOf(report, functions, ['functions'], options),
    record: recordFunction(slots),
    reader: options.language.reader,
    speech,
    languages,
    setLanguage: document.languages === undefined ? null : languageFunction(languages, options.languageOf),
    ...inItsLanguages(
      () => graph,
      (tag) =>
        compileFlow(
          { ...document, language: tag, slots: inTheSameCountry(document, tag, slots) },
          { ...given, language: given.languageOf(tag) },
        ).graph,
    ),
    tools,
    outcome: compileOutcome(report, document.outcome),
    callee: compileCallee(report, document.callee),
    maxTransitionsPerTurn: document.policy?.maxTransitionsPerTurn ?? 10,
    trouble: troubleOf(report, document, []),
    onTrouble: document.onTrouble ?? null,
    generator: null,
    ...dynamicNodes({ ...options, types }),
  };
  checkGraph(report, graph, sources, options);
  const broken = report.problems.some((problem) => problem.severity === 'error');
  return { graph: broken ? null : graph, problems: report.problems };
}

/** Returns the slots for another language. Local telephone numbers keep their country. */
function inTheSameCountry(
  { slots = {} }: ConversationDocument,
  tag: string,
  own: ReadonlyMap<string, GraphSlot>,
): ConversationDocument['slots'] {
  if (/-(?:[A-Z]{2}|\d{3})$/.test(tag)) return slots;
  return Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => {
      const region = typeOf(slot).rules.includes('region') ? (slot.region ?? own.get(name)?.region) : undefined;
      return [name, region === undefined ? slot : { ...slot, region }];
    }),
  );
}

function edgesOf(report: Report, document: ConversationDocument): ReadonlyMap<string, readonly GraphEdge[]> {
  const edges = new Map<string, GraphEdge[]>();
  for (const [index, edge] of (document.edges ?? []).entries()) {
    const when = edge.when === undefined ? null : whenAt(report, edge.when, ['edges', index, 'when']);
    const leaving = edges.get(edge.from);
    const compiled = { to: edge.to, when, index };
    if (leaving === undefined) edges.set(edge.from, [compiled]);
    else leaving.push(compiled);
  }
  return edges;
}

/** Returns the declared inputs, after checking their defaults. */
export function inputOf(
  report: Report,
  fields: Readonly<Record<string, InputFieldDocument>>,
  path: DocumentPath,
): ReadonlyMap<string, GraphInput> {
  const input = new Map<string, GraphInput>();
  for (const [name, field] of Object.entries(fields)) {
    const value = field.default as Json | undefined; // JSON by the loader's contract.
    if (value !== undefined && !hasType(value, field.type))
      addProblem(
        report,
        'error',
        'invalid-default',
        [...path, name, 'default'],
        `the default of input "${name}" is not of type ${field.type}.`,
        {
          hint: 'Change the default or the type.',
        },
      );
    input.set(name, {
      name,
      type: field.type,
      required: value === undefined && field.optional !== true,
      default: value,
    });
  }
  return input;
}

/** Checks whether a JSON value has a JSON Schema type. */
export function hasType(value: unknown, type: GraphInput['type']): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
  }
}

/** Returns the content that identifies a flow. The schema address, and whether nodes are a map or a list, do not count. */
function identityOf(document: ConversationDocument, sources: NodeSources): unknown {
  const { $schema: _schema, nodes: _nodes, ...rest } = document;
  const nodes = [...sources.values()].map(({ id, source }) => [id, { ...source, id: undefined }] as const);
  return { ...rest, schemaVersion: 1, nodes: Object.fromEntries<unknown>(nodes) };
}
