import type { Diagnostic, DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import { conversationSchema, type ConversationDocument } from '../document/document.ts';
import { normalizeSpelling } from '../document/problems/spelling.ts';
import { foreignDocument } from '../../importers/pipecat/foreign.ts';
import { fromPipecat } from '../../importers/pipecat/pipecat.ts';
import { certainty } from './problems/certain-problems.ts';
import { diagnose, inOrder, isError, type Locate } from './problems/diagnose.ts';
import { limits } from './limits.ts';
import { BEGIN, openPlain, type PlainFlow } from './open-plain.ts';
import type { OpenOptions } from './open-source.ts';
import { valueAt } from './yaml/part-at.ts';
import { locateInTree, spellLike } from './yaml/positions.ts';
import { readPromptFiles } from './files/prompt-file.ts';
import { expandOpenApi } from './openapi/read-openapi.ts';
import { lostBy } from './yaml/lost-places.ts';
import { repair } from './problems/repair.ts';
import { schemaProblems } from './problems/schema-problems.ts';

export type ReadFlowOptions = OpenOptions;

/** A flow as far as it is known without resolving it. */
export interface FlowReading {
  /** Null if a diagnostic is an error. */
  readonly document: ConversationDocument | null;
  /** If a diagnostic is an error: the flow without the wrong parts, if that is still a flow. */
  readonly rest: ValidPart | null;
  /** The file name in reported problems. */
  readonly file: string;
  /** Everything that is wrong or was ignored, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem of `document` its place in the file, or in its prompt file or included file. */
  readonly locate: Locate;
}

/** A document without the parts whose form is wrong. */
export interface ValidPart<Document = ConversationDocument> {
  readonly document: Document;
  /** Whether it has a problem regardless of what the wrong parts were meant to be. */
  readonly isCertain: (problem: Problem) => boolean;
}

/**
 * Reads a conversation flow from a path or file URL, from a YAML or JSON text, or from an object, and checks its form.
 * A string with a line break, or that begins with `{`, is text. Never throws.
 */
export function readFlow(source: string | URL | object, options: ReadFlowOptions = {}): FlowReading {
  return readConversation(openPlain(source, options));
}

/** Reads an opened source as a conversation flow, and refuses anything else. Never throws. */
export function readConversation(plain: PlainFlow): FlowReading {
  const { value, file, folder, style, found, locate: locateGiven, isQuoted } = plain;
  if (value === undefined) return failed(file, found, locateGiven);
  const foreign = foreignDocument(value);
  // A foreign document gets only this one problem.
  if (foreign !== undefined) return failed(file, [locateGiven(foreign)], locateGiven);
  const otherKind = refusal(value);
  if (otherKind !== undefined) return failed(file, [...found, locateGiven(otherKind)], locateGiven);
  const imported = fromPipecat(value);
  const foundSoFar = [...found, ...imported.problems.map(locateGiven)];
  const authoredPath = (path: DocumentPath): DocumentPath => imported.origin(spellLike(imported.value, path));
  const locateAuthored = (problem: Problem): Diagnostic => {
    return locateGiven({ ...problem, path: authoredPath(problem.path) });
  };
  const spelled = normalizeSpelling(conversationSchema, imported.value, (path) => isQuoted(authoredPath(path)));
  const { data, error } = conversationSchema.safeParse(spelled.value);
  const validated = { schema: conversationSchema, value: spelled.value, authored: imported.value, style };
  const faults = schemaProblems(error?.issues ?? [], validated);
  const ofForm = [...foundSoFar, ...[...spelled.problems, ...faults.map(aboutKind)].map(locateAuthored)];
  const repaired = ofForm.some(isError) ? repair(conversationSchema, validated, faults) : undefined;
  const sound = repaired?.document ?? data;
  if (sound === undefined) return failed(file, ofForm, locateAuthored);

  const prompted = readPromptFiles(sound, folder);
  const { document, ...expanded } = expandOpenApi(prompted.document, folder);
  const problems = [...prompted.problems, ...expanded.problems];
  const origin = (path: DocumentPath) => prompted.origin(expanded.origin(path));
  const diagnostics = inOrder([...ofForm, ...problems.map(locateAuthored)], file);
  const locate = (problem: Problem): Diagnostic => {
    const { path, file: promptFile } = origin(problem.path);
    const located = locateAuthored({ ...problem, path });
    if (promptFile === undefined) return located;
    return diagnose(problem, located.path, locateInTree(promptFile, new Map(), { ...problem, path: [] }).place);
  };
  if (!diagnostics.some(isError)) return { document, rest: null, file, diagnostics, locate };

  const lost = foundSoFar.filter(isError).map((diagnostic) => lostBy(diagnostic, spelled.value, imported));
  if (lost.includes(undefined)) return { document: null, rest: null, file, diagnostics, locate };
  const misspelled = spelled.problems.map(({ path }) => {
    return { path: spellLike(spelled.value, path), value: valueAt(imported.value, path) };
  });
  const taken = [...(repaired?.taken ?? []), ...misspelled, ...problems, ...lost.flatMap((places) => places ?? [])];
  const certain = certainty(document, taken);
  const isCertain = ({ code, path, within }: Problem): boolean =>
    certain(code, origin(path).path, within?.text ?? valueAt(document, path));
  return { document: null, rest: { document, isCertain }, file, diagnostics, locate };
}

const KINDS = 'A conversation has initial_node, a task flow has flow.';

/** The reason why a value cannot be a conversation flow. */
function refusal(value: unknown): Problem | undefined {
  const tell = (code: string, message: string, hint: string, path: DocumentPath = []): Problem => {
    return { code, severity: 'error', path, message, hint, atKey: true };
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return tell('not-a-map', 'a flow is a map of keys.', BEGIN);
  const hasInitialNode = Object.hasOwn(value, 'initial_node') || Object.hasOwn(value, 'initialNode');
  if (Object.hasOwn(value, 'flow') && !hasInitialNode)
    return tell('document-kind', 'this is a task flow, not a conversation.', KINDS, ['flow']);
  const nodes: unknown = Object.hasOwn(value, 'nodes') ? (value as { nodes: unknown }).nodes : undefined; // It has it.
  if (Array.isArray(nodes) && nodes.length > limits.nodes)
    return tell('too-many-nodes', `the flow has more than ${limits.nodes} nodes.`, 'Split the flow.', ['nodes']);
  return undefined;
}

/** A document with neither or both of the keys that identify its kind gets one problem that names both. */
function aboutKind(problem: Problem): Problem {
  const [key, ...rest] = problem.path;
  if (rest.length > 0) return problem;
  const both = key === 'flow' && problem.code === 'unknown-key';
  if (!both && !(key === 'initialNode' && problem.code === 'missing-key')) return problem;
  const message = both ? 'both "initial_node" and "flow" are given.' : 'neither "initial_node" nor "flow" is given.';
  return { ...problem, code: 'document-kind', message, hint: KINDS };
}

function failed(file: string, diagnostics: readonly Diagnostic[], locate: Locate): FlowReading {
  return { document: null, rest: null, file, diagnostics: inOrder(diagnostics, file), locate };
}
