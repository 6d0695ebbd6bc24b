import type { FlowFact } from '../../model/events/event.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SourceLines } from '../../flow/picture/flow-shown.ts';

/** Shows a flow: its graph, problems, file and tests. */
export interface ShowFlow {
  /** One of `About.flows`. */
  readonly flow: string;
}

/** Starts a session. */
export interface NewSession {
  /** One of `About.flows`. Default: the first. */
  readonly flow?: string;
  readonly input?: JsonObject;
  /** Default: `typed`. */
  readonly by?: 'typed' | 'voice';
}

/** How a session is continued. */
export interface SourcePlace {
  readonly by?: 'typed' | 'voice';
}

/** A session to talk to. */
export interface SessionDoor {
  readonly sessionId: string;
  /** The room for the microphone; null if the session is typed. */
  readonly voice: { readonly url: string; readonly token: string; readonly room: string } | null;
  /** For a fork: the step it continues from; later than requested if a call was running there. */
  readonly seq?: number;
  /** For a fork: why the step or the version differs from the request, for the user. */
  readonly why?: string;
}

/** Typed words of the caller. The same `eventId` is taken once. */
export interface Words {
  readonly text: string;
  readonly eventId?: string;
}

/** Telephone keys, `0-9*#`. */
export interface Keys {
  readonly digits: string;
  readonly eventId?: string;
}

/** The outcome of an input. Unless it is `over`, the request is answered after the reply. */
export interface TakenAct {
  readonly outcome: 'taken' | 'duplicate' | 'over';
}

/** Resolves a wait by an option, by words, or by a value of its schema. */
export interface Decision {
  readonly key: string;
  readonly factsHash: string;
  readonly decision?: string;
  readonly text?: string;
  readonly comment?: string;
  readonly resolution?: JsonObject;
}

/** A new session from a step of another one. The log up to the step is copied; its effects are not repeated. */
export interface Fork {
  readonly seq: number;
  readonly by?: 'typed' | 'voice';
  /** Uses the flow on disk instead of the version of the session. */
  readonly withTodaysFile?: boolean;
}

/** The same signals over the flow on disk. */
export interface Comparison {
  /** The hash of the flow on disk. */
  readonly flowHash: string;
  /** The first step that differs; null if none does. */
  readonly parting: {
    readonly seq: number;
    readonly signal: string;
    readonly node: string;
    readonly otherNode: string;
    /** A description of the difference, for the user. */
    readonly differs: readonly ('node' | 'effects' | 'slots')[];
    /** The lines of the file that cause it, if known. */
    readonly source: SourceLines | null;
  } | null;
  /** Each step in the flow on disk. After the first difference these are hypothetical. */
  readonly steps: readonly {
    readonly seq: number;
    readonly node: string;
    readonly otherNode: string;
    readonly facts: readonly FlowFact[];
  }[];
}

/** Why personal values are requested; recorded in the audit. */
export interface Reveal {
  readonly reason?: string;
}

/** The key for `reveal=`; valid for an hour or until the server stops. */
export interface Revealed {
  readonly key: string;
}

/** Saves the conversation as a test beside the flow. Never overwrites a file (`file-exists`). */
export interface SaveTest {
  /** The file name without `.flowtest.yaml`. Default: a free name from the flow's file. */
  readonly name?: string;
}

/** A saved test. */
export interface SavedTest {
  /** As `FileShown.path`. */
  readonly path: string;
  readonly text: string;
  /** The command that runs it, from the folder of the studio. */
  readonly command: string;
  /** Parts that could not be included, and hints for the review. */
  readonly notes: readonly string[];
  /** The result of playing it once with the flow on disk; `why` is empty if it passes. */
  readonly outcome: { readonly is: 'passes' | 'fails' | 'unknown'; readonly why: string };
}
