import { answerFunctionName } from '../../flow/document/function.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { View } from '../../kernel/state/view.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ChunkContent, SpeakingModel, WrittenForm } from '../../model/ports/model.ts';
import type { Session } from '../session.ts';
import type { StructuredOutput } from './structured-output.ts';
import type { WrittenCall } from './written-calls.ts';
import { createSpeechReader } from './speech-reader.ts';
import { createTemplateReader } from './template-reader.ts';
import { createThoughtReader } from './thought-reader.ts';
import { createWrittenCallReader, type ReadPiece, type SourcedCall } from './written-call-reader.ts';

/** Asks a model for replies, and reads structured answers and calls that it writes as text. */
export interface ReplyAsker {
  /** Streams one reply of the model as the caller hears it, with its calls. Throws if the stream breaks. */
  ask<Chunk>(model: SpeakingModel<View, Chunk>, view: View, cancelled: Cancellable): AsyncIterable<Chunk>;
  /** Returns the content of a chunk. Its calls show whether the model wrote them as text. */
  read<Chunk>(model: SpeakingModel<View, Chunk>, chunk: Chunk): ChunkContent;
  /** Whether the last reply is silent because it leads to a flow. */
  isSilenceMeant(): boolean;
}

/** Without `output`, the model always answers in plain words. */
export function createReplyAsker(
  session: Pick<Session, 'graph' | 'limits'>,
  output: StructuredOutput | null,
): ReplyAsker {
  let known: { readonly graph: Graph; readonly names: ReadonlySet<string> } | null = null;
  const namesOf = (graph: Graph): ReadonlySet<string> => {
    if (known?.graph !== graph) known = { graph, names: new Set(functionNames(graph)) };
    return known.names;
  };
  const forms = new Map<string, WrittenForm>();
  let beginsInThought = false;
  const plainWords = (): PlainWords =>
    createPlainWords({ isInThought: beginsInThought, onThought: () => (beginsInThought = true) });
  return {
    isSilenceMeant: () => output?.isSilenceMeant() === true,
    read(model, chunk) {
      const content = model.read(chunk);
      if (forms.size === 0 || content.calls.length === 0) return content;
      const calls = content.calls.map((call) => ({ ...call, ...writtenAs(forms.get(call.callId)) }));
      return { ...content, calls };
    },
    ask(model, view, cancelled) {
      const answer = output?.open() ?? null;
      if (output !== null && answer !== null)
        return readThrough(model, model.ask(output.viewOf(view), cancelled), forms, plainWords(), {
          push: (written) => ({ text: answer.push(written), calls: [] }),
          end(hasCalls) {
            answer.end(hasCalls);
            return nothing;
          },
        });
      const chunks = model.ask(view, cancelled);
      const offered = model.offered();
      if (offered === null) return chunks;
      const names = new Set([...namesOf(session.graph), ...offered]);
      const { replyCharacters } = session.limits;
      return readThrough(
        model,
        chunks,
        forms,
        plainWords(),
        wholeCalls(createWrittenCallReader(names, replyCharacters)),
      );
    },
  };
}

/** Yields all functions of a flow, because a model also writes calls of functions that the node does not offer. */
function* functionNames(graph: Graph): Generator<string> {
  yield answerFunctionName;
  if (graph.record !== null) yield graph.record.name;
  for (const { name } of graph.functions) yield name;
  for (const { functions } of graph.nodes.values()) for (const { name } of functions) yield name;
}

/** Reads the words of one reply. */
interface WordReader {
  push(written: string): WordPiece;
  /** The reply has ended, with or without calls. */
  end(hasCalls: boolean): WordPiece;
}

interface WordPiece {
  readonly text: string;
  readonly calls: readonly (WrittenCall & { readonly written: WrittenForm })[];
}

/** The words of a reply without thoughts and chat-template tokens. */
interface PlainWords {
  push(written: string): string;
  end(): string;
}

function createPlainWords(of: { readonly isInThought: boolean; readonly onThought: () => void }): PlainWords {
  const template = createTemplateReader();
  const thoughts = createThoughtReader(of);
  const note = (words: string): string => {
    if (thoughts.beganInThought) of.onThought();
    return words;
  };
  return {
    push: (written) => note(thoughts.push(template.push(written))),
    end: () => note(`${thoughts.push(template.end())}${thoughts.end()}`),
  };
}

/** Returns written calls at the end of the reply, when it is known whether it has words. Returns none if the model made real calls. */
function wholeCalls(reader: ReturnType<typeof createWrittenCallReader>): WordReader {
  let found: readonly SourcedCall[] = [];
  let hasWords = false;
  const speech = createSpeechReader();
  const note = (text: string): string => {
    hasWords ||= /[\p{L}\p{N}]/u.test(text);
    return text;
  };
  const take = ({ text, calls }: ReadPiece): string => {
    found = [...found, ...calls];
    return note(speech.push(text));
  };
  return {
    push: (written) => ({ text: take(reader.push(written)), calls: [] }),
    end(hasCalls) {
      const text = `${take(reader.end())}${note(speech.end())}`;
      if (hasCalls) return { text, calls: [] };
      const calls = found.map(({ source, ...call }) => ({ ...call, written: { source, isWhole: !hasWords } }));
      return { text, calls };
    },
  };
}

function writtenAs(written: WrittenForm | undefined): { readonly written?: WrittenForm } {
  return written === undefined ? {} : { written };
}

/** Streams a reply whose words pass through a reader, without the model's thoughts. Chunks without words pass unchanged. */
function readThrough<Chunk>(
  model: SpeakingModel<View, Chunk>,
  chunks: AsyncIterable<Chunk>,
  forms: Map<string, WrittenForm>,
  thoughts: PlainWords,
  reader: WordReader,
): AsyncIterableIterator<Chunk> {
  const source = chunks[Symbol.asyncIterator]();
  /** Pieces of one chunk that are not returned yet. */
  let read: readonly Chunk[] = [];
  let hasCalls = false;
  let isOver = false;
  // Written by hand like `inferWithin`, because a reply arrives word by word.
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
          const ids = read.flatMap((chunk) => model.read(chunk).calls.map(({ callId }) => callId));
          for (const [index, { written }] of calls.entries()) forms.set(ids[index] ?? '', written);
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
      // Not awaited during a read: the model is stopped at once.
      await source.return?.();
      return ended;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const nothing: WordPiece = { text: '', calls: [] };
const ended = { done: true, value: undefined } as const;
