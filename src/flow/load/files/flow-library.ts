import { FlowError } from '../../../model/errors.ts';
import { formatDiagnostic } from '../../document/problems/diagnostic.ts';
import type { ConversationFlow } from '../../document/document.ts';
import { type GeneratorFlow, isGeneratorFlow } from '../../document/generator.ts';
import type { TaskFlow } from '../../document/task-document.ts';
import { generatorGraph, isGeneratorDocument } from '../../graph/generator-graph.ts';
import type { Graph } from '../../graph/graph.ts';
import { checkFlow, type CheckFlowOptions } from '../check-flow.ts';
import { defaultLanguage, languageOf } from '../../../language/language-of.ts';
import { openFlow } from '../open-flow.ts';

/** A flow file, its text, a flow written in TypeScript, or a generator. */
export type FlowSource = string | URL | ConversationFlow | TaskFlow | GeneratorFlow;

/** The flows of an agent: the flows that a conversation can start with and those that it can be handed off to. */
export interface FlowLibrary {
  /** Resolves a flow. Throws `flow-invalid` with every problem of a broken flow. */
  compile(flow: FlowSource): Graph;
  /** Resolves a flow again, without the cache: its file may have been saved since. */
  compileAnew(flow: FlowSource): Graph;
  /**
   * Resolves a flow that a store has kept, by its hash if it is known. Throws `flow-version-missing` if something that the flow
   * names, or its generator, no longer exists.
   */
  compileKept(document: unknown, hash?: string): Graph;
  /** Returns the flow with a name, or null. Throws `flow-invalid` for a broken flow. */
  open(name: string): Promise<Graph | null>;
  /** Returns the generator with a name, or null. */
  generatorOf(name: string): Promise<GeneratorFlow | null>;
}

export function createFlowLibrary(
  flows: Readonly<Record<string, FlowSource>>,
  options: Omit<CheckFlowOptions, 'name'>,
): FlowLibrary {
  const generators = new Map<string, GeneratorFlow>();

  const compileAs = (flow: FlowSource, name: string | undefined, known = options): Graph => {
    const { graph, tasks, diagnostics } = checkFlow(flow, { ...known, ...(name === undefined ? {} : { name }) });
    if (tasks !== null)
      throw new FlowError(
        'flow-invalid',
        `"${tasks.name}" is a task flow. Run it by createFlowRun, or as the body of a function.`,
      );
    if (graph === null) {
      const errors = diagnostics.filter((one) => one.severity === 'error').map(formatDiagnostic);
      throw new FlowError('flow-invalid', `the flow cannot run.\n${errors.join('\n')}`);
    }
    if (isGeneratorFlow(flow)) generators.set(graph.name, flow);
    return graph;
  };
  const sourceOf = async (name: string): Promise<FlowSource | null> => {
    const source = Object.hasOwn(flows, name) ? flows[name] : undefined;
    if (source === undefined) return null;
    // The export of a TypeScript file is checked like any other document.
    return typeof source === 'string' ? ((await openFlow(source)) as FlowSource) : source;
  };

  const compile = (flow: FlowSource): Graph => {
    const registered = Object.entries(flows).find(([, one]) => one === flow);
    // A file without a name gets its own name. A flow in code only has the name it is registered under.
    return compileAs(flow, typeof flow === 'object' && !(flow instanceof URL) ? registered?.[0] : undefined);
  };
  return {
    compile,
    compileAnew: compile,
    compileKept(document) {
      if (isGeneratorDocument(document)) {
        const { name } = document;
        if (generators.has(name) || Object.hasOwn(flows, name))
          return generatorGraph(name, {
            ...options,
            language: languageOf(options.language ?? defaultLanguage),
            languageOf,
          });
        throw new FlowError(
          'flow-version-missing',
          `the conversation is in the generator "${name}", which is not among the flows.`,
        );
      }
      try {
        // It was stored like this. A wait that another flow has now does not stop a conversation that has begun.
        return compileAs(document as ConversationFlow, undefined, { ...options, waitOf: () => null });
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        throw new FlowError(
          'flow-version-missing',
          `the conversation is in a version of its flow that can no longer run here: ${error.message}\n` +
            'Go on with the release that ran it, or say under moves in agent.config.ts where it is to go on.',
          { cause: error },
        );
      }
    },
    async open(name) {
      const source = await sourceOf(name);
      return source === null ? null : compileAs(source, name);
    },
    async generatorOf(name) {
      const known = generators.get(name);
      if (known !== undefined) return known;
      const source = await sourceOf(name);
      return isGeneratorFlow(source) ? source : null;
    },
  };
}
