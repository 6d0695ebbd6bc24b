import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import { limits } from '../../flow/load/limits.ts';
import { readSyntax, readTextSyntax, type SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';
import { flowTestJsonSchema } from '../../flowtest/document/json-schema.ts';
import type { CodeNames } from './checker.ts';
import type { Configurations } from './configurations.ts';
import { fileKind } from '../index/flow-files.ts';
import type { FlowIndex } from '../index/flow-index.ts';
import { indexFlow, isTextFile } from '../index/index-flow.ts';
import { partsOf } from '../index/parts-of.ts';
import { createSchemaView, type SchemaView, textUnder } from '../index/schema-view.ts';
import type { Texts } from '../text/texts.ts';

/** A flow with everything that an editor asks about it. */
export interface Analysis {
  readonly path: string;
  readonly index: FlowIndex;
  /** The names of the flow from the last time that its text could be read to the end. */
  readonly names: FlowIndex;
  readonly schema: SchemaView;
  readonly code: CodeNames;
}

/** The flows of a workspace. Each is analysed again only after its text has changed. */
export interface Analyses {
  /** The flow at a path, or undefined if there is no text. */
  of(path: string): Promise<Analysis | undefined>;
  /** The flows that a file belongs to: itself, or the flows that include it or read a prompt from it. */
  ownersOf(path: string): Promise<readonly string[]>;
  /** A file of conversation tests, with the names of its flow. Undefined if that flow does not exist. */
  ofTest(path: string): Promise<Analysis | undefined>;
  /** The flow and all its tests as one index, for what they have in common. */
  joint(flow: Analysis): Promise<FlowIndex>;
  /** The files of conversation tests for a flow. */
  testsOf(flow: string): Promise<readonly string[]>;
  forget(path: string): void;
  /** To call after files were added, removed or changed outside the editor: the list of flows is read again. */
  lookAnew(): void;
}

/** The longest wait for names that code registers, in milliseconds: after that, completion works without them. */
const longestWaitMs = 400;
/** The maximum depth below the root of the search for flows, and the maximum number of files. */
const deepest = 6;
const mostFiles = 3_000;
/** How long the list of the flows of a workspace is cached, in milliseconds. */
const listedMs = 3_000;

export function createAnalyses(root: string, texts: Texts, configurations: Configurations): Analyses {
  const known = new Map<string, { readonly key: string; readonly analysis: Analysis }>();
  const sound = new Map<string, FlowIndex>();
  const views = new WeakMap<CodeNames, SchemaView>();
  let listed: { readonly at: number; readonly files: WorkspaceFiles } | undefined;
  let testView: SchemaView | undefined;

  const codeOf = async (path: string): Promise<CodeNames> => {
    const bare = await configurations.bare.names();
    const named = configurations
      .checkerFor(path)
      .names()
      .catch(() => bare);
    return await Promise.race([
      named,
      new Promise<CodeNames>((resolve) => setTimeout(resolve, longestWaitMs, bare).unref()),
    ]);
  };
  const viewOf = (code: CodeNames): SchemaView => {
    const view = views.get(code) ?? createSchemaView(code.schema);
    views.set(code, view);
    return view;
  };

  const analyse = async (path: string): Promise<Analysis | undefined> => {
    const text = texts.at(path)?.getText();
    if (text === undefined) return undefined;
    const code = await codeOf(path);
    const before = known.get(path);
    if (before !== undefined && before.analysis.code === code && before.key === keyOf(before.analysis.index, texts))
      return before.analysis;
    const unsaved = texts.unsaved();
    const { root: tree, isSound } = readSyntax(text);
    let isWhole = isSound;
    const schema = viewOf(code);
    const index = indexFlow(path, schema, {
      root: tree,
      file: partsOf(
        path,
        (one) => unsaved.get(one),
        () => (isWhole = false),
      ),
      isRegistered: (name) => code.functions?.has(name),
    });
    if (isWhole || !sound.has(path)) sound.set(path, index);
    const analysis: Analysis = { path, index, names: sound.get(path) ?? index, schema, code };
    known.set(path, { key: keyOf(index, texts), analysis });
    return analysis;
  };

  const filesOf = (kind: keyof WorkspaceFiles): readonly string[] => {
    const now = Date.now();
    if (listed === undefined || now - listed.at > listedMs) listed = { at: now, files: filesBelow(root) };
    const open = [...texts.unsaved()].flatMap(([path, text]) => (fileKind(path, text) === kind ? [path] : []));
    return [...new Set([...open, ...listed.files[kind]])];
  };
  /** The flow that a test names: a file in its folder, or a flow of the configuration. */
  const testedBy = async (path: string, tree: SyntaxNode | null): Promise<string | undefined> => {
    const named = textUnder(tree, 'flow');
    if (named === undefined) return undefined;
    const beside = flowFile(join(dirname(path), named));
    if (texts.at(beside) !== undefined) return beside;
    return (await codeOf(path)).files.get(named);
  };
  const indexTest = (path: string, tree: SyntaxNode | null): FlowIndex => {
    testView ??= createSchemaView(flowTestJsonSchema(), () => 'FlowTest');
    return indexFlow(path, testView, { root: tree, file: () => undefined, isRegistered: () => undefined });
  };
  const testsOf = async (flow: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const path of filesOf('test')) {
      const { root: tree } = readSyntax(texts.at(path)?.getText() ?? '');
      if ((await testedBy(path, tree)) === flow) found.push(path);
    }
    return found;
  };

  return {
    of: analyse,
    async ownersOf(path) {
      const owners: string[] = [];
      for (const flow of filesOf('flow')) {
        if (flow === path || !mayName(texts.at(flow)?.getText() ?? '', path)) continue;
        if ((await analyse(flow))?.index.paths.has(path) === true) owners.push(flow);
      }
      if (owners.length > 0) return owners;
      const text = texts.at(path)?.getText();
      return text !== undefined && fileKind(path, text) === 'flow' ? [path] : [];
    },
    async ofTest(path) {
      const { root: tree } = readSyntax(texts.at(path)?.getText() ?? '');
      const flow = await testedBy(path, tree);
      const of = flow === undefined ? undefined : await analyse(flow);
      const index = indexTest(path, tree);
      return of === undefined || testView === undefined ? undefined : { ...of, path, index, schema: testView };
    },
    async joint({ path, index }) {
      const tests = await testsOf(path);
      const found = tests.map((test) => indexTest(test, readSyntax(texts.at(test)?.getText() ?? '').root));
      return { ...index, occurrences: [...index.occurrences, ...found.flatMap(({ occurrences }) => occurrences)] };
    },
    testsOf,
    forget(path) {
      known.delete(path);
      sound.delete(path);
    },
    lookAnew() {
      listed = undefined;
    },
  };
}

/** A key for the texts of an index, which changes with their content. */
function keyOf({ paths }: FlowIndex, texts: Texts): string {
  return [...paths].map((path) => texts.at(path)?.getText() ?? '').join('\0');
}

/** Checks whether a flow may include a file: its text has the name of the file, or an include that may lead to it. */
function mayName(text: string, path: string): boolean {
  return text.includes(basename(path)) || text.includes('!include');
}

/** The flows and the conversation tests of a workspace, by path. */
interface WorkspaceFiles {
  readonly flow: readonly string[];
  readonly test: readonly string[];
}

function filesBelow(root: string): WorkspaceFiles {
  const found: { flow: string[]; test: string[] } = { flow: [], test: [] };
  let looked = 0;
  const look = (folder: string, depth: number): void => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      if (++looked > mostFiles) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth > 0 && !/^(?:\.|node_modules$|dist$|build$|coverage$)/.test(entry.name)) look(path, depth - 1);
      } else if (!['.yaml', '.yml', '.json'].includes(extname(entry.name))) continue;
      else if (fileKind(path, '') === 'test') found.test.push(path);
      else if (isFlowOnDisk(path)) found.flow.push(path);
    }
  };
  look(root, deepest);
  return found;
}

function isFlowOnDisk(path: string): boolean {
  if (/^(?:package(?:-lock)?|tsconfig.*)\.json$/.test(basename(path))) return false;
  try {
    const text = readFileSync(path, 'utf8');
    return text.length <= limits.fileBytes && fileKind(path, text) === 'flow';
  } catch {
    return false;
  }
}

/** The tree of a text at a path, for any kind of text. */
export function syntaxAt(path: string, text: string): SyntaxNode | null {
  return isTextFile(path) ? readTextSyntax(text) : readSyntax(text).root;
}
