import type { News } from './news.ts';
import type { About } from './protocol.ts';
import type {
  Against,
  Decision,
  Fork,
  Keys,
  NewSession,
  Place,
  SavedTest,
  SaveTest,
  SessionDoor,
  Taken,
  Words,
} from './protocol/acts.ts';
import type { TextAbout } from '../lsp/text-about.ts';
import type { TextProposal } from '../lsp/text-proposal.ts';
import type { Checked, CheckText, NodeTests, PlaceInText } from './protocol/flow-news.ts';
import type { FileShown, FileText } from './protocol/files.ts';
import type { FlowShown } from '../picture/flow-shown.ts';
import type { InboxEntryShown, SessionDetail, SessionShown } from './protocol/session-shown.ts';
import type { PageTiming, RequestShown } from './protocol/turn-shown.ts';

/** What the routes of a studio ask: of live sessions on this machine, or of those that a store keeps. */
export interface Desk {
  about(): Promise<Omit<About, 'now' | 'at' | 'version'>>;
  sessions(): Promise<readonly SessionShown[]>;
  /** Null where there is no such session. `isRevealed`: with what is personal. */
  detail(sessionId: string, isRevealed: boolean): Promise<Omit<SessionDetail, 'at'> | null>;
  /** What was posted to a session and is not taken yet. */
  inbox(sessionId: string): Promise<readonly InboxEntryShown[]>;
  /** Where what is new of a session is told, or (null) of the list. */
  newsOf(sessionId: string | null, isRevealed: boolean): News;
  /** Somebody looks at a session, or (null) at the list: until the function that is returned is called, what is new becomes news. */
  follow(sessionId: string | null, isRevealed: boolean): () => void;
  flow(hash: string): Promise<FlowShown | null>;
  /** The same signals over the flow on disk. Throws what it is refused by. */
  against(sessionId: string): Promise<Against>;
  /** What can be done; null where everything is only looked at. */
  readonly live: LiveDesk | null;
  /** Addresses that the page may connect to besides its own server. */
  readonly connects: readonly string[];
}

/** What can be done with sessions of a studio on this machine. Each throws a FlowError where it is refused. */
export interface LiveDesk {
  begin(given: NewSession): Promise<SessionDoor>;
  words(sessionId: string, given: Words): Promise<Taken>;
  keys(sessionId: string, given: Keys): Promise<Taken>;
  interrupt(sessionId: string): Promise<void>;
  hangUp(sessionId: string): Promise<void>;
  callBack(sessionId: string, given: Place): Promise<SessionDoor>;
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
  /** Throws `file-not-found` for what is none of them. */
  read(path: string): FileText;
  /** Saves a file that is still as it was read; else gives the one that is there now. */
  save(path: string, text: string, etag: string | null): { readonly saved: FileText } | { readonly changed: FileText };
}
