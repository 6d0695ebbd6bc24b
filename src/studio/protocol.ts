/**
 * What the studio's page and its server say to each other: types alone, so that the page takes nothing of the server along. What
 * bodies and answers are made of stands in `protocol/`.
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
 * | `POST /api/complete` | `PlaceInText` | `TextProposal[]` |
 * | `POST /api/hover` | `PlaceInText` | `TextAbout`, or null where nothing is known of what stands there |
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
import type { Event } from '../events/event.ts';
import type { FlowNews } from './protocol/flow-news.ts';
import type { SessionShown, StepShown, SwapOutcome, TalkLine } from './protocol/session-shown.ts';
import type { TurnShown } from './protocol/turn-shown.ts';

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

/** What went wrong besides the flow. */
export interface Trouble {
  readonly sessionId: string | null;
  readonly at: number;
  /** `worker-gone` and the like; stable. */
  readonly code: string;
  /** The fact and the remedy, for people. */
  readonly message: string;
}

/** It was done. */
export interface Done {
  readonly ok: true;
}

/** Why a request was refused. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}
