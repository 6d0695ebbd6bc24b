/**
 * The protocol between the studio's page and its server. Types only, so that the page does not import the server. The types of
 * bodies and answers are in `protocol/`.
 *
 * | request | body | answer |
 * |---|---|---|
 * | `GET /` | | the page; with `?token=` first the cookie and a redirect |
 * | `GET /assets/NAME` | | a file of the page |
 * | `GET /api/proof?challenge=TEXT` | | proof that the server holds the token, as text; needs no token |
 * | `GET /api/about` | | `About` |
 * | `GET /api/events?after=SEQ&session=ID&states=yes&reveal=KEY` | | an event stream of `StudioEvent`s; `Last-Event-ID` as `after` |
 * | `GET /api/sessions` | | `SessionShown[]`, the latest first |
 * | `POST /api/show` | `ShowFlow` | `Done` |
 * | `POST /api/sessions` | `NewSession` | `SessionDoor` |
 * | `GET /api/sessions/ID?states=yes&reveal=KEY` | | `SessionDetail` |
 * | `GET /api/sessions/ID/inbox` | | `InboxEntryShown[]` |
 * | `GET /api/flows/HASH` | | `FlowShown` of a flow version of any session |
 * | `POST /api/sessions/ID/words` | `Words` | `Taken` |
 * | `POST /api/sessions/ID/keys` | `Keys` | `Taken` |
 * | `POST /api/sessions/ID/interrupt` | | `Done` |
 * | `POST /api/sessions/ID/hang-up` | | `Done` |
 * | `POST /api/sessions/ID/call-back` | `Place` | `SessionDoor` |
 * | `POST /api/sessions/ID/voice` | | `SessionDoor`: the session continues by voice |
 * | `POST /api/sessions/ID/decide` | `Decision` | `Done` |
 * | `POST /api/sessions/ID/fork` | `Fork` | `SessionDoor` |
 * | `POST /api/sessions/ID/against` | | `Against` |
 * | `POST /api/sessions/ID/reveal` | `Reveal` | `Revealed` |
 * | `POST /api/sessions/ID/test` | `SaveTest` | `SavedTest` |
 * | `POST /api/sessions/ID/timing` | `PageTiming` | `Done` |
 * | `GET /api/requests/ID` | | `RequestShown`: a model request and its answer |
 * | `GET /api/files` | | `FileShown[]` |
 * | `GET /api/file?path=PATH` | | `FileText`, also as `ETag` |
 * | `PUT /api/file?path=PATH` | `SaveFile`, with `If-Match: "ETAG"` | `FileText`; 412 `FileChanged` if the file has changed |
 * | `POST /api/check` | `CheckText` | `Checked` |
 * | `POST /api/complete` | `PlaceInText` | `TextProposal[]` |
 * | `POST /api/hover` | `PlaceInText` | `TextAbout`, or null if nothing is known |
 * | `GET /api/node-tests` | | `NodeTests`: plays the tests in another process |
 *
 * The page's files are `*.js`, `*.css`, `*.svg` or `*.map` in `dist/studio/page/`, served at `/assets/`. The server writes the
 * HTML: `<div id="studio">`, `/assets/studio.css` and the module `/assets/studio.js`, whose element has the `nonce` property
 * that styles need. Policy: `default-src 'none'`, `script-src 'self'`, `style-src 'self'
 * 'nonce-…'`, `connect-src 'self'` and the voice server, `worker-src 'self'`, `require-trusted-types-for 'script'`.
 *
 * IDs in paths are percent-encoded. Every refusal is a `Refusal` with its status. Changing requests take JSON
 * (`content-type: application/json`, `{}` if the table names no body). A studio of a store answers 403 `not-allowed` to every
 * action that `About.may` does not offer.
 */
import type { Event } from '../model/events/event.ts';
import type { FlowNews } from './protocol/flow-news.ts';
import type { SessionShown, StepShown, SwapOutcome, TalkLine } from './protocol/session-shown.ts';
import type { TurnShown } from './protocol/turn-shown.ts';

/** The description of a studio and the actions that the page may offer. */
export interface About {
  /** `dev`: live flows on this machine. `store`: stored sessions, read-only. */
  readonly mode: 'dev' | 'store';
  /** The release of Roomflow. */
  readonly version: string;
  /** The server's clock in epoch milliseconds; all times of this protocol use it. */
  readonly now: number;
  /** The number of the last event, for `after`. */
  readonly at: number;
  /** In `dev` the flow of the studio with its problems; null in `store`. */
  readonly flow: FlowNews | null;
  /** Flows that a new session can start in, the default first. */
  readonly flows: readonly string[];
  /** The model, such as `offline brain`, for the user. */
  readonly model: string | null;
  readonly voice: VoiceOffer;
  /** Functions and handlers of the flow without code, which are pretended. */
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
  /** Notes that stay on the page, such as why there is no voice. */
  readonly notes: readonly string[];
}

/**
 * The voice of the page. `livekit`: a room (`SessionDoor.voice`). `browser`: the speech of the browser, whose words are
 * sent as typed text. `how` is one line for the user: what is used, and how to get better voice.
 */
export interface VoiceOffer {
  readonly by: 'livekit' | 'browser';
  readonly how: string;
}

/** An event of the stream: `event:` is `type`, `data:` is `data` as JSON, `id:` counts from 1. */
export type StudioEvent =
  /** Missed events are no longer stored: the page reloads everything. */
  | { readonly type: 'reset'; readonly data: null }
  /** The flow's file, prompts, tools or configuration were saved or first read. */
  | { readonly type: 'flow'; readonly data: FlowNews }
  /** A session is new, or its line in the list has changed. */
  | { readonly type: 'session'; readonly data: SessionShown }
  /** The log of a session has one more signal. */
  | { readonly type: 'step'; readonly data: InSession<StepShown> }
  /** An event of the hub; every type but `agent:text`. */
  | { readonly type: 'told'; readonly data: InSession<{ readonly event: Event }> }
  /** A new or changed line of the talk; replaces the line with the same id. */
  | { readonly type: 'line'; readonly data: InSession<TalkLine> }
  /** A new or changed turn; replaces the turn with the same id. */
  | { readonly type: 'turn'; readonly data: InSession<TurnShown> }
  /** The effect of a saved flow on a live session. */
  | { readonly type: 'swap'; readonly data: InSession<SwapOutcome> }
  /** A problem outside the flow, such as a dead process. */
  | { readonly type: 'trouble'; readonly data: Trouble };

/** The type of an event. */
export type StudioEventType = StudioEvent['type'];

/** Data of a session. */
export type InSession<Data> = Data & { readonly sessionId: string };

/** A problem outside the flow. */
export interface Trouble {
  readonly sessionId: string | null;
  readonly at: number;
  /** A stable code such as `worker-gone`. */
  readonly code: string;
  /** The fact and the remedy, for the user. */
  readonly message: string;
}

/** The action succeeded. */
export interface Done {
  readonly ok: true;
}

/** Why a request was refused. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}
