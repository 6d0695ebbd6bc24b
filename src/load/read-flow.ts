import type { Diagnostic, DocumentPath, Problem } from '../flow/diagnostic.ts';
import { conversationSchema, type ConversationDocument } from '../flow/document.ts';
import { normalizeSpelling } from '../flow/spelling.ts';
import { fromPipecat } from '../importers/pipecat.ts';
import { codeFrame } from './code-frame.ts';
import { limits } from './limits.ts';
import { openSource, type OpenOptions } from './open-source.ts';
import type { Fault } from './parse-yaml.ts';
import { copyPlain } from './plain-object.ts';
import { locateInTree, spellLike } from './positions.ts';
import { readPromptFiles } from './prompt-file.ts';
import { type Folder, readTree } from './read-tree.ts';
import { schemaProblems } from './schema-problems.ts';
import { lineColumn, type Place } from './source-text.ts';

export type ReadFlowOptions = OpenOptions;

/** A flow as far as it can be told without resolving it. */
export interface FlowReading {
  /** Null where a diagnostic is an error. */
  readonly document: ConversationDocument | null;
  /** The name that problems are told under. */
  readonly file: string;
  /** All that is wrong or was ignored, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem of `document` its place in the file, or in the prompt file or included file it comes from. */
  readonly locate: (problem: Problem) => Diagnostic;
}

/**
 * Reads a conversation flow from a path or file URL, from a YAML or JSON text, or from an object, and checks its form.
 * A string with a line break, or one that begins with `{`, is text. Never throws.
 */
export function readFlow(source: string | URL | object, options: ReadFlowOptions = {}): FlowReading {
  const opened = openSource(source, options);
  switch (opened.kind) {
    case 'fault': {
      const diagnostic = diagnose(opened.fault, [], { ...opened.fault, source: opened.source });
      return failed(opened.source.name, [diagnostic]);
    }
    case 'text': {
      const { tree, links, value, faults } = readTree(opened.source, opened.folder);
      const found = faults.map((fault) => diagnose(fault, fault.path, fault));
      const locate = (problem: Problem): Diagnostic => {
        const { path, place } = locateInTree(tree, links, problem);
        return diagnose(problem, path, place);
      };
      const { name } = opened.source;
      return value === undefined
        ? failed(name, found)
        : readValue({ value, file: name, folder: opened.folder, style: 'snake', found, locate });
    }
    case 'value': {
      const { value, problems } = copyPlain(opened.value);
      const { name: file, folder } = opened;
      const locate = (problem: Problem): Diagnostic => {
        const { path, atKey: _atKey, within: _within, ...rest } = problem;
        return { ...rest, file, path: spellLike(value, path) };
      };
      const found = problems.map(locate);
      return value === undefined
        ? failed(file, found)
        : readValue({ value, file, folder, style: 'camel', found, locate });
    }
  }
}

interface PlainFlow {
  readonly value: unknown;
  readonly file: string;
  readonly folder: Folder | undefined;
  readonly style: 'snake' | 'camel';
  /** What was found before. */
  readonly found: readonly Diagnostic[];
  /** Locates a problem at a path of `value`. */
  readonly locate: (problem: Problem) => Diagnostic;
}

function readValue({ value, file, folder, style, found, locate: locateGiven }: PlainFlow): FlowReading {
  const top = documentKind(value);
  if (top !== undefined) return failed(file, [...found, locateGiven(top)]);
  const imported = fromPipecat(value);
  const locateAuthored = (problem: Problem): Diagnostic => {
    return locateGiven({ ...problem, path: imported.origin(spellLike(imported.value, problem.path)) });
  };
  const spelled = normalizeSpelling(conversationSchema, imported.value);
  const parsed = conversationSchema.safeParse(spelled.value);
  const before = [...found, ...imported.problems.map(locateGiven), ...spelled.problems.map(locateAuthored)];
  if (!parsed.success) {
    const validated = { schema: conversationSchema, value: spelled.value, authored: imported.value, style };
    return failed(file, before.concat(schemaProblems(parsed.error.issues, validated).map(locateAuthored)));
  }
  const { document, problems, origin } = readPromptFiles(parsed.data, folder);
  const diagnostics = before.concat(problems.map(locateAuthored));
  const locate = (problem: Problem): Diagnostic => {
    const { path, file: promptFile } = origin(problem.path);
    const located = locateAuthored({ ...problem, path });
    if (promptFile === undefined) return located;
    return diagnose(problem, located.path, locateInTree(promptFile, new Map(), { ...problem, path: [] }).place);
  };
  const isSound = diagnostics.every(({ severity }) => severity !== 'error');
  return { document: isSound ? document : null, file, diagnostics: inOrder(diagnostics, file), locate };
}

/** What keeps a value from being a conversation flow at all. */
function documentKind(value: unknown): Problem | undefined {
  const tell = (code: string, message: string, hint: string, path: DocumentPath = []): Problem => {
    return { code, severity: 'error', path, message, hint, atKey: true };
  };
  const BEGIN = 'Begin with initial_node and nodes.';
  if (value === null) return tell('empty-file', 'there is no flow here.', BEGIN);
  if (typeof value !== 'object' || Array.isArray(value)) return tell('not-a-map', 'a flow is a map of keys.', BEGIN);
  const hasInitialNode = Object.hasOwn(value, 'initial_node') || Object.hasOwn(value, 'initialNode');
  if (Object.hasOwn(value, 'flow')) {
    const hint = 'Keep initial_node for a conversation, flow for a task flow.';
    if (hasInitialNode) return tell('document-kind', 'both "initial_node" and "flow" are given.', hint, ['flow']);
    return tell('document-kind', 'this is a task flow ("flow"), not a conversation ("initial_node").', hint, ['flow']);
  }
  if (!('nodes' in value)) return undefined;
  const { nodes } = value;
  if (!Array.isArray(nodes) || nodes.length <= limits.nodes) return undefined;
  return tell('too-many-nodes', `the flow has more than ${limits.nodes} nodes.`, 'Split the flow.', ['nodes']);
}

function failed(file: string, diagnostics: readonly Diagnostic[]): FlowReading {
  const locate = ({ atKey: _atKey, within: _within, ...rest }: Problem): Diagnostic => ({ ...rest, file });
  return { document: null, file, diagnostics: inOrder(diagnostics, file), locate };
}

function diagnose(
  problem: Omit<Fault, 'start' | 'end'> & Partial<Problem>,
  path: DocumentPath,
  place: Place,
): Diagnostic {
  const { code, severity = 'error', message, hint } = problem;
  return {
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    path,
    file: place.source.name,
    ...lineColumn(place.source, place.start),
    ...(place.source.text === '' ? {} : { frame: codeFrame(place) }),
  };
}

/** Sorts by place: the flow's own file first. */
export function inOrder(diagnostics: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  return diagnostics.toSorted((one, other) => {
    if (one.file !== other.file) {
      if (one.file === file) return -1;
      return other.file === file || one.file > other.file ? 1 : -1;
    }
    return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
  });
}
