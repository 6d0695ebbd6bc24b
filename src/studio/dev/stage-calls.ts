import type { Event } from '../../model/events/event.ts';
import type { JsonObject } from '../../model/json.ts';
import type { TextAbout } from '../../lsp/text/text-about.ts';
import type { TextProposal } from '../../lsp/text/text-proposal.ts';
import type { WatchedRequest } from '../../livekit/model/watched-model.ts';
import type { Checked, FlowNews } from '../protocol/flow-news.ts';
import type { SwapOutcome } from '../protocol/session-shown.ts';
import type { ProjectChoice } from './project.ts';

/** Settings of the session process. */
export interface StageSettings extends ProjectChoice {
  /** Milliseconds per word of a typed reply, so that it can be interrupted. */
  readonly wordMs: number;
}

/** The state of the project on disk. */
export interface StageReport {
  readonly news: FlowNews;
  readonly names: readonly string[];
  readonly model: string;
  readonly pretended: readonly string[];
  /** The missing parts of offline speech; null if voice is available. */
  readonly voiceLacks: string | null;
  readonly notes: readonly string[];
  /** Absolute paths of the flow files. */
  readonly flowFiles: readonly string[];
  /** Absolute paths of the loaded modules of the project. */
  readonly modules: readonly string[];
  /** The absolute file of each name; null for a flow in code. */
  readonly fileOf: Readonly<Record<string, string | null>>;
}

/** Opens a new or stored session in the session process. */
export interface OpenSession {
  readonly sessionId: string;
  /** One of `StageReport.names`. */
  readonly flow: string;
  readonly input: JsonObject;
  /** The room of a voice call; null if the session is typed. */
  readonly room: { readonly url: string; readonly token: string; readonly caller: string } | null;
  /** Whether the call was not interrupted: then the agent does not mention a gap. */
  readonly isExact: boolean;
}

/** Functions of the session process for the studio. */
export interface StageHandlers {
  /** Opens the project; must be the first call. Throws the faults of the project. */
  begin(settings: StageSettings): Promise<StageReport>;
  read(): Promise<StageReport>;
  check(path: string, text: string): Promise<Checked>;
  complete(path: string, text: string, offset: number): Promise<readonly TextProposal[]>;
  hover(path: string, text: string, offset: number): Promise<TextAbout | null>;
  open(session: OpenSession): Promise<void>;
  send(sessionId: string, text: string, via: 'text' | 'dtmf', eventId: string): Promise<'taken' | 'duplicate' | 'over'>;
  hush(sessionId: string): Promise<void>;
  /** Releases a session; it stays in the store. */
  leave(sessionId: string): Promise<void>;
  /** Moves a session to the flow on disk; null if the version is the same. */
  swap(sessionId: string): Promise<SwapOutcome | null>;
  ping(): number;
}

/** Messages of the session process to the studio. */
export interface StudioHandlers {
  store(noun: string, verb: string, args: readonly unknown[]): unknown;
  commit(commit: unknown): Promise<void>;
  told(event: Event): void;
  piece(sessionId: string, text: string): void;
  request(sessionId: string, request: WatchedRequest): void;
  /** The session was released: it ended or its caller left. */
  over(sessionId: string, reason: string): void;
  /** Code of the author threw. */
  threw(sessionId: string, message: string): void;
}
