import { basename, dirname, extname } from 'node:path';
import { isClassicFlow } from '../document/classic.ts';
import type { Diagnostic } from '../document/problems/diagnostic.ts';
import type { ConversationDocument } from '../document/document.ts';
import { isGeneratorFlow } from '../document/generator.ts';
import { nodeFromPipecat } from '../../importers/pipecat/pipecat.ts';
import { compileFlow, type CompileOptions } from '../graph/compile/compile.ts';
import { generatorGraph, type GeneratorGraphOptions } from '../graph/generator-graph.ts';
import { compileTaskFlow } from '../graph/compile/task-flow.ts';
import type { Graph } from '../graph/graph.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import type { Language } from '../../model/ports/reader.ts';
import { defaultLanguage, languageOf } from '../../language/language-of.ts';
import { inOrder } from './problems/diagnose.ts';
import { openPlain, type PlainFlow } from './open-plain.ts';
import { readConversation, type ReadFlowOptions } from './read-flow.ts';
import { isTaskFlow, readTaskFlow } from './read-task-flow.ts';

/** The context for checking a flow: its place, the node types, and the functions registered by code. */
export interface CheckFlowOptions
  extends
    ReadFlowOptions,
    Omit<CompileOptions, 'language' | 'languageOf'>,
    Omit<GeneratorGraphOptions, 'language' | 'languageOf'> {
  /** Spoken instead of the language that the flow names, as a BCP 47 tag. */
  readonly language?: string;
}

/** The result of a check. */
export interface FlowCheck {
  /** The graph of a conversation. Null if a diagnostic is an error. */
  readonly graph: Graph | null;
  /** The document of a conversation. Null if the form of the document is wrong. */
  readonly document: ConversationDocument | null;
  /** The graph of a task flow. Null if a diagnostic is an error. */
  readonly tasks: TaskGraph | null;
  /** All problems and remarks, in the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a flow and resolves it into a graph. Accepts the same sources as `readFlow`. Never throws. If the form of the
 * document is wrong, the rest of it is still resolved, to find the problems that it has in any case. A generator is
 * code: its graph has no nodes before it runs, so nothing in it can be wrong before that.
 */
export function checkFlow(source: string | URL | object, options: CheckFlowOptions): FlowCheck {
  if (isGeneratorFlow(source))
    return {
      graph: generatorGraph(options.name ?? source.name, {
        ...options,
        language: languageOf(options.language ?? defaultLanguage),
        languageOf,
      }),
      document: null,
      tasks: null,
      diagnostics: [],
    };
  const plain = openPlain(source, options);
  if (isTaskFlow(plain)) return checkTaskFlow(plain, options);
  const { document: written, rest, file, diagnostics, locate } = readConversation(plain);
  const document = written === null ? null : spokenIn(written, options.language);
  if (document !== null) {
    const endless = isClassicFlow(document);
    const { graph, problems } = compileFlow(document, {
      name: nameOf(file),
      ...options,
      language: languageIn(document),
      languageOf,
      endless,
      nodeForms: nodeFromPipecat,
    });
    return { graph, document, tasks: null, diagnostics: inOrder([...diagnostics, ...problems.map(locate)], file) };
  }
  if (rest === null) return { graph: null, document, tasks: null, diagnostics };
  const language = languageIn(spokenIn(rest.document, options.language));
  const certain = compileFlow(rest.document, { ...options, language, languageOf }).problems.filter(rest.isCertain);
  return { graph: null, document, tasks: null, diagnostics: inOrder([...diagnostics, ...certain.map(locate)], file) };
}

/**
 * Returns a flow in another language than it names, for callers that store the flow. A flow that lists languages keeps its
 * own one.
 */
function spokenIn(document: ConversationDocument, language: string | undefined): ConversationDocument {
  if (language === undefined) return document;
  const { language: own = defaultLanguage, languages } = document;
  return {
    ...document,
    language,
    ...(languages === undefined ? {} : { languages: [...new Set([...languages, own])] }),
  };
}

/** The language that a flow names. */
function languageIn({ language }: ConversationDocument): Language {
  return languageOf(language ?? defaultLanguage);
}

function checkTaskFlow(plain: PlainFlow, options: CheckFlowOptions): FlowCheck {
  const { document, rest, diagnostics, locate } = readTaskFlow(plain);
  const whole = document ?? rest?.document;
  if (whole === undefined) return { graph: null, document: null, tasks: null, diagnostics };
  const { graph, problems } = compileTaskFlow(whole, { name: nameOf(plain.file), ...options });
  const told = rest === null ? problems : problems.filter(rest.isCertain);
  const all = inOrder([...diagnostics, ...told.map(locate)], plain.file);
  return { graph: null, document: null, tasks: rest === null ? graph : null, diagnostics: all };
}

/** `bookings` for `bookings.yaml`, and for `bookings/flow.yaml`. */
function nameOf(file: string): string {
  const own = basename(file, extname(file));
  const folder = basename(dirname(file));
  if (/^[<(]/.test(file)) return 'flow';
  return own === 'flow' && folder !== '' && folder !== '.' ? folder : own;
}
