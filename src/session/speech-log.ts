import type { SpeechSettled } from '../events/signal.ts';

/** The lines of one generation, in the order in which they were given out. */
export interface Utterance {
  add(key: string, text: string): void;
}

/**
 * Tells what was heard of each line. LiveKit keeps one message a generation, cut where the caller interrupted; this
 * finds out which of the session's speech effects it belongs to, and how much of each was heard.
 */
export interface SpeechLog {
  begin(): Utterance;
  /** A message of the agent became part of the history. */
  heard(text: string): void;
  /** No more will be heard of what was given out so far. */
  closed(): void;
}

type Settle = (settled: Pick<SpeechSettled, 'key' | 'state' | 'text' | 'heard'>) => void;

export function createSpeechLog(settle: Settle): SpeechLog {
  let open: { key: string; text: string }[][] = [];
  const settleAll = (lines: { key: string; text: string }[], heardText: string): void => {
    let rest = heardText;
    for (const { key, text } of lines) {
      const heard = prefixHeard(text, rest);
      rest = rest.slice(heard.length).trimStart();
      settle({ key, text, heard: heard.trim(), state: heard.trim() === text.trim() ? 'done' : 'cancelled' });
    }
  };
  return {
    begin() {
      const lines: { key: string; text: string }[] = [];
      open.push(lines);
      return {
        add(key, text) {
          // A completion that only calls says nothing that could be heard.
          if (text.trim() === '' && lines.length === 0) return;
          const last = lines.at(-1);
          if (last?.key === key) last.text += text;
          else lines.push({ key, text });
        },
      };
    },
    heard(text) {
      const first = open.findIndex((lines) => lines.length > 0);
      if (first < 0) return;
      const [lines = []] = open.splice(first, 1);
      settleAll(lines, text);
    },
    closed() {
      const lines = open;
      open = [];
      for (const one of lines) settleAll(one, '');
    },
  };
}

/** As much of the front of what was heard as belongs to this line; white space between lines may differ. */
function prefixHeard(text: string, heard: string): string {
  const line = text.trim();
  if (heard.startsWith(line)) return line;
  return line.startsWith(heard.trimEnd()) ? heard : '';
}
