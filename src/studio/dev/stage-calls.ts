import type { Event } from '../../events/event.ts';
import type { JsonObject } from '../../events/json.ts';
import type { TextAbout } from '../../lsp/text-about.ts';
import type { TextProposal } from '../../lsp/text-proposal.ts';
import type { WatchedRequest } from '../../livekit/model/watched-model.ts';
import type { Checked, FlowNews } from '../protocol/flow-news.ts';
import type { SwapOutcome } from '../protocol/session-shown.ts';
import type { ProjectChoice } from './project.ts';

/** What the process of the sessions is started with. */
export interface StageSettings extends ProjectChoice {
  /** How long a word takes of what is typed to the page, so that it can be cut off, in milliseconds. */
  readonly wordMs: number;
}

/** What the process of the sessions has found on disk. */
export interface StageReport {
  readonly news: FlowNews;
  readonly names: readonly string[];
  readonly model: string;
  readonly pretended: readonly string[];
  /** What offline speech lacks where it would be used; null where voice can be had. */
  readonly voiceLacks: string | null;
  readonly notes: readonly string[];
  /** The files that flows are written in, absolute. */
  readonly flowFiles: readonly string[];
  /** The modules of the project that were loaded, absolute. */
  readonly modules: readonly string[];
  /** The file of each of `names`, absolute; null for a flow that is written in code. */
  readonly fileOf: Readonly<Record<string, string | null>>;
}

/** Opens a session in the process of the sessions, a new one or one that the store keeps. */
export interface OpenSession {
  readonly sessionId: string;
  /** One of `StageReport.names`. */
  readonly flow: string;
  readonly input: JsonObject;
  /** Where it speaks; null where its words are typed. */
  readonly room: { readonly url: string; readonly token: string; readonly caller: string } | null;
  /** Nobody was cut off: it goes on as it stands, without owning up to a gap. */
  readonly isExact: boolean;
}

/** What the studio calls in the process of its sessions. */
export interface StageHandlers {
  /** Opens the project; once, before all else. Throws what is wrong with it. */
  begin(settings: StageSettings): Promise<StageReport>;
  read(): Promise<StageReport>;
  check(path: string, text: string): Promise<Checked>;
  complete(path: string, text: string, offset: number): Promise<readonly TextProposal[]>;
  hover(path: string, text: string, offset: number): Promise<TextAbout | null>;
  open(session: OpenSession): Promise<void>;
  send(sessionId: string, text: string, via: 'text' | 'dtmf', eventId: string): Promise<'taken' | 'duplicate' | 'over'>;
  hush(sessionId: string): Promise<void>;
  /** Lets go of a session, which the store keeps. */
  leave(sessionId: string): Promise<void>;
  /** Lets a session go on with its flow as it is on disk now; null where that is no other version. */
  swap(sessionId: string): Promise<SwapOutcome | null>;
  ping(): number;
}

/** What the process of the sessions tells the studio. */
export interface StudioHandlers {
  store(method: string, args: readonly unknown[]): Promise<unknown>;
  commit(commit: unknown): Promise<void>;
  told(event: Event): void;
  piece(sessionId: string, text: string): void;
  request(sessionId: string, request: WatchedRequest): void;
  /** The session is let go of: it has ended, or its caller has left. */
  over(sessionId: string, reason: string): void;
  /** Code of the author's has thrown. */
  threw(sessionId: string, message: string): void;
}
