import { llm } from '@livekit/agents';
import { answerFunctionName } from '../../flow/function.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Engine } from '../../turn/engine/engine.ts';
import { createWrittenCallReader, type ReadPiece } from '../../turn/reply/written-call-reader.ts';
import type { WrittenCall } from '../../turn/reply/written-calls.ts';
import { type Chunk, readChunk } from './ask-model.ts';

/** Makes calls of what models write out as such in their words: LiveKit then runs them as any other. */
export interface WrittenCalls {
  /** A completion with its written calls made; `tools` are the functions that it was offered. */
  made(chunks: AsyncIterableIterator<Chunk>, tools: llm.ToolContext): AsyncIterableIterator<Chunk>;
  /** A reader of the calls in one completion's words. */
  read(tools: llm.ToolContext): ReturnType<typeof createWrittenCallReader>;
}

export function createWrittenCalls(engine: () => Engine): WrittenCalls {
  let known: { readonly graph: Graph; readonly names: ReadonlySet<string> } | null = null;
  const namesOf = (graph: Graph): ReadonlySet<string> => {
    if (known?.graph !== graph) known = { graph, names: new Set(functionNames(graph)) };
    return known.names;
  };
  const calls: WrittenCalls = {
    made: (chunks, tools) => madeChunks(chunks, calls.read(tools)),
    read(tools) {
      const { graph, limits } = engine();
      const offered = Object.keys(tools.functionTools);
      return createWrittenCallReader(new Set([...namesOf(graph), ...offered]), limits.replyCharacters);
    },
  };
  return calls;
}

/** A written call as LiveKit has calls of a model, under an id of its own. */
export function callOf({ name, rawArguments }: WrittenCall): llm.FunctionCall {
  const { id } = llm.FunctionCall.create({ callId: '', name, args: rawArguments });
  return llm.FunctionCall.create({ callId: id, name, args: rawArguments });
}

/** All functions of a flow: a model also writes calls of those that a node does not offer. */
function* functionNames(graph: Graph): Generator<string> {
  yield answerFunctionName;
  if (graph.record !== null) yield graph.record.name;
  for (const { name } of graph.functions) yield name;
  for (const { functions } of graph.nodes.values()) for (const { name } of functions) yield name;
}

function madeChunks(
  chunks: AsyncIterableIterator<Chunk>,
  reader: ReturnType<typeof createWrittenCallReader>,
): AsyncIterableIterator<Chunk> {
  let id = '';
  let isOver = false;
  const chunkOf = ({ text, calls }: ReadPiece, chunk?: llm.ChatChunk): Chunk | null => {
    const toolCalls = [...calls.map(callOf), ...(chunk?.delta?.toolCalls ?? [])];
    const tellsMore = chunk?.usage !== undefined || chunk?.delta?.extra !== undefined;
    if (text === '' && toolCalls.length === 0 && !tellsMore) return null;
    const delta: llm.ChoiceDelta = { role: 'assistant', ...chunk?.delta, content: text };
    return { id, ...chunk, delta: toolCalls.length === 0 ? delta : { ...delta, toolCalls } };
  };
  return {
    async next() {
      while (!isOver) {
        const next = await chunks.next();
        if (next.done === true) {
          isOver = true;
          const last = chunkOf(reader.end());
          return last === null ? next : { done: false, value: last };
        }
        const chunk = next.value;
        if (typeof chunk === 'object') ({ id } = chunk);
        const { text } = readChunk(chunk);
        if (text === '') return next;
        const read = chunkOf(reader.push(text), typeof chunk === 'object' ? chunk : undefined);
        if (read !== null) return { done: false, value: read };
      }
      return { done: true, value: undefined };
    },
    async return() {
      isOver = true;
      // Not awaited in the middle of a reading: the model is stopped at once.
      return (await chunks.return?.()) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
