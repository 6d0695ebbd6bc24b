import type { llm } from '@livekit/agents';
import type { Diagnostic, DocumentPath } from '../flow/document/problems/diagnostic.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import type { Handler } from '../livekit/tools/run-function.ts';
import type { ProcessOptions } from './play/process.ts';
import type { Arrow } from './arrows.ts';
import type { FlowTestDocument } from './document/document.ts';
import type { PlaceOf } from './document/flow-places.ts';

/** A file of tests that can be run, and its flow. */
export interface OpenedTest {
  /** Its name in reports. */
  readonly file: string;
  readonly document: FlowTestDocument;
  readonly placeOf: (path: DocumentPath) => ReturnType<PlaceOf>;
  readonly flow: OpenedFlow;
  /** The model of the configuration, opened on the first use. */
  readonly openModel: () => Promise<llm.LLM>;
  readonly warnings: readonly Diagnostic[];
}

export interface OpenedFlow {
  /** The file of the flow, relative to the working folder, or the name of a flow that is not a text. */
  readonly file: string;
  readonly graph: Graph;
  readonly arrows: readonly Arrow[];
  readonly placeOf: PlaceOf;
  readonly runner: ProcessOptions['runner'];
  /** The code that it needs, and the part of it that exists. */
  readonly tools: readonly string[];
  readonly handlers: readonly string[];
  readonly realTools: readonly FunctionTool[];
  readonly realHandlers: Readonly<Record<string, Handler>>;
  /** Tools with effects outside. */
  readonly writing: ReadonlySet<string>;
}
