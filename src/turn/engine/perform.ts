import type { Effect } from '../../events/effect.ts';
import type { EffectSettled } from '../../events/signal.ts';
import type { Engine } from './engine.ts';
import { isAfterSpeech } from './outbox.ts';
import { type Give, giveReply, type ReplyHost } from '../reply/reply.ts';
import type { TaskQuestions } from './task-questions.ts';
import { timeLimit } from './time-limit.ts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** What the world around the engine does for a turn. */
export interface TurnHost<Chunk> extends ReplyHost<Chunk> {
  /** Runs the handler of an action; a failure is reported, not thrown. */
  act(effect: EffectOf<'action'>): Promise<Pick<EffectSettled, 'state' | 'set'>>;
  /** Changes what the model is shown; resolves to the summary that replaces it, or null where there is none. */
  changeContext(effect: EffectOf<'context'>): Promise<string | null>;
  runTask(effect: EffectOf<'task'>): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** What tasks ask the caller; absent where they cannot. */
  readonly questions?: TaskQuestions;
  /** The conversation is over, and all of it was heard. */
  end(effect: EffectOf<'end'>): void;
}

/**
 * Performs what the session intends, in order, until the caller or the model's calls have the word: lines are given
 * out as they stand, replies as they stream, everything else is done in between. One performance at a time: a later
 * one takes over, and `isCurrent` ends the earlier.
 */
export async function performTurn<Chunk>(
  engine: Engine,
  host: TurnHost<Chunk>,
  isCurrent: () => boolean,
  give: Give<Chunk>,
): Promise<void> {
  const { outbox } = engine;
  let hasSpoken = false;
  while (isCurrent()) {
    const effect = outbox.peek();
    if (effect === undefined && host.questions?.wasAnswered() === true) {
      await host.questions.unlessAsked(Promise.all([tasks.get(engine)?.settled, engine.callsUnderWay]));
      continue;
    }
    if (effect === undefined || isAfterSpeech(effect)) {
      await giveQuestion(host, give);
      return;
    }
    outbox.take();
    switch (effect.kind) {
      case 'say':
        if (!(await give({ type: 'line', key: effect.key, text: effect.payload.text, isAside: isAside(effect) })))
          return;
        hasSpoken = true;
        break;
      case 'wait':
        if (!(await give({ type: 'line', key: effect.key, text: effect.payload.put ?? effect.payload.say }))) return;
        break;
      case 'reply': {
        if (summaries.has(engine)) await summaries.get(engine);
        if (!isCurrent()) {
          outbox.putBack(effect);
          return;
        }
        if (!(await giveReply(engine, host, effect, isCurrent, give))) return;
        break;
      }
      case 'tool':
        if (!(await asksMeanwhile(host, engine.runCall(effect)))) break;
        if (isCurrent()) await giveQuestion(host, give);
        return;
      case 'action':
      case 'end':
        await afterwards(engine, host, effect);
        break;
      case 'context':
        changeContext(engine, host, effect);
        break;
      case 'advance': {
        const work = engine.advance(effect);
        if ((await timeLimit(work, host.clock, hasSpoken ? patienceAfterLineMs : patienceMs)) === 'late')
          await give({ type: 'line', key: effect.key, text: workingLine, isAside: true });
        await work;
        break;
      }
      case 'handoff':
        await engine.handOff(effect);
        break;
      case 'task': {
        if (!(await asksMeanwhile(host, runTask(engine, host, effect)))) break;
        if (isCurrent()) await giveQuestion(host, give);
        return;
      }
    }
  }
}

/** Whether a line answers nothing and asks nothing of the conversation. */
function isAside({ payload }: EffectOf<'say'>): boolean {
  return payload.reason === 'aside' || payload.reason === 'fallback';
}

/** How long a generator may work before the caller hears that it does, in milliseconds: longer after a line. */
const patienceMs = 4_000;
const patienceAfterLineMs = 10_000;

const workingLine = 'One moment, please.';

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
    // What is done in the world is kept first: after a crash it is known under which key it was done.
    if (!(await isKept(engine))) return;
    settle(engine, host, effect, await host.act(effect));
    return;
  }
  if (effect.payload.returns !== null && (await engine.giveBack())) return;
  settle(engine, host, effect, { state: 'done' });
  host.end(effect);
}

/** False where the store has failed, which whoever speaks next finds out as well. */
async function isKept(engine: Engine): Promise<boolean> {
  return await engine.committed().then(
    () => true,
    () => false,
  );
}

/** The task of each session that was begun last. */
const tasks = new WeakMap<Engine, { readonly key: string; readonly settled: Promise<void> }>();

/** Runs a task; one that is asked for again runs once. */
function runTask<Chunk>(engine: Engine, host: TurnHost<Chunk>, effect: EffectOf<'task'>): Promise<void> {
  const known = tasks.get(engine);
  if (known?.key === effect.key) return known.settled;
  const settled = host.runTask(effect).then((outcome) => {
    // What was broken off is done anew by whoever goes on with the conversation.
    if (outcome.state !== 'cancelled') settle(engine, host, effect, outcome);
  });
  tasks.set(engine, { key: effect.key, settled });
  return settled;
}

/** Gives out the line of the question that a task asks, if it is still to be said. */
async function giveQuestion<Chunk>({ questions }: TurnHost<Chunk>, give: Give<Chunk>): Promise<void> {
  const line = questions?.takeLine() ?? null;
  if (line !== null) await give({ type: 'line', ...line });
}

/** Waits for work. True where it asks the caller instead, who then has the word: what it comes to is the reply to the answer. */
async function asksMeanwhile<Chunk>({ questions }: TurnHost<Chunk>, work: Promise<void>): Promise<boolean> {
  await (questions?.unlessAsked(work) ?? work);
  if (questions?.isOpen !== true) return false;
  void work.then(() => questions.workIsOver());
  return true;
}

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
  outcome: Omit<EffectSettled, 'type' | 'at' | 'key'>,
): void {
  engine.dispatch({ type: 'effect:settled', at: host.clock.now(), key: effect.key, ...outcome });
}
