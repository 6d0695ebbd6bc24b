import type { LanguageCause } from '../../model/signals/signal.ts';
import { languageMeant } from '../../flow/graph/flow-languages.ts';
import type { Session } from '../session.ts';

/** Tracks and changes the language of a session. */
export interface SessionLanguage {
  /** Changes to a language that the flow lists. Returns false and publishes an event if the flow does not list it. */
  change(tag: string, by: LanguageCause): boolean;
  /** Records the recogniser's language for the words of the coming turn. */
  recognise(tag: string): void;
  /** Returns the language chosen before the session began; null if none. */
  atStart(): string | null;
  /** Applies the recogniser's language before a caller's turn is read. */
  beforeTurn(text: string): void;
}

/** Shorter texts are too easily attributed to another language. */
const fewestWords = 3;

/** Tags that name no particular language. */
const noLanguage: ReadonlySet<string> = new Set(['und', 'mul', 'multi', 'auto']);

/**
 * Creates the language of a session. The recogniser changes it after three words, or two turns in a row, in another listed
 * language. If code or a hook changed the language, the recogniser's old value is ignored, because it may be its fixed setting.
 */
export function createSessionLanguage(session: Session): SessionLanguage {
  const { hub, clock } = session.options;
  let verdict: string | null = null;
  /** Language detected in the previous turn's few words. */
  let suspected: string | null = null;
  /** The former language, which the recogniser may keep reporting because it knows no other. */
  let left: string | null = null;
  const ignored = new Set<string>();
  let atStart: string | null = null;

  const tellIgnored = (language: string, by: LanguageCause): void => {
    if (by === 'recogniser' && ignored.has(language)) return;
    ignored.add(language);
    hub.emit('language:ignored', { language, by });
  };
  const wordsIn = (text: string, language: string | undefined): number =>
    session.graph.spokenIn(language ?? null).reader.wordCount(text);
  const change: SessionLanguage['change'] = (tag, by) => {
    const to = languageMeant(session.graph, tag);
    if (to === undefined) {
      tellIgnored(tag, by);
      return false;
    }
    const before = session.graph.speech.language;
    if (to === before) return true;
    if (session.state.status === 'new') {
      atStart = to;
      return true;
    }
    if (by !== 'recogniser') left = before;
    // Committed with its effects. After a change by code, no effect may follow for a while.
    session.dispatch({ signal: { type: 'language:changed', at: clock.now(), to, by }, joins: by !== 'code' });
    return true;
  };
  return {
    change,
    atStart: () => atStart,
    recognise(tag) {
      if (!noLanguage.has(tag)) verdict = tag;
    },
    beforeTurn(text) {
      const { languages } = session.graph;
      const heard = verdict;
      verdict = null;
      // A flow with one language does not report others.
      if (heard === null || languages === null || languages.length < 2) return;
      const to = languageMeant(session.graph, heard);
      if (to !== left) left = null;
      const isEnough = to === suspected || wordsIn(text, to) >= fewestWords;
      suspected = to ?? null;
      if (to === undefined) tellIgnored(heard, 'recogniser');
      else if (to !== left && isEnough) change(to, 'recogniser');
    },
  };
}
