import type { SpeechSettled } from '../../events/signal.ts';

/** The lines of one generation, in the order in which they were given out. */
export interface Utterance {
  /** `isAside`: the line is no part of the conversation. */
  add(key: string, text: string, isAside?: boolean): void;
}

/**
 * Tells what was heard of each line. LiveKit keeps one message a generation, cut where the caller interrupted; this
 * finds out how much of each line it holds. A speech has a generation for its reply and one for each reply to tools.
 */
export interface SpeechLog {
  begin(speech: object): Utterance;
  /**
   * A message of the speech became part of the history: what was heard of its next generation. Returns what of that is
   * part of the conversation, null where all of it is.
   */
  heard(speech: object, text: string, wasInterrupted: boolean): string | null;
  /** These words of the speech had no sound. */
  unheard(speech: object, text: string): void;
  /** No more will be heard of the speech. */
  close(speech: object, wasInterrupted: boolean): void;
}

interface GivenLine {
  readonly key: string;
  text: string;
  readonly isAside: boolean;
  isSilent?: boolean;
}

type Line = Pick<SpeechSettled, 'key' | 'state' | 'text' | 'heard' | 'aside'>;

export interface SpeechLogOptions {
  readonly settle: (line: Line) => void;
  /** Lines of which nothing was heard, because the speech was interrupted before. */
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
          // A completion that only calls says nothing that could be heard.
          if (text.trim() === '' && lines.length === 0) return;
          const last = lines.at(-1);
          if (last?.key === key && last.isAside === isAside) last.text += text;
          else lines.push({ key, text, isAside });
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
  return lines.map(({ key, text, isAside, isSilent }, index) => {
    // Where anything was heard, it began with the first line, however the words are spaced.
    const heard = prefixHeard(text, rest) || (index === 0 ? rest : '');
    rest = rest.slice(heard.length).trimStart();
    if (isSilent === true) return { key, text: isAside ? '' : text, heard: '', state: 'cancelled' };
    const state = heard === text.trim() ? 'done' : 'cancelled';
    if (!isAside) return { key, text, heard, state };
    return { key, text: '', heard: '', state, ...(heard === '' ? {} : { aside: heard }) };
  });
}

/** A reply and what was said around it have one key, and settle as one. */
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

/** As much of the front of what was heard as belongs to this line; white space between lines may differ. */
function prefixHeard(text: string, heard: string): string {
  const line = text.trim();
  if (heard.startsWith(line)) return line;
  return line.startsWith(heard) ? heard : '';
}
