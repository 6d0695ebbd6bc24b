import { AsyncLocalStorage } from 'node:async_hooks';

/** The speech or call that started the current code. */
interface Origin {
  /** Identifies the speech being generated, with one empty object per speech. */
  readonly speech: object;
  /** The function call whose handler runs. */
  readonly call: { readonly sessionId: string; isOver: boolean } | null;
}

/**
 * Contains no speech handle: promises remember their origin, so it would keep every speech of a call alive.
 * One storage for all sessions and purposes, because Node adds a member to every promise for each storage.
 */
const origins = new AsyncLocalStorage<Origin>();

/** Marks the calling code, from here on, as generating this speech. */
export function enterSpeech(speech: object): void {
  origins.enterWith({ speech, call: null });
}

/** Returns the speech being generated here, or a new one. */
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

/** Checks whether the current code is part of a handler of this session, so that it cannot wait for calls to end. */
export function isInsideCall(sessionId: string): boolean {
  const call = origins.getStore()?.call;
  return call?.sessionId === sessionId && !call.isOver;
}
