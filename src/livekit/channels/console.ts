import type { Event } from '../../model/events/event.ts';
import type { Clock } from '../../model/ports/time.ts';
import { escapeBidi } from '../../model/ports/escape-bidi.ts';
import type { TextSink } from '../agent/text-session.ts';

export interface ConsoleOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
  /** Columns to wrap at. */
  readonly width: number;
  /** Milliseconds per word, so that speech can be interrupted; 0 prints at once. */
  readonly wordMs: number;
  /** Styles text that is not spoken, such as with a colour. */
  readonly dim: (text: string) => string;
  readonly label: (text: string) => string;
}

/** Prints a conversation on a terminal: the agent's speech word by word, and the flow's actions in between. */
export interface ConsoleChannel extends TextSink {
  /** Prints what an event means to a reader; most events print nothing. */
  show(event: Event): void;
  readonly note: (text: string) => void;
}

const indent = '       ';

export function createConsoleChannel(options: ConsoleOptions): ConsoleChannel {
  const { write, clock, width, wordMs, dim, label } = options;
  /** -1 if no line of the agent is open. */
  let column = -1;
  let unfinished = '';
  let pendingNotes: string[] = [];

  const note = (text: string): void => {
    if (column >= 0) pendingNotes.push(text);
    else write(`${dim(`${indent}${printable(text)}`)}\n`);
  };
  const word = (text: string): void => {
    if (column < 0) {
      write(label('agent  '));
      column = indent.length;
    } else if (column > indent.length) {
      const breaks = column + 1 + text.length > width;
      write(breaks ? `\n${indent}` : ' ');
      column = breaks ? indent.length : column + 1;
    }
    const shown = printable(text);
    write(shown);
    column += shown.length;
  };

  return {
    note,
    async write(text) {
      // A model streams parts of words; a word is complete when white space follows it.
      const parts = (unfinished + text).split(/\s+/);
      unfinished = parts.pop() ?? '';
      for (const part of parts) {
        if (part === '') continue;
        word(part);
        if (wordMs > 0) await new Promise<void>((resolve) => void clock.schedule(wordMs, resolve));
      }
    },
    end() {
      if (unfinished !== '') word(unfinished);
      unfinished = '';
      if (column >= 0) write('\n');
      column = -1;
      const notes = pendingNotes;
      pendingNotes = [];
      for (const text of notes) note(text);
    },
    show(event) {
      const text = describe(event);
      if (text !== null) note(text);
    },
  };
}

/** Removes characters from an outside text that control a terminal or reverse the order of text. */
export function printable(text: string): string {
  return escapeBidi(text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' '));
}

function describe(event: Event): string | null {
  switch (event.type) {
    case 'transition:taken':
      return `${event.data.from} -> ${event.data.to}${event.data.function === undefined ? '' : `  (${event.data.function})`}`;
    case 'transition:dropped':
      return `not taken: ${event.data.function} -> ${event.data.to}  (${event.data.reason})`;
    case 'slot:filled':
      return `${event.data.slot} ${event.data.corrected ? 'corrected' : 'recorded'}`;
    case 'slot:proposed':
      return `${event.data.slot} to be confirmed`;
    case 'decision:retaken':
      return `${event.data.node} leads to ${event.data.to} now`;
    case 'slot:confirmed':
      return `${event.data.slot} confirmed`;
    case 'slot:rejected':
      return `${event.data.slot} not taken: ${event.data.problem}`;
    case 'slot:cleared':
      return `${event.data.slot} cleared`;
    case 'tool:blocked':
      return `blocked: ${event.data.function}  (${event.data.reason})`;
    case 'flow:handoff':
      return `handed off: ${event.data.from} -> ${event.data.to}`;
    case 'flow:failed':
      return `the flow threw at yield ${event.data.step}: ${event.data.reason}`;
    case 'flow:cleared':
      return `the flow was given up: ${event.data.reason}`;
    case 'flow:parked':
      return `parked at yield ${event.data.step}: ${event.data.expected} is recorded, ${event.data.found} came`;
    case 'confirm:replaced':
      return `the confirm text of ${event.data.function} is not put (${event.data.reason}: ${event.data.names.join(', ')})`;
    case 'text:too-long':
      return `left out of a text, which would be too long: {{ ${event.data.name} }}`;
    case 'flow:stuck':
      return `stuck: ${event.data.reason}${event.data.code === undefined ? '' : `  (${event.data.code})`}`;
    case 'transfer:ended':
      return `transfer ended: ${event.data.outcome.replace('_', ' ')}`;
    case 'flow:ended':
      return `ended: ${event.data.reason}`;
    case 'response:failed':
      return `failed: ${event.data.stage}  (${event.data.reason}${/ 40[13]$/.test(event.data.reason) ? ': the key was refused' : ''})`;
    default:
      return null;
  }
}
