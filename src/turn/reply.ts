import type { Effect } from '../events/effect.ts';
import { speak } from '../kernel/names.ts';
import { nodeOf } from '../kernel/offers.ts';
import { defaultFallback, defaultReplyTimeoutMs, troubleRule } from '../kernel/trouble.ts';
import type { View } from '../kernel/view.ts';
import type { Clock } from '../ports/time.ts';
import type { Engine } from './engine.ts';
import { type ChunkContent, type InferenceEvent, inferWithin } from './inference.ts';

/** What the model's host does for a reply; `Chunk` is what its model streams. */
export interface ReplyHost<Chunk> {
  readonly clock: Clock;
  /** Asks the model for a reply under a view. */
  infer(view: View, signal: AbortSignal): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
}

/** A piece of speech on its way to the caller, under the key of the effect that intends it. */
export type Spoken<Chunk> =
  | { readonly type: 'line'; readonly key: string; readonly text: string }
  | { readonly type: 'chunk'; readonly key: string; readonly chunk: Chunk; readonly text: string };

/** A reply of the model that is being given. */
export interface Reply<Chunk> {
  /** What it says next; null where it has ended, or the caller has overtaken it. */
  next(): Promise<Spoken<Chunk> | null>;
  /** Nothing more is read of it. What was said counts, and calls that nobody will start are over. */
  close(): void;
  /** Whether its calls decide what comes next. */
  readonly handsOver: boolean;
}

/** Asks the model for a reply, and sees to it that something is said whatever the model does. */
export function openReply<Chunk>(
  engine: Engine,
  host: ReplyHost<Chunk>,
  effect: Extract<Effect, { kind: 'reply' }>,
  isCurrent: () => boolean,
): Reply<Chunk> {
  const { graph, state, view } = engine;
  const { key } = effect;
  const node = nodeOf(graph, state, state.node);
  const timeoutMs = troubleRule(graph, node, 'replyTimeoutMs') ?? defaultReplyTimeoutMs;
  const filler = troubleRule(graph, node, 'filler');
  const completion = engine.openCompletion(effect);
  const { status } = engine.state;
  let text = '';
  let called = false;
  let failed: string | null = null;
  let ended = false;
  const inference = inferWithin<Chunk>({
    clock: host.clock,
    open: (signal) => host.infer(view, signal),
    read: (chunk) => host.read(chunk),
    timeoutMs,
    fillerAfterMs: filler === null ? null : Math.min(fillerAfterMs, timeoutMs / 2),
    isWanted: isCurrent,
  });

  const toSpoken = (event: InferenceEvent<Chunk> | null): Spoken<Chunk> | null => {
    if (event === null || completion.isSuperseded) {
      ended = true;
      return null;
    }
    switch (event.type) {
      case 'slow':
        // Told only where there is a filler.
        return { type: 'line', key, text: filler === null ? '' : speak(graph, state, host.clock.now(), filler) };
      case 'cut': {
        const words = troubleRule(graph, node, 'fallback');
        const fallback = words === null ? defaultFallback : speak(graph, state, host.clock.now(), words);
        text = `${text} ${fallback}`;
        return { type: 'line', key, text: fallback };
      }
      case 'failed':
        failed = event.reason;
        ended = true;
        return null;
      case 'chunk': {
        const { chunk, content } = event;
        for (const call of content.calls) completion.see(call);
        called ||= content.calls.length > 0;
        text += content.text;
        return { type: 'chunk', key, chunk, text: content.text };
      }
    }
  };

  return {
    next: () => inference.next().then(toSpoken),
    close() {
      inference.close();
      // A reply that was given up before its first word is still to come, unless the caller has the word by then.
      const begun = called || text.trim() !== '' || failed !== null;
      if (!begun && !isCurrent() && completion.discard()) engine.outbox.putBack(effect);
      if (!ended && !completion.isSettled) completion.abandon();
      if (failed !== null && !completion.isSettled)
        engine.dispatch({ type: 'reply:failed', at: host.clock.now(), key, reason: failed });
      completion.end(text.trim());
    },
    get handsOver() {
      return called || status !== 'active';
    },
  };
}

/** How long the caller waits for the first word before a filler is said, in milliseconds. */
const fillerAfterMs = 1_500;
