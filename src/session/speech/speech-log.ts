import type { SpeechSettled } from '../../events/signal.ts';

/** The lines of one generation, in the order in which they were given out. */
export interface Utterance {
  add(key: string, text: string): void;
}

/**
 * Tells what was heard of each line. LiveKit keeps one message a generation, cut where the caller interrupted; this
 * finds out how much of each line it holds. A speech has a generation for its reply and one for each reply to tools.
 */
export interface SpeechLog {
  begin(speech: object): Utterance;
  /** A message of the speech became part of the history: what was heard of its next generation. */
  heard(speech: object, text: string, wasInterrupted: boolean): void;
  /** These words of the speech had no sound. */
  unheard(speech: object, text: string): void;
  /** No more will be heard of the speech. */
  close(speech: object, wasInterrupted: boolean): void;
}

interface GivenLine {
  readonly key: string;
  text: string;
  isSilent?: boolean;
}

type Line = Pick<SpeechSettled, 'key' | 'state' | 'text' | 'heard'>;

export interface SpeechLogOptions {
  readonly settle: (line: Line) => void;
  /** Lines of which nothing was heard, because the speech was interrupted before. */
  readonly leaveUnsaid: (lines: readonly Line[]) => void;
}

export function createSpeechLog({ settle, leaveUnsaid }: SpeechLogOptions): SpeechLog {
  const open = new WeakMap<object, GivenLine[][]>();
  const settleAll = (lines: readonly GivenLine[], text: string, wasInterrupted: boolean): void => {
    const settled = shareOut(lines, text);
    for (const line of settled) if (line.heard !== '' || !wasInterrupted) settle(line);
    const unsaid = settled.filter((line) => line.heard === '' && wasInterrupted);
    if (unsaid.length > 0) leaveUnsaid(unsaid);
  };
  return {
    begin(speech) {
      const lines: GivenLine[] = [];
      open.set(speech, [...(open.get(speech) ?? []), lines]);
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
    heard(speech, text, wasInterrupted) {
      const generations = open.get(speech) ?? [];
      const first = generations.findIndex((lines) => lines.length > 0);
      if (first < 0) return;
      const [lines = []] = generations.splice(first, 1);
      settleAll(lines, text, wasInterrupted);
    },
    unheard(speech, text) {
      const lines = (open.get(speech) ?? []).flat().filter(({ isSilent }) => isSilent !== true);
      const line = lines.find((one) => one.text.trim() === text.trim()) ?? lines[0];
      if (line !== undefined) line.isSilent = true;
    },
    close(speech, wasInterrupted) {
      const generations = open.get(speech) ?? [];
      open.delete(speech);
      for (const lines of generations) settleAll(lines, '', wasInterrupted);
    },
  };
}

/** How much of what was heard belongs to each line. */
function shareOut(lines: readonly GivenLine[], heardText: string): Line[] {
  let rest = heardText.trim();
  return lines.map(({ key, text, isSilent }, index) => {
    // Where anything was heard, it began with the first line, however the words are spaced.
    const heard = prefixHeard(text, rest) || (index === 0 ? rest : '');
    rest = rest.slice(heard.length).trimStart();
    if (isSilent === true) return { key, text, heard: '', state: 'cancelled' };
    return { key, text, heard, state: heard === text.trim() ? 'done' : 'cancelled' };
  });
}

/** As much of the front of what was heard as belongs to this line; white space between lines may differ. */
function prefixHeard(text: string, heard: string): string {
  const line = text.trim();
  if (heard.startsWith(line)) return line;
  return line.startsWith(heard) ? heard : '';
}
