import type { LanguageCause } from '../../events/signal.ts';
import { languageMeant } from '../../graph/flow-languages.ts';
import type { Hub } from '../../ports/hub.ts';
import type { Clock } from '../../ports/time.ts';
import type { Fold } from './fold.ts';

/** In which language a session goes on. */
export interface SessionLanguage {
  /** Goes on in a language that the flow lists; false, and told, where it lists none such. */
  change(tag: string, by: LanguageCause): boolean;
  /** What the recogniser takes the words to be in that it hears now; they come as a turn later. */
  recognise(tag: string): void;
  /** The language that was chosen before the session has begun; null if none was. */
  atStart(): string | null;
  /** A caller's turn is about to be read: what the recogniser has said of its language counts first. */
  beforeTurn(text: string): void;
}

/** Fewer words than these are taken for another language too easily. */
const fewestWords = 3;

/** Tags of no language in particular. */
const noLanguage: ReadonlySet<string> = new Set(['und', 'mul', 'multi', 'auto']);

/**
 * A recogniser counts where it takes three words or more, or two turns in a row, for a language that the flow lists. One
 * that still says what it said before somebody chose a language only names the language that it was set to.
 */
export function createSessionLanguage(fold: Fold, hub: Hub, clock: Clock): SessionLanguage {
  let verdict: string | null = null;
  /** What short words were taken for in the turn before. */
  let suspected: string | null = null;
  /** What a recogniser may go on saying because it knows no other language. */
  let left: string | null = null;
  const ignored = new Set<string>();
  let atStart: string | null = null;

  const tellIgnored = (language: string, by: LanguageCause): void => {
    if (by === 'recogniser' && ignored.has(language)) return;
    ignored.add(language);
    hub.emit('language:ignored', { language, by });
  };
  const wordsIn = (text: string, language: string | undefined): number =>
    fold.graph.spokenIn(language ?? null).reader.wordCount(text);
  const change: SessionLanguage['change'] = (tag, by) => {
    const to = languageMeant(fold.graph, tag);
    if (to === undefined) {
      tellIgnored(tag, by);
      return false;
    }
    const before = fold.graph.speech.language;
    if (to === before) return true;
    if (fold.state.status === 'new') {
      atStart = to;
      return true;
    }
    if (by !== 'recogniser') left = before;
    // What comes of it is kept with it; by code nothing need come of it for long.
    fold.dispatch({ type: 'language:changed', at: clock.now(), to, by }, [], by !== 'code');
    return true;
  };
  return {
    change,
    atStart: () => atStart,
    recognise(tag) {
      if (!noLanguage.has(tag)) verdict = tag;
    },
    beforeTurn(text) {
      const { languages } = fold.graph;
      const heard = verdict;
      verdict = null;
      // Of a flow in one language nobody wants to know what else was heard.
      if (heard === null || languages === null || languages.length < 2) return;
      const to = languageMeant(fold.graph, heard);
      if (to !== left) left = null;
      const isEnough = to === suspected || wordsIn(text, to) >= fewestWords;
      suspected = to ?? null;
      if (to === undefined) tellIgnored(heard, 'recogniser');
      else if (to !== left && isEnough) change(to, 'recogniser');
    },
  };
}
