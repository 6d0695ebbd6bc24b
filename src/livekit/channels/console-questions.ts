import { createInterface, type Interface } from 'node:readline';
import { FlowError } from '../../model/errors.ts';
import type { Channel } from '../../model/ports/channel.ts';

export interface QuestionsOptions {
  readonly input: NodeJS.ReadableStream;
  /** Receives a question and its choices, one per line. */
  readonly write: (lines: string) => void;
}

/** Asks the questions of a run on a terminal or pipe, one after the other; each line is an answer. */
export function createConsoleQuestions({ input, write }: QuestionsOptions): Channel {
  let reader: Interface | null = null;
  let isOver = false;
  const typed: string[] = [];
  const readers: ((line: string | null) => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const open = (): void => {
    if (reader !== null) return;
    reader = createInterface({ input });
    reader.on('line', (line) => {
      const next = readers.shift();
      if (next === undefined) typed.push(line);
      else next(line);
    });
    reader.on('close', () => {
      isOver = true;
      for (const next of readers.splice(0)) next(null);
    });
  };
  const read = (signal: AbortSignal): Promise<string | null> =>
    new Promise((resolve) => {
      open();
      const line = typed.shift();
      if (line !== undefined || isOver || signal.aborted) {
        resolve(line ?? null);
        return;
      }
      const answer = (given: string | null): void => {
        signal.removeEventListener('abort', leave);
        resolve(given);
      };
      const leave = (): void => {
        readers.splice(readers.indexOf(answer), 1);
        resolve(null);
      };
      signal.addEventListener('abort', leave, { once: true });
      readers.push(answer);
    });

  return {
    name: 'console',
    ask(question, choices, signal) {
      const answer = last.then(async () => {
        write([question, ...choices.map((choice, index) => `  ${index + 1}  ${choice}`)].join('\n'));
        const line = await read(signal);
        if (line === null) throw new FlowError('no-answer', 'the input has ended before the question was answered.');
        return line;
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    onComplete() {
      reader?.close();
      return Promise.resolve();
    },
  };
}
