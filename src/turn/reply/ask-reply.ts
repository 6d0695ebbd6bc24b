import { answerFunctionName } from '../../flow/function.ts';
import type { Graph } from '../../graph/graph.ts';
import type { View } from '../../kernel/view.ts';
import type { Cancellable } from '../../ports/cancellable.ts';
import type { SpeakingModel } from '../../ports/model.ts';
import type { Engine } from '../engine/engine.ts';
import type { StructuredOutput } from './structured-output.ts';
import { createThoughtReader } from './thought-reader.ts';
import { createWrittenCallReader, type ReadPiece } from './written-call-reader.ts';

/** Asks a model for replies and reads what it writes in place of words: a structured answer, or calls of functions. */
export interface ReplyAsker {
  /** Streams one reply of the model as its caller hears it, with its calls. Throws where it breaks off. */
  ask<Chunk>(model: SpeakingModel<View, Chunk>, view: View, cancelled: Cancellable): AsyncIterable<Chunk>;
  /** Whether the last reply says nothing because it leads elsewhere. */
  isSilenceMeant(): boolean;
}

/** Without `output` the model always speaks plainly. */
export function createReplyAsker(engine: Engine, output: StructuredOutput | null): ReplyAsker {
  let known: { readonly graph: Graph; readonly names: ReadonlySet<string> } | null = null;
  const namesOf = (graph: Graph): ReadonlySet<string> => {
    if (known?.graph !== graph) known = { graph, names: new Set(functionNames(graph)) };
    return known.names;
  };
  return {
    isSilenceMeant: () => output?.isSilenceMeant() === true,
    ask(model, view, cancelled) {
      const answer = output?.open() ?? null;
      if (output !== null && answer !== null)
        return readThrough(model, model.ask(output.viewOf(view), cancelled), {
          push: (written) => ({ text: answer.push(written), calls: [] }),
          end(hasCalls) {
            answer.end(hasCalls);
            return nothing;
          },
        });
      const chunks = model.ask(view, cancelled);
      const offered = model.offered();
      if (offered === null) return chunks;
      const names = new Set([...namesOf(engine.graph), ...offered]);
      return readThrough(model, chunks, createWrittenCallReader(names, engine.limits.replyCharacters));
    },
  };
}

/** All functions of a flow: a model also writes calls of those that a node does not offer. */
function* functionNames(graph: Graph): Generator<string> {
  yield answerFunctionName;
  if (graph.record !== null) yield graph.record.name;
  for (const { name } of graph.functions) yield name;
  for (const { functions } of graph.nodes.values()) for (const { name } of functions) yield name;
}

/** Reads the words of one reply. */
interface WordReader {
  push(written: string): ReadPiece;
  /** The reply has ended, with or without calls. */
  end(hasCalls: boolean): ReadPiece;
}

/** A reply whose words, without what the model only thinks, are what a reader makes of them; chunks without words go through as they are. */
function readThrough<Chunk>(
  model: SpeakingModel<View, Chunk>,
  chunks: AsyncIterable<Chunk>,
  reader: WordReader,
): AsyncIterableIterator<Chunk> {
  const source = chunks[Symbol.asyncIterator]();
  const thoughts = createThoughtReader();
  /** Pieces read out of one chunk that are not given yet. */
  let read: readonly Chunk[] = [];
  let hasCalls = false;
  let isOver = false;
  // By hand, as `inferWithin` reads it: a reply comes this way word by word.
  return {
    async next() {
      for (;;) {
        const [first, ...rest] = read;
        read = rest;
        if (first !== undefined) return { done: false, value: first };
        if (isOver) return ended;
        const next = await source.next();
        if (next.done === true) {
          isOver = true;
          const last = reader.push(thoughts.end());
          const { text, calls } = reader.end(hasCalls);
          read = model.write(last.text + text, [...last.calls, ...calls], null);
        } else {
          const content = model.read(next.value);
          hasCalls ||= content.calls.length > 0;
          if (content.text === '') return next;
          const { text, calls } = reader.push(thoughts.push(content.text));
          read = model.write(text, calls, next.value);
        }
      }
    },
    async return() {
      isOver = true;
      read = [];
      // Not awaited in the middle of a reading: the model is stopped at once.
      await source.return?.();
      return ended;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const nothing: ReadPiece = { text: '', calls: [] };
const ended = { done: true, value: undefined } as const;
