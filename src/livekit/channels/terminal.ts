import { createInterface, type Interface } from 'node:readline';
import { assertOptions, has, optionShapes, type OptionShapes } from '../../flow/document/problems/option-faults.ts';
import type { Channel } from '../../model/ports/channel.ts';
import { systemClock } from '../../system.ts';
import { createConsoleChannel } from './console.ts';
import { createConsoleQuestions } from './console-questions.ts';

/** Input, output and layout of a terminal channel. */
export interface TerminalChannelOptions {
  /** Default: standard input. */
  readonly input?: NodeJS.ReadableStream;
  /** Default: standard output. */
  readonly write?: (text: string) => void;
  /** Whether a person types: typed lines interrupt the agent, lines of a pipe wait for their turn. Detected for standard input. */
  readonly isTyped?: boolean;
  /** Columns to wrap at. Default: 80. */
  readonly width?: number;
  /** Milliseconds per word, so that speech can be interrupted. Default: 0, which prints at once. */
  readonly wordMs?: number;
}

const shapes: OptionShapes<TerminalChannelOptions> = {
  input: ['a stream to read from', (value) => has(value, 'on', 'read')],
  write: optionShapes.method,
  isTyped: optionShapes.flag,
  width: optionShapes.amount,
  wordMs: optionShapes.amount,
};

/**
 * Creates a channel on a terminal or pipe. In a conversation each line is the caller's next turn, and the end of the
 * input ends the call; a task flow asks its questions there. Throws `config-invalid` for options of a wrong type; a
 * question throws `no-answer` if the input ends before its answer.
 *
 * @example
 * await createFlowRun('approval.yaml').attach(createTerminalChannel()).run();
 */
export function createTerminalChannel(options: TerminalChannelOptions = {}): Channel {
  assertOptions(options, shapes);
  const { input = process.stdin, write = (text) => void process.stdout.write(text), width = 80, wordMs = 0 } = options;
  const { isTyped = input === process.stdin && process.stdin.isTTY } = options;
  const plain = (text: string): string => text;
  const questions = createConsoleQuestions({ input, write: (lines) => write(`${lines}\n`) });
  const shown = createConsoleChannel({ write, clock: systemClock, width, wordMs, dim: plain, label: plain });
  let reader: Interface | null = null;
  return {
    ...questions,
    onStart(run) {
      if (run.kind !== 'conversation') return Promise.resolve();
      reader = createInterface({ input });
      let last: Promise<unknown> = Promise.resolve();
      reader.on('line', (line) => {
        if (line.trim() === '') return;
        const turn = isTyped ? Promise.resolve() : last.then(() => run.idle());
        // The events of the run report a failed turn.
        last = turn.then(() => run.send(line)).catch(() => undefined);
      });
      reader.on('close', () => void last.then(() => run.idle()).then(() => run.abort()));
      return Promise.resolve();
    },
    async onComplete() {
      reader?.close();
      await questions.onComplete?.();
    },
    onEvent: (event) => shown.show(event),
    onSpeech: (piece) => shown.write(piece),
    onSpeechEnd: () => shown.end(),
  };
}
