import type { EventStream } from '../event-stream.ts';
import type { About } from '../protocol.ts';
import type {
  Comparison,
  Decision,
  Fork,
  Keys,
  NewSession,
  ShowFlow,
  SourcePlace,
  SavedTest,
  SaveTest,
  SessionDoor,
  TakenAct,
  Words,
} from '../protocol/acts.ts';
import type { TextAbout } from '../../lsp/text/text-about.ts';
import type { TextProposal } from '../../lsp/text/text-proposal.ts';
import type { Checked, CheckText, NodeTests, PlaceInText } from '../protocol/flow-news.ts';
import type { FileShown, FileText } from '../protocol/files.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { InboxEntryShown, SessionDetail, SessionShown } from '../protocol/session-shown.ts';
import type { PageTiming, RequestShown } from '../protocol/turn-shown.ts';

/** The backend of the studio's routes: live sessions on this machine, or sessions of a store. */
export interface StudioBackend {
  about(): Promise<Omit<About, 'now' | 'at' | 'version'>>;
  sessions(): Promise<readonly SessionShown[]>;
  /** Returns null if there is no such session. `isRevealed` includes personal values. */
  detail(sessionId: string, isRevealed: boolean): Promise<Omit<SessionDetail, 'at'> | null>;
  /** Returns the posted entries that a session has not taken yet. */
  inbox(sessionId: string): Promise<readonly InboxEntryShown[]>;
  /** Returns the event stream of a session, or of the list (null). */
  newsOf(sessionId: string | null, isRevealed: boolean): EventStream;
  /** Starts publishing changes of a session, or of the list (null), until the returned function is called. */
  follow(sessionId: string | null, isRevealed: boolean): () => void;
  flow(hash: string): Promise<FlowShown | null>;
  /** Folds the same signals over the flow on disk. Throws if that is not possible. */
  against(sessionId: string): Promise<Comparison>;
  /** Operations on live sessions; null if the studio is read-only. */
  readonly live: LiveActions | null;
  /** Addresses, other than its own server, that the page may connect to. */
  readonly connects: readonly string[];
}

/** Operations on the live sessions of a studio. Each throws a FlowError if it is refused. */
export interface LiveActions {
  /** Shows another flow of `About.flows`: its graph, problems and tests. */
  show(given: ShowFlow): Promise<void>;
  begin(given: NewSession): Promise<SessionDoor>;
  words(sessionId: string, given: Words): Promise<TakenAct>;
  keys(sessionId: string, given: Keys): Promise<TakenAct>;
  interrupt(sessionId: string): Promise<void>;
  hangUp(sessionId: string): Promise<void>;
  callBack(sessionId: string, given: SourcePlace): Promise<SessionDoor>;
  decide(sessionId: string, given: Decision): Promise<void>;
  fork(sessionId: string, given: Fork): Promise<SessionDoor>;
  saveTest(sessionId: string, given: SaveTest): Promise<SavedTest>;
  timing(sessionId: string, given: PageTiming): void;
  request(id: string): RequestShown | null;
  check(given: CheckText): Promise<Checked>;
  complete(given: PlaceInText): Promise<readonly TextProposal[]>;
  hover(given: PlaceInText): Promise<TextAbout | null>;
  nodeTests(): Promise<NodeTests>;
  readonly files: Files;
}

/** The files of a project. */
export interface Files {
  list(): readonly FileShown[];
  /** Throws `file-not-found` for any other path. */
  read(path: string): FileText;
  /** Saves a file if its etag still matches; otherwise returns the current file. */
  save(path: string, text: string, etag: string | null): { readonly saved: FileText } | { readonly changed: FileText };
}
