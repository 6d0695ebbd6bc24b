import { AsyncLocalStorage } from 'node:async_hooks';

/** The speech or call that started the code that runs now. */
interface Origin {
  /** The speech that is being generated: an empty object for each. */
  readonly speech: object;
  /** The call of a function in it whose handler runs. */
  readonly call: { readonly sessionId: string; isOver: boolean } | null;
}

/**
 * Promises remember where they were made: an origin that held a speech handle, or anything that holds one, would keep
 * every speech of a call alive, each by the one after it. One storage for all sessions and purposes, since Node gives
 * every promise of the process a member for each.
 */
const origins = new AsyncLocalStorage<Origin>();

/** Marks the code that the caller of this runs from here on as generating this speech. */
export function enterSpeech(speech: object): void {
  origins.enterWith({ speech, call: null });
}

/** The speech that is generated where this is called; a new one where that is none. */
export function speechHere(): object {
  return origins.getStore()?.speech ?? {};
}

/** Runs the handler of a call, or a hook that the end of the session waits for. */
export async function runAsCall<Result>(sessionId: string, handler: () => Promise<Result>): Promise<Result> {
  const call = { sessionId, isOver: false };
  try {
    return await origins.run({ speech: speechHere(), call }, handler);
  } finally {
    call.isOver = true;
  }
}

/** Whether the code that runs is part of a handler of this session: then it cannot wait for calls to end. */
export function isInsideCall(sessionId: string): boolean {
  const call = origins.getStore()?.call;
  return call?.sessionId === sessionId && !call.isOver;
}
