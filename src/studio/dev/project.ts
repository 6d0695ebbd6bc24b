import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { beginsClassic, type OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import { promptedFlow } from '../../flow/document/classic.ts';
import { type Diagnostic, formatPath } from '../../flow/document/problems/diagnostic.ts';
import { isGeneratorFlow } from '../../flow/document/generator.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { FlowCheck } from '../../flow/load/check-flow.ts';
import { flowFile } from '../../flow/load/files/flow-file.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import { isFlowText } from '../../flow/load/open-source.ts';
import { readFlow } from '../../flow/load/read-flow.ts';
import { taskFlowNames } from '../../flow/load/task-flows.ts';
import { createOneText } from '../../lsp/text/one-text.ts';
import type { TextAbout } from '../../lsp/text/text-about.ts';
import type { TextProposal } from '../../lsp/text/text-proposal.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { registeredBy } from '../../runner/registered-by.ts';
import { flowShown } from '../../flow/picture/show-flow.ts';
import type { Checked, FlowNews, ProblemShown } from '../protocol/flow-news.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { SourcePlaces } from '../../flow/picture/source-places.ts';
import { sourcePlaces } from '../source-lines.ts';
import { etagOf } from './files.ts';

/** Functions and handlers that replace missing code. */
export interface Pretended {
  readonly names: readonly string[];
  readonly tools: readonly FunctionTool[];
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** Functions of the command line that open and check a project. */
export interface ProjectParts {
  openConfig(file: string): Promise<OpenedConfig>;
  /** `place` is the file and folder of the text. If the configuration is null, its code is not known. */
  check(
    source: string | object,
    config: OpenedConfig | null,
    place?: { readonly file: string; readonly baseFolder: string },
  ): Promise<FlowCheck>;
  pretend(flows: readonly FlowSource[], config: OpenedConfig): Promise<Pretended>;
}

/** The arguments of a studio. */
export interface ProjectChoice {
  /** A flow file; null for the flows of the configuration. */
  readonly flow: string | null;
  /** A configuration file; null if there is none. */
  readonly config: string | null;
  /** Whether the flow is opened without its configuration: missing functions are then pretended. */
  readonly isAlone: boolean;
  /** The name of the flow to show, to check and to edit. Default: the flow file, or the initial flow. */
  readonly shown?: string;
}

/** The flows of a studio with their code, as currently on disk. */
export interface Project {
  readonly config: OpenedConfig;
  readonly pretended: Pretended;
  /** Names of the conversations that can be started, the default first. */
  readonly names: readonly string[];
  /** Absolute paths of the flow files. */
  readonly flowFiles: readonly string[];
  /** Returns the absolute path of a flow's file; null for a flow in code. */
  fileOf(name: string): string | null;
  /** Returns the source of a flow; null for the prompt. Throws `flow-unknown`. */
  sourceOf(name: string): FlowSource | null;
  /** Reads and checks the flow of the studio. */
  news(now: () => number): Promise<FlowNews>;
  /** Checks a text as the content of a file. */
  check(path: string, text: string): Promise<Checked>;
  /** Returns proposals for an offset of an unsaved text; empty if the file is not a flow. */
  complete(path: string, text: string, offset: number): Promise<readonly TextProposal[]>;
  /** Returns what is known about an offset of an unsaved text; null if nothing is. */
  hover(path: string, text: string, offset: number): Promise<TextAbout | null>;
}

const none: Pretended = { names: [], tools: [], handlers: {} };

/** Opens a project. Throws errors of the configuration, `flow-missing`, and `flow-invalid` for a task flow. */
export async function openProject(parts: ProjectParts, choice: ProjectChoice): Promise<Project> {
  const config = choice.config === null ? {} : await parts.openConfig(choice.config);
  const own = choice.flow === null ? null : ((await openFlow(choice.flow)) as FlowSource); // Validated before it runs.
  const flows = config.flows ?? {};
  const tasks = taskFlowNames(flows);
  const conversations = Object.keys(flows).filter((name) => !tasks.has(name));
  const prompted = promptedFlow(config);
  const isChosen = choice.shown !== undefined && conversations.includes(choice.shown);
  const first = isChosen ? (choice.shown ?? null) : firstOf(config, conversations, prompted !== null);
  const source = (isChosen ? null : own) ?? (first === null ? prompted : (flows[first] ?? prompted));
  if (source === null)
    throw new FlowError(
      'flow-missing',
      'there is no flow to open. Give a FLOW, or --config FILE with flows or a prompt.',
    );
  const opened = typeof source === 'string' ? ((await openFlow(source)) as FlowSource) : source;
  let pretended = none;
  /** False while the flow is broken: then the functions to pretend are not known. */
  let isKnown = !choice.isAlone;
  const known = (): OpenedConfig | null => (isKnown ? withPretended(config, pretended) : null);
  const registeredNow = async (): Promise<Registered> => {
    const code = known();
    return code === null ? {} : await registeredBy(code);
  };
  const checked = (given: string | object): Promise<FlowCheck> => parts.check(given, known());
  const pretendNow = async (): Promise<void> => {
    if (!choice.isAlone) return;
    try {
      pretended = await parts.pretend([opened], config);
      isKnown = true;
    } catch (error) {
      // The check of the flow reports its own faults.
      if (!(error instanceof FlowError) || error.code !== 'flow-invalid' || isTaskFlowError(error)) throw error;
      isKnown = false;
    }
  };
  await pretendNow();
  const graphName = await nameOf(opened, checked, own === null || isChosen ? first : null);
  const ownName = own === null ? graphName : isChosen ? await nameOf(own, checked, null) : graphName;
  const named = (name: string): FlowSource | undefined => {
    if (name === graphName) return source;
    if (own !== null && name === ownName) return own;
    return Object.hasOwn(flows, name) ? flows[name] : undefined;
  };
  const file = typeof opened === 'string' && !isFlowText(opened) ? flowFile(opened) : null;
  let lastSound: FlowShown | null = null;
  const oneText = createOneText(config.catalog ?? builtinCatalog);
  /** Returns problems; those of the flow's own file have fixes. */
  const problemsShown = (
    diagnostics: readonly Diagnostic[],
    nodes: FlowShown['nodes'],
    path: string | null,
    text: string,
  ): readonly ProblemShown[] => {
    const isOwn = (one: Diagnostic): boolean => path !== null && resolve(one.file) === resolve(path);
    const own = diagnostics.filter(isOwn);
    const fixes = path === null ? [] : oneText.fixes(path, text, own);
    return diagnostics.map((one) => problemShown(one, nodes, fixes[own.indexOf(one)] ?? []));
  };
  const shown = (graph: Graph, given: string | object, text: string): FlowShown =>
    flowShown(graph, placesOf(graph, given, text), isPlain(graph));
  return {
    config,
    get pretended() {
      return pretended;
    },
    names: [...new Set([graphName, ownName, ...conversations])],
    flowFiles: [
      ...new Set([source, ...(choice.flow === null ? Object.values(flows) : [own ?? source])].flatMap(fileOf)),
    ],
    fileOf(name) {
      const found = named(name);
      return (found === undefined ? [] : fileOf(found))[0] ?? null;
    },
    sourceOf(name) {
      if (name === graphName) return opened === prompted ? null : opened;
      const found = named(name);
      if (found === undefined)
        throw new FlowError('flow-unknown', `there is no flow "${name}". The flow is ${graphName}.`);
      return found;
    },
    async news(now) {
      const begun = now();
      await pretendNow();
      const { graph, diagnostics } = await checked(opened);
      const text = file === null ? '' : readText(file);
      if (graph !== null) lastSound = shown(graph, opened, text);
      const nodes = lastSound?.nodes ?? [];
      return {
        name: graph?.name ?? graphName,
        file: file === null ? null : shownPath(file),
        isSound: graph !== null,
        problems: problemsShown(diagnostics, nodes, file, text),
        flow: lastSound,
        checkedInMs: Math.round(now() - begun),
        etag: file === null ? null : etagOf(text),
      };
    },
    async check(path, text) {
      // An empty text must be read as a document, not as a path.
      const given = isFlowText(text) ? text : `${text}\n`;
      const isFlow = file !== null && shownPath(file) === path;
      if (!isFlow) return { problems: [] };
      const place = { file, baseFolder: dirname(file) };
      const { diagnostics } = await parts.check(given, known(), place);
      return { problems: problemsShown(diagnostics, [], file, text) };
    },
    async complete(path, text, offset) {
      if (file === null || shownPath(file) !== path) return [];
      return oneText.proposals(file, text, Math.min(offset, text.length), await registeredNow());
    },
    async hover(path, text, offset) {
      if (file === null || shownPath(file) !== path) return null;
      return oneText.about(file, text, Math.min(offset, text.length), await registeredNow());
    },
  };
}

/** Returns the file of a flow, if it has one. */
function fileOf(source: FlowSource): readonly string[] {
  return typeof source === 'string' && !isFlowText(source) ? [resolve(flowFile(source))] : [];
}

function withPretended(config: OpenedConfig, { tools, handlers }: Pretended): OpenedConfig {
  return { ...config, tools: [...(config.tools ?? []), ...tools], handlers: { ...config.handlers, ...handlers } };
}

function firstOf(config: OpenedConfig, conversations: readonly string[], hasPrompt: boolean): string | null {
  if (hasPrompt && beginsClassic(config)) return null;
  return config.initialFlow ?? conversations[0] ?? null;
}

/** The error of a task flow names the command that runs it. */
function isTaskFlowError({ message }: FlowError): boolean {
  return message.includes('is a task flow');
}

async function nameOf(
  source: FlowSource,
  checked: (given: string | object) => Promise<FlowCheck>,
  registered: string | null,
): Promise<string> {
  if (registered !== null) return registered;
  const { graph, document, tasks } = await checked(source);
  if (tasks !== null)
    throw new FlowError('flow-invalid', `"${tasks.name}" is a task flow, not a conversation. Run it: roomflow run.`);
  return graph?.name ?? document?.name ?? 'flow';
}

function placesOf(graph: Graph, source: string | object, text: string): SourcePlaces | null {
  if (graph.generator !== null || text === '' || isGeneratorFlow(source)) return null;
  return sourcePlaces(graph.document, readFlow(source, {}), text);
}

/** Checks whether all node types are built in, so that any process can fold the flow. */
function isPlain(graph: Graph): boolean {
  return graph.generator === null && (graph.document.nodePacks ?? []).length === 0;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns a path relative to the folder where the studio was started. */
function shownPath(file: string): string {
  return relative(process.cwd(), file).replaceAll('\\', '/');
}

function problemShown(diagnostic: Diagnostic, nodes: FlowShown['nodes'], fixes: ProblemShown['fixes']): ProblemShown {
  const { code, severity, message, hint, file, line, column, path, frame } = diagnostic;
  const where = /^[<(]/.test(file) ? file : shownPath(file);
  const around = nodes.find(
    ({ source }) =>
      source !== null && source.file === file && line !== undefined && source.from <= line && line <= source.to,
  );
  const named = path[0] === 'nodes' && typeof path[1] === 'string' ? path[1] : null;
  return {
    ...{ code, severity, message, file: where, line: line ?? null, column: column ?? null, path: formatPath(path) },
    ...(hint === undefined ? {} : { hint }),
    ...(frame === undefined ? {} : { frame }),
    node: named ?? around?.id ?? null,
    fixes,
  };
}
