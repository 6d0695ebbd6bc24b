import type { Effect } from '../events/effect.ts';
import type { EffectSettled } from '../events/signal.ts';
import { nodeOf } from '../kernel/offers.ts';
import { speak } from '../kernel/names.ts';
import { defaultFallback, defaultReplyTimeoutMs, troubleRule } from '../kernel/trouble.ts';
import type { View } from '../kernel/view.ts';
import type { Clock } from '../ports/time.ts';
import type { Engine } from './engine.ts';
import { type ChunkContent, inferWithin } from './inference.ts';
import { isAfterSpeech } from './outbox.ts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** What the world around the engine does for a turn; `Chunk` is what its model streams. */
export interface TurnHost<Chunk> {
  readonly clock: Clock;
  /** Asks the model for a reply under a view. */
  infer(view: View, signal: AbortSignal): AsyncIterable<Chunk>;
  read(chunk: Chunk): ChunkContent;
  /** Runs the handler of an action; a failure is reported, not thrown. */
  act(effect: EffectOf<'action'>): Promise<boolean>;
  /** Changes what the model is shown; resolves to the summary that replaces it, or null where there is none. */
  changeContext(effect: EffectOf<'context'>): Promise<string | null>;
  runTask(effect: EffectOf<'task'>): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** The conversation is over, and all of it was heard. */
  end(effect: EffectOf<'end'>): void;
}

/** A piece of speech on its way to the caller, under the key of the effect that intends it. */
export type Spoken<Chunk> =
  | { readonly type: 'line'; readonly key: string; readonly text: string }
  | { readonly type: 'chunk'; readonly key: string; readonly chunk: Chunk; readonly text: string };

/**
 * Performs what the session intends, in order, until the caller or the model's calls have the word: lines are given
 * out as they stand, replies as they stream, everything else is done in between. One performance at a time: a later
 * one takes over, and `isCurrent` ends the earlier.
 */
export async function* performTurn<Chunk>(
  engine: Engine,
  host: TurnHost<Chunk>,
  isCurrent: () => boolean,
): AsyncGenerator<Spoken<Chunk>> {
  const { outbox } = engine;
  while (isCurrent()) {
    const effect = outbox.peek();
    if (effect === undefined || isAfterSpeech(effect)) return;
    outbox.take();
    switch (effect.kind) {
      case 'say':
        yield { type: 'line', key: effect.key, text: effect.payload.text };
        break;
      case 'wait':
        yield { type: 'line', key: effect.key, text: effect.payload.say };
        break;
      case 'reply': {
        const handsOver = yield* reply(engine, host, effect, isCurrent);
        if (handsOver) return;
        break;
      }
      case 'tool':
        await engine.runCall(effect);
        break;
      case 'action':
      case 'end':
        await afterwards(engine, host, effect);
        break;
      case 'context':
        changeContext(engine, host, effect);
        break;
      case 'advance':
        await engine.advance(effect);
        break;
      case 'handoff':
        await engine.handOff(effect);
        break;
      case 'task': {
        const outcome = await host.runTask(effect);
        settle(engine, host, effect, outcome);
        break;
      }
    }
  }
}

type AfterHost = Pick<TurnHost<unknown>, 'clock' | 'act' | 'end'>;

/** Performs what waited for the speech before it to be heard. */
export async function performAfterSpeech(engine: Engine, host: AfterHost): Promise<void> {
  for (
    let effect = engine.outbox.peek();
    effect !== undefined && isAfterSpeech(effect);
    effect = engine.outbox.peek()
  ) {
    engine.outbox.take();
    if (effect.kind === 'action' || effect.kind === 'end') await afterwards(engine, host, effect);
  }
}

async function afterwards(
  engine: Engine,
  host: AfterHost,
  effect: EffectOf<'action'> | EffectOf<'end'>,
): Promise<void> {
  if (effect.kind === 'action') {
    settle(engine, host, effect, { state: (await host.act(effect)) ? 'done' : 'failed' });
    return;
  }
  settle(engine, host, effect, { state: 'done' });
  host.end(effect);
}

/** Streams one reply. True where its calls decide what comes next. */
async function* reply<Chunk>(
  engine: Engine,
  host: TurnHost<Chunk>,
  effect: EffectOf<'reply'>,
  isCurrent: () => boolean,
): AsyncGenerator<Spoken<Chunk>, boolean> {
  await summaries.get(engine);
  if (!isCurrent()) {
    engine.outbox.putBack(effect);
    return true;
  }
  const { graph, state } = engine;
  const node = nodeOf(graph, state, state.node);
  const timeoutMs = troubleRule(graph, node, 'replyTimeoutMs') ?? defaultReplyTimeoutMs;
  const filler = troubleRule(graph, node, 'filler');
  const view = engine.view;
  const completion = engine.openCompletion(effect);
  const settleFrom = engine.state;
  let text = '';
  let called = false;
  let failed: string | null = null;
  let ended = false;
  const stream = inferWithin<Chunk>({
    clock: host.clock,
    open: (signal) => host.infer(view, signal),
    read: (chunk) => host.read(chunk),
    timeoutMs,
    fillerAfterMs: filler === null ? null : Math.min(fillerAfterMs, timeoutMs / 2),
    isWanted: isCurrent,
  });
  try {
    for await (const event of stream) {
      if (completion.isSuperseded) break;
      if (event.type === 'slow' && filler !== null)
        yield { type: 'line', key: effect.key, text: speak(graph, state, host.clock.now(), filler) };
      else if (event.type === 'cut') {
        const line = troubleRule(graph, node, 'fallback');
        const fallback = line === null ? defaultFallback : speak(graph, state, host.clock.now(), line);
        text = `${text} ${fallback}`;
        yield { type: 'line', key: effect.key, text: fallback };
      } else if (event.type === 'failed') failed = event.reason;
      else if (event.type === 'chunk') {
        for (const call of event.content.calls) {
          called = true;
          completion.see(call);
        }
        text += event.content.text;
        yield { type: 'chunk', key: effect.key, chunk: event.chunk, text: event.content.text };
      }
    }
    ended = true;
  } finally {
    // A reply that was given up before its first word is still to come, unless the caller has the word by then.
    const begun = called || text.trim() !== '' || failed !== null;
    if (!begun && !isCurrent() && completion.discard()) engine.outbox.putBack(effect);
    // Also where the stream is given up: what was said counts, and calls that nobody will start are over.
    if (!ended && !completion.isSettled) completion.abandon();
    if (failed !== null && !completion.isSettled) {
      engine.dispatch({ type: 'reply:failed', at: host.clock.now(), key: effect.key, reason: failed });
    }
    completion.end(text.trim());
  }
  return called || settleFrom.status !== 'active';
}

/** How long the caller waits for the first word before a filler is said, in milliseconds. */
const fillerAfterMs = 1_500;

/** Context changes under way: the next reply waits for them, lines do not. */
const summaries = new WeakMap<Engine, Promise<void>>();

function changeContext<Chunk>(engine: Engine, host: TurnHost<Chunk>, effect: EffectOf<'context'>): void {
  const change = host.changeContext(effect).then((summary) => {
    if (summary === null && effect.payload.strategy === 'reset_with_summary')
      settle(engine, host, effect, { state: 'failed', error: 'no-summary' });
    else settle(engine, host, effect, { state: 'done', ...(summary === null ? {} : { result: summary }) });
  });
  summaries.set(engine, change);
}

function settle(
  engine: Engine,
  host: Pick<AfterHost, 'clock'>,
  effect: Effect,
  outcome: Pick<EffectSettled, 'state' | 'result' | 'error'>,
): void {
  engine.dispatch({ type: 'effect:settled', at: host.clock.now(), key: effect.key, ...outcome });
}
