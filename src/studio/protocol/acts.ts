import type { FlowFact } from '../../events/event.ts';
import type { JsonObject } from '../../events/json.ts';
import type { SourceLines } from '../../picture/flow-shown.ts';

/** Begins a session. */
export interface NewSession {
  /** One of `About.flows`; the first where absent. */
  readonly flow?: string;
  readonly input?: JsonObject;
  /** `typed` where absent. */
  readonly by?: 'typed' | 'voice';
}

/** How a session is taken up again. */
export interface Place {
  readonly by?: 'typed' | 'voice';
}

/** A session to talk to. */
export interface SessionDoor {
  readonly sessionId: string;
  /** Where the page joins with its microphone; null where the words are typed. */
  readonly voice: { readonly url: string; readonly token: string; readonly room: string } | null;
  /** Of a fork: the step that it goes on from, which is a later one where a call was under way at the one asked for. */
  readonly seq?: number;
  /** Of a fork: why it is another step, or another version than was asked for; for people. */
  readonly why?: string;
}

/** What the caller types. `eventId`: the same is taken once. */
export interface Words {
  readonly text: string;
  readonly eventId?: string;
}

/** Keys of a telephone, `0-9*#`. */
export interface Keys {
  readonly digits: string;
  readonly eventId?: string;
}

/** What became of words: answered before the request is, unless `over`. */
export interface Taken {
  readonly outcome: 'taken' | 'duplicate' | 'over';
}

/** Resolves a wait: by one of its options, by words, or by what its schema takes. */
export interface Decision {
  readonly key: string;
  readonly factsHash: string;
  readonly decision?: string;
  readonly text?: string;
  readonly comment?: string;
  readonly resolution?: JsonObject;
}

/** A new session from a step of another: the log up to it is copied, and nothing of it is done again. */
export interface Fork {
  readonly seq: number;
  readonly by?: 'typed' | 'voice';
  /** The flow as it is on disk now, in place of the one that the session ran. */
  readonly withTodaysFile?: boolean;
}

/** The same signals over the flow as it is on disk now. */
export interface Against {
  /** Of the flow on disk. */
  readonly flowHash: string;
  /** The first step after which they differ; null where they never do. */
  readonly parting: {
    readonly seq: number;
    readonly signal: string;
    readonly node: string;
    readonly otherNode: string;
    /** What differs: for people. */
    readonly differs: readonly ('node' | 'effects' | 'slots')[];
    /** The lines of the file that say so, as far as they are known. */
    readonly source: SourceLines | null;
  } | null;
  /** Each step under today's flow; behind the parting it is what these signals would make, not what would be said. */
  readonly steps: readonly {
    readonly seq: number;
    readonly node: string;
    readonly otherNode: string;
    readonly facts: readonly FlowFact[];
  }[];
}

/** Why somebody wants to see what is personal: kept in the audit log. */
export interface Reveal {
  readonly reason?: string;
}

/** What `reveal=` of the session's detail and of the stream takes; it ends with the server, or after an hour. */
export interface Revealed {
  readonly key: string;
}

/** Saves the conversation so far as a test next to the flow; a file that is there is never written over (`file-exists`). */
export interface SaveTest {
  /** The file's name without `.flowtest.yaml`; made of the session's where absent. */
  readonly name?: string;
}

/** A test that was written. */
export interface SavedTest {
  /** As in `FileShown.path`. */
  readonly path: string;
  readonly text: string;
  /** What runs it, from where the studio was started. */
  readonly command: string;
  /** What could not be taken over, and what to look at, for people. */
  readonly notes: readonly string[];
  /** What came of playing it once on the flow as it is on disk; `why` is empty where it passes. */
  readonly outcome: { readonly is: 'passes' | 'fails' | 'unknown'; readonly why: string };
}
