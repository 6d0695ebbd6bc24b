import type { HeardLine, SpeechSettled } from '../../model/signals/signal.ts';

/** The lines of one generation of a speech, in the order given to LiveKit. */
export interface Utterance {
  /** Adds text to the line of this key. `isAside`: the line belongs to a task, not to the conversation. */
  add(key: string, text: string, isAside?: boolean): void;
  /** Records the model's own wording of the last line, piece by piece. */
  say(words: string): void;
}

/**
 * Settles each line with the text that the caller heard. LiveKit keeps one message per generation, cut at an interruption; the
 * log divides it among the generation's lines. A speech has one generation for its reply and one per reply to tool results.
 */
export interface SpeechLog {
  /** Begins the next generation of the speech. */
  begin(speech: object): Utterance;
  /**
   * Settles the lines of the oldest open generation with `text`, the message that LiveKit added
   * to the history. Returns the text without asides; null if the generation has no asides.
   */
  heard(speech: object, text: string, wasInterrupted: boolean): string | null;
  /** Returns the open lines that do not end within `words` words, each with its part of those words. */
  unfinished(speech: object, words: number): readonly HeardLine[];
  /** Marks the line of this text as silent: its synthesis gave no audio, so it settles as not heard. */
  unheard(speech: object, text: string): void;
  /** Settles the open lines of the speech as not heard. */
  close(speech: object, wasInterrupted: boolean): void;
}

interface GivenLine {
  readonly key: string;
  text: string;
  readonly isAside: boolean;
  /** The spoken wording so far, if it differs from `text`. */
  said?: string;
  isSilent?: boolean;
}

type Line = Pick<SpeechSettled, 'key' | 'state' | 'text' | 'heard' | 'aside'>;

export interface SpeechLogOptions {
  readonly settle: (line: Line) => void;
  /** Receives the lines of an interrupted speech of which the caller heard nothing. */
  readonly leaveUnsaid: (lines: readonly Line[]) => void;
}

export function createSpeechLog({ settle, leaveUnsaid }: SpeechLogOptions): SpeechLog {
  const open = new WeakMap<object, GivenLine[][]>();
  const settleAll = (lines: readonly GivenLine[], text: string, wasInterrupted: boolean): string | null => {
    const settled = byKey(shareOut(lines, text));
    const isUnsaid = (line: Line): boolean => line.heard === '' && line.aside === undefined && wasInterrupted;
    for (const line of settled) if (!isUnsaid(line)) settle(line);
    const unsaid = settled.filter(isUnsaid);
    if (unsaid.length > 0) leaveUnsaid(unsaid);
    if (!lines.some(({ isAside }) => isAside)) return null;
    return settled.flatMap(({ heard }) => (heard === '' ? [] : [heard])).join(' ');
  };
  return {
    begin(speech) {
      const lines: GivenLine[] = [];
      open.set(speech, [...(open.get(speech) ?? []), lines]);
      return {
        add(key, text, isAside = false) {
          // A completion with only calls has no audible text.
          if (text.trim() === '' && lines.length === 0) return;
          const last = lines.at(-1);
          if (last?.key === key && last.isAside === isAside) last.text += text;
          else lines.push({ key, text, isAside });
        },
        say(words) {
          const line = lines.at(-1);
          if (line !== undefined) line.said = `${line.said ?? ''}${words}`;
        },
      };
    },
    heard(speech, text, wasInterrupted) {
      const generations = open.get(speech) ?? [];
      const first = generations.findIndex((lines) => lines.length > 0);
      if (first < 0) return null;
      const [lines = []] = generations.splice(first, 1);
      return settleAll(lines, text, wasInterrupted);
    },
    unfinished(speech, words) {
      let rest = words;
      return (open.get(speech) ?? []).flat().flatMap(({ key, text, isAside, said }): HeardLine[] => {
        const own = (said ?? text).match(/\S+/g) ?? [];
        const heard = Math.min(own.length, rest);
        rest -= heard;
        // The length of a reworded line is known only when it has ended.
        const hasEnded = heard === own.length && said === undefined;
        return isAside || hasEnded ? [] : [{ key, text: own.slice(0, heard).join(' ') }];
      });
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

/** Divides the heard text among the lines, first line first. */
function shareOut(lines: readonly GivenLine[], heardText: string): Line[] {
  let rest = heardText.trim();
  return lines.map(({ key, text, isAside, isSilent }, index) => {
    // Heard text always begins with the first line, even if the spacing differs.
    const heard = prefixHeard(text, rest) || (index === 0 ? rest : '');
    rest = rest.slice(heard.length).trimStart();
    if (isSilent === true) return { key, text: isAside ? '' : text, heard: '', state: 'cancelled' };
    const state = heard === text.trim() ? 'done' : 'cancelled';
    if (!isAside) return { key, text, heard, state };
    return { key, text: '', heard: '', state, ...(heard === '' ? {} : { aside: heard }) };
  });
}

/** Joins lines of one key: a reply and the asides around it have the same key and settle once. */
function byKey(lines: readonly Line[]): readonly Line[] {
  const settled = new Map<string, Line>();
  for (const line of lines) {
    const known = settled.get(line.key);
    const own = known === undefined || known.text === '' ? line : known;
    const aside = [known?.aside, line.aside].filter((one) => one !== undefined).join(' ');
    settled.set(line.key, aside === '' ? own : { ...own, aside });
  }
  return [...settled.values()];
}

/** Returns the start of the heard text that belongs to this line; white space between lines may differ. */
function prefixHeard(text: string, heard: string): string {
  const line = text.trim();
  if (heard.startsWith(line)) return line;
  return line.startsWith(heard) ? heard : '';
}
