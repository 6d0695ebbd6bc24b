/**
 * What the studio's page and its server say to each other: types alone, so that the page takes nothing of the server along.
 *
 * | request | body | answer |
 * |---|---|---|
 * | `GET /` | | the page; with `?token=` first the cookie and a redirect |
 * | `GET /assets/NAME` | | a file of the page |
 * | `GET /api/proof?challenge=TEXT` | | what only a holder of the token can answer, as text; needs no token |
 * | `GET /api/about` | | `About` |
 * | `GET /api/events?after=SEQ&session=ID&states=yes&reveal=KEY` | | an event stream of `StudioEvent`s; `Last-Event-ID` as `after` |
 * | `GET /api/sessions` | | `SessionShown[]`, the latest first |
 * | `POST /api/sessions` | `NewSession` | `SessionDoor` |
 * | `GET /api/sessions/ID?states=yes&reveal=KEY` | | `SessionDetail` |
 * | `GET /api/sessions/ID/inbox` | | `InboxEntryShown[]` |
 * | `GET /api/flows/HASH` | | `FlowShown` of a flow that some session runs or has run |
 * | `POST /api/sessions/ID/words` | `Words` | `Taken` |
 * | `POST /api/sessions/ID/keys` | `Keys` | `Taken` |
 * | `POST /api/sessions/ID/interrupt` | | `Done` |
 * | `POST /api/sessions/ID/hang-up` | | `Done` |
 * | `POST /api/sessions/ID/call-back` | `Place` | `SessionDoor` |
 * | `POST /api/sessions/ID/voice` | | `SessionDoor`: the session goes on by voice, from where it stands |
 * | `POST /api/sessions/ID/decide` | `Decision` | `Done` |
 * | `POST /api/sessions/ID/fork` | `Fork` | `SessionDoor` |
 * | `POST /api/sessions/ID/against` | | `Against` |
 * | `POST /api/sessions/ID/reveal` | `Reveal` | `Revealed` |
 * | `POST /api/sessions/ID/test` | `SaveTest` | `SavedTest` |
 * | `POST /api/sessions/ID/timing` | `PageTiming` | `Done` |
 * | `GET /api/requests/ID` | | `RequestShown`: what a model was asked and has answered |
 * | `GET /api/files` | | `FileShown[]` |
 * | `GET /api/file?path=PATH` | | `FileText`, also as `ETag` |
 * | `PUT /api/file?path=PATH` | `SaveFile`, with `If-Match: "ETAG"` | `FileText`; 412 `FileChanged` where it has changed meanwhile |
 * | `POST /api/check` | `CheckText` | `Checked` |
 * | `GET /api/node-tests` | | `NodeTests`: tests are played for it, in a process of their own |
 *
 * The page's files lie in `dist/studio/page/`, all of them `*.js`, `*.css`, `*.svg` or `*.map` without folders, and are served
 * at `/assets/`. The server writes the HTML: `<div id="studio">`, `/assets/studio.css` and the module `/assets/studio.js`, whose
 * element's `nonce` property is the one that styles may have. Policy: `default-src 'none'`, `script-src 'self'`, `style-src 'self'
 * 'nonce-…'`, `connect-src 'self'` and the voice server, `worker-src 'self'`, `require-trusted-types-for 'script'`.
 *
 * IDs in paths are percent-encoded. Every refusal is a `Refusal` with its status. What changes anything takes JSON
 * (`content-type: application/json`, `{}` where the table names no body). A store's studio answers 403 `not-allowed` to all
 * that `About.may` does not offer.
 */
import type { Effect } from '../events/effect.ts';
import type { Event, FlowFact } from '../events/event.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Signal } from '../events/signal.ts';
import type { TokenCount, TurnTrace } from '../events/turn-trace.ts';

/** What this studio is of, and what the page may offer. */
export interface About {
  /** `dev`: flows on this machine, live; `store`: sessions that a store keeps, read only. */
  readonly mode: 'dev' | 'store';
  /** The release of Roomflow. */
  readonly version: string;
  /** The server's clock, epoch milliseconds: all times of this protocol are by it. */
  readonly now: number;
  /** The seq of the last event of the stream, for `after`. */
  readonly at: number;
  /** In `dev` the flow that the studio is opened on, and its problems; null in `store`. */
  readonly flow: FlowNews | null;
  /** Names of the flows that a new session can begin in, the usual one first. */
  readonly flows: readonly string[];
  /** What thinks, such as `offline brain`, for people. */
  readonly model: string | null;
  readonly voice: VoiceOffer;
  /** Functions and handlers of the flow that no code registers, and that are only pretended. */
  readonly pretended: readonly string[];
  readonly may: {
    readonly talk: boolean;
    readonly edit: boolean;
    readonly fork: boolean;
    /** Signals, states and events are masked until revealed. */
    readonly reveal: boolean;
    /** A conversation can be saved as a test. */
    readonly saveTest: boolean;
  };
  /** What is worth a line that stays on the page, such as why there is no voice. */
  readonly notes: readonly string[];
}

/**
 * How the page may hear and speak. `livekit`: by a room (`SessionDoor.voice`). `browser`: the page's own speech, where the
 * browser has it, with the words typed to the server. `how` is one line for people: which it is, and how to get the better.
 */
export interface VoiceOffer {
  readonly by: 'livekit' | 'browser';
  readonly how: string;
}

/** One event of the stream: `event:` is `type`, `data:` the JSON of `data`, `id:` counts up from 1. */
export type StudioEvent =
  /** The page has missed what is forgotten by now: it loads everything anew. */
  | { readonly type: 'reset'; readonly data: null }
  /** The flow's file, its prompts, tools or configuration were saved, or read for the first time. */
  | { readonly type: 'flow'; readonly data: FlowNews }
  /** A session is new, or its line in the list has changed. */
  | { readonly type: 'session'; readonly data: SessionShown }
  /** A session's log has grown by one signal. */
  | { readonly type: 'step'; readonly data: InSession<StepShown> }
  /** The hub has told something; every type but `agent:text`. */
  | { readonly type: 'told'; readonly data: InSession<{ readonly event: Event }> }
  /** A line of the talk is new or has changed: the one of the same id is replaced. */
  | { readonly type: 'line'; readonly data: InSession<TalkLine> }
  /** Of a turn more is known: the one of the same id is replaced. */
  | { readonly type: 'turn'; readonly data: InSession<TurnShown> }
  /** What became of a live session when the flow was saved. */
  | { readonly type: 'swap'; readonly data: InSession<SwapOutcome> }
  /** Something has gone wrong that is no part of the flow, such as a worker that died. */
  | { readonly type: 'trouble'; readonly data: Trouble };

/** The name of an event of the stream. */
export type StudioEventType = StudioEvent['type'];

/** What belongs to a session. */
export type InSession<Data> = Data & { readonly sessionId: string };

/** A session as a line of a list. */
export interface SessionShown {
  readonly sessionId: string;
  /** For people: the flow, and from which session it was forked. */
  readonly title: string;
  readonly flow: string;
  /** The hash of the flow that it is in. */
  readonly flowHash: string;
  readonly node: string;
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  /**
   * `typed` and `voice`: somebody is connected; `away`: hung up, and can be called back; `elsewhere`: another process has it;
   * `over`: nothing can follow.
   */
  readonly live: 'typed' | 'voice' | 'away' | 'elsewhere' | 'over';
  /** The seq of its last signal. */
  readonly seq: number;
  readonly updatedAt: number;
  /** Where it was forked. */
  readonly from?: { readonly sessionId: string; readonly seq: number };
  /** Open waits for somebody outside of the call. */
  readonly waits: readonly WaitShown[];
}

/** A wait that the page can decide. */
export interface WaitShown {
  readonly key: string;
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
  readonly to: string | null;
  readonly question: string;
  readonly facts: JsonObject;
  /** Goes back with the decision: it is refused where the facts have changed. */
  readonly factsHash: string;
  /** A button for each; none where words or a form are asked for. */
  readonly options: readonly string[];
  /** Words may be given (`Decision.text`). */
  readonly takesWords: boolean;
  /** JSON Schema of what resolves it. */
  readonly schema: JsonObject;
  readonly deadline: number | null;
}

/** What was posted to a session and is not taken yet; what it holds stays on the server. */
export interface InboxEntryShown {
  readonly key: string;
  /** The type of the signal that it becomes. */
  readonly signal: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** `dead`: nobody takes it any more. */
  readonly state: 'open' | 'dead';
  readonly attempts: number;
  /** Why it could not be taken the last time. */
  readonly reason: string | null;
  /** Who has posted it; null for schedules and the store itself. */
  readonly actor: string | null;
}

/** All of a session so far, as of `at` of the stream: what comes later has a greater seq there. */
export interface SessionDetail {
  readonly session: SessionShown;
  readonly at: number;
  /**
   * `page`: `steps` hold raw signals, and the page can fold them over `flows`; states are sent where `states=yes` asks for
   * them. `server`: the page cannot (masked, or the flow is code), and every step has its state.
   */
  readonly folds: 'page' | 'server';
  readonly isMasked: boolean;
  readonly steps: readonly StepShown[];
  /** Flows that it ran, by hash. */
  readonly flows: Readonly<Record<string, FlowShown>>;
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  readonly swaps: readonly SwapOutcome[];
}

/** One signal of a log and what it made of the session. */
export interface StepShown {
  readonly seq: number;
  /** Raw, or with `[personal]` in place of what is personal. */
  readonly signal: Signal;
  /** After the step, as `kernel/state.ts` has it; null where the page folds. */
  readonly state: JsonObject | null;
  /** Effects intended or changed; null where the page folds. */
  readonly effects: readonly Effect[] | null;
  /** What the step reports: edges taken (`transition:taken`), slots filled and so on. Holds no speech. */
  readonly facts: readonly FlowFact[];
  /** After the step. */
  readonly node: string;
  readonly flowHash: string;
}

/** A line of the talk. */
export interface TalkLine {
  readonly id: string;
  /** When it began. */
  readonly at: number;
  /** `tool`: a call with `call`; `wait`: a wait for people; `note`: what the flow does besides. */
  readonly who: 'caller' | 'agent' | 'operator' | 'tool' | 'wait' | 'note';
  /** What was said, or is being said, as far as known; text, never markup. */
  readonly text: string;
  /** The part of `text`, from its start, that was heard; null while it is open. The rest is greyed. */
  readonly heard: string | null;
  /** `open`: more may come; `cut`: broken off. */
  readonly state: 'open' | 'done' | 'cut';
  readonly via?: 'typed' | 'voice' | 'dtmf' | 'message' | 'proxy' | 'scheduled';
  readonly node?: string;
  readonly turnId?: string;
  /** The signal that settled it. */
  readonly seq?: number;
  readonly call?: {
    readonly name: string;
    readonly arguments: JsonObject;
    readonly write: boolean;
    readonly state: 'running' | 'done' | 'failed' | 'waiting' | 'cancelled' | 'blocked' | 'unknown';
    readonly result?: Json;
    readonly error?: string;
  };
  readonly waitKey?: string;
}

/** One turn, with the trace that OpenTelemetry spans, metrics and the log are made of in production. */
export interface TurnShown {
  /** Of the page: unique in the session. */
  readonly turnId: string;
  /** Counts the session's turns from 1. */
  readonly index: number;
  /** Epoch milliseconds: `TurnTrace.startedAt` as soon as there is a trace. */
  readonly from: number;
  /** The node that it came to; the one that it began in while it is under way. */
  readonly node: string;
  /** What `turn:completed` has told; null while it is under way, and for a turn that an older release has kept. */
  readonly trace: TurnTrace | null;
  /** The counts that an older release has kept in place of a trace. */
  readonly kept: Pick<TurnTrace, 'inferences' | 'transitions'> | null;
  /** What `GET /api/requests/ID` gives, in the order of asking; `span` is its place in `trace.spans`, null while there is no trace. */
  readonly requests: readonly { readonly id: string; readonly span: number | null }[];
  /** What the page itself has heard, which only a caller by voice can. */
  readonly inPage: readonly PageTiming[];
}

/** A request that a model was asked. */
export interface RequestMark {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The exact request that a model saw, and its answer. */
export interface RequestShown {
  readonly id: string;
  readonly sessionId: string;
  readonly at: number;
  readonly model: string;
  readonly messages: readonly RequestMessage[];
  /** Tools offered, as JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly answer: {
    readonly text: string;
    readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  };
  /** Null while it is answered. */
  readonly tookMs: number | null;
  readonly firstTokenMs: number | null;
  readonly error: string | null;
  readonly tokens: TokenCount | null;
}

/** One item of what the model was shown. */
export interface RequestMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Of a call, and of its output. */
  readonly callId?: string;
  readonly name?: string;
}

/** The flow on disk: its problems, and the last sound graph of it. */
export interface FlowNews {
  readonly name: string;
  /** Relative to where the studio was started; null for a flow that is written in code. */
  readonly file: string | null;
  /** Whether the file as it is now can run. */
  readonly isSound: boolean;
  /** Of the file as it is now. */
  readonly problems: readonly ProblemShown[];
  /** The last sound one; null where there was none yet. */
  readonly flow: FlowShown | null;
  readonly checkedInMs: number;
  /** Of the text that was checked, as in `FileText`; null for a flow that is no file. */
  readonly etag: string | null;
}

/** A diagnostic with its place, as `roomflow check` tells it. Lines and columns count from 1. */
export interface ProblemShown {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
  /** As in `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  /** `nodes.greet.say` */
  readonly path: string;
  /** The node that it is in, if any. */
  readonly node: string | null;
  /** The source around it, with a mark. */
  readonly frame?: string;
  /** What mends it in the flow's own file, as editors offer it; for the very text that was checked. */
  readonly fixes: readonly FixShown[];
}

/** A change of a text; `was` is what stands from `from` to `to`, in UTF-16 units. */
export interface FixShown {
  readonly title: string;
  readonly edits: readonly {
    readonly from: number;
    readonly to: number;
    readonly was: string;
    readonly text: string;
  }[];
}

/** A flow as it is drawn and looked into. */
export interface FlowShown {
  readonly name: string;
  readonly hash: string;
  /** `nodes`: a graph; `generator`: code, whose yields are only known once they have happened. */
  readonly kind: 'nodes' | 'generator';
  readonly initial: string;
  /** In the order of the file. */
  readonly nodes: readonly NodeShown[];
  readonly arrows: readonly ArrowShown[];
  /** Functions offered in every node; their arrows are drawn as chips. */
  readonly anywhere: readonly FunctionShown[];
  readonly slots: readonly SlotShown[];
  /** What `compileKept` of `studio/fold.ts` takes; null for a generator. */
  readonly document: Json;
  /** The flow has node types of packs: the page cannot compile it. */
  readonly isFoldable: boolean;
}

/** A node as it is drawn. */
export interface NodeShown {
  readonly id: string;
  readonly kind: 'say' | 'ask' | 'model' | 'call' | 'task' | 'wait' | 'end';
  /** One line under its name: what is said, asked, called. */
  readonly detail: string;
  readonly say: readonly string[];
  /** What the model is told here. */
  readonly prompts: readonly { readonly role: string; readonly text: string; readonly file: string | null }[];
  readonly collect: readonly string[];
  readonly functions: readonly FunctionShown[];
  /** The catalog type of a task or wait. */
  readonly type: string | null;
  /** The reason of an end. */
  readonly end: string | null;
  /** Where it stands; null for a flow that is no text. */
  readonly source: SourceLines | null;
}

/** The conversation tests of the flow on disk that come through its nodes, by the node. */
export interface NodeTests {
  readonly nodes: Readonly<Record<string, readonly CoveringTest[]>>;
  /** Why nothing is known, for people; null where the tests were played. */
  readonly why: string | null;
}

/** A test that comes through a node. */
export interface CoveringTest {
  readonly name: string;
  /** As in `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly passes: boolean;
}

/** A stretch of a file, lines from 1, both included. */
export interface SourceLines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** A function that a node offers. */
export interface FunctionShown {
  readonly name: string;
  readonly description: string;
  readonly body: 'edge' | 'tool' | 'flow' | 'record' | 'answer' | 'language';
  readonly parameters: JsonObject;
  readonly write: boolean;
  readonly confirms: boolean;
  readonly digression: boolean;
  /** Leads nowhere, or where code says. */
  readonly leads: 'on' | 'nowhere' | 'code';
}

/** A possible transition. */
export interface ArrowShown {
  /** Unique in the flow, and the same while the flow means the same. */
  readonly id: string;
  /** A node, or `*`: from anywhere. */
  readonly from: string;
  /** A node, or `$return`: back to where the digression came from. */
  readonly to: string;
  readonly kind: 'function' | 'refused' | 'condition' | 'default' | 'error' | 'deadline';
  /** For people; empty for the default way. */
  readonly label: string;
  /** As `transition:taken` names it. */
  readonly function: string | null;
  /** The edge's index in the document, as `transition:taken` names it. */
  readonly edge: number | null;
  readonly source: SourceLines | null;
}

/** A slot as it is declared. */
export interface SlotShown {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly ask: readonly string[];
  readonly isOptional: boolean;
  readonly isPersonal: boolean;
  readonly source: SourceLines | null;
}

/** What saving the flow did to a live session. */
export interface SwapOutcome {
  readonly at: number;
  /** `swapped`: it goes on at `node` of the new version; `kept`: it stays in the version that it is in, and `why` tells. */
  readonly outcome: 'swapped' | 'kept';
  readonly node: string;
  /** The hash that it is in now. */
  readonly flowHash: string;
  /** For people. */
  readonly why: string;
}

/** What went wrong besides the flow. */
export interface Trouble {
  readonly sessionId: string | null;
  readonly at: number;
  /** `worker-gone` and the like; stable. */
  readonly code: string;
  /** The fact and the remedy, for people. */
  readonly message: string;
}

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
  /** Of a fork: why it is another step. */
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

/** It was done. */
export interface Done {
  readonly ok: true;
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

/** Moments that only the page can know, by the server's clock (one look at `About.now` gives the difference). */
export interface PageTiming {
  /** `speech.end`: the caller fell silent; `speech.first_audio`: the first sound of the agent. */
  readonly name: 'speech.end' | 'speech.first_audio';
  readonly at: number;
}

/** A file of the flow: its document, prompts, tools, tests or configuration. */
export interface FileShown {
  /** Relative to the folder of the studio. */
  readonly path: string;
  readonly kind: 'flow' | 'prompt' | 'code' | 'test' | 'other';
  readonly etag: string;
}

/** A file as it is on disk. */
export interface FileText {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
}

/** The new text of a file. */
export interface SaveFile {
  readonly text: string;
}

/** The file has changed since it was read: nothing was saved. */
export interface FileChanged extends Refusal {
  readonly current: FileText;
}

/** A text that is not saved yet, in place of a file. */
export interface CheckText {
  readonly path: string;
  readonly text: string;
}

/** What a text would be as a flow. */
export interface Checked {
  readonly problems: readonly ProblemShown[];
  /** Null where it cannot run. */
  readonly flow: FlowShown | null;
}

/** Why a request was refused. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}
