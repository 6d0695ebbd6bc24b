import type { Effect, EffectKey } from '../model/effect.ts';
import type { EffectSettled } from '../model/signals/signal.ts';
import { strategyOf } from '../flow/document/context/context-strategies.ts';
import { isConfirmation } from '../kernel/state/draft.ts';
import { isLast } from '../kernel/question/unperformed-effects.ts';
import type { View } from '../kernel/state/view.ts';
import type { SpeakingModel } from '../model/ports/model.ts';
import type { Clock } from '../model/ports/time.ts';
import { createReplyAsker } from './reply/ask-reply.ts';
import { type Give, giveReply, type ReplyParts } from './reply/reply.ts';
import type { Responses } from './reply/responses.ts';
import type { Engine } from './engine.ts';
import type { TaskQuestions } from './task-questions.ts';
import { timeLimit } from './time-limit.ts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** Work of a turn that the engine's host does, besides speech. */
export interface TurnHost {
  readonly clock: Clock;
  /** Runs the handler of an action. A failure is reported, not thrown. */
  act(effect: EffectOf<'action'>): Promise<Pick<EffectSettled, 'state' | 'set'>>;
  /** Changes the model's context. Resolves to the summary that replaces it, or null if there is none. */
  changeContext(effect: EffectOf<'context'>): Promise<string | null>;
  runTask(effect: EffectOf<'task'>): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** Presses keys; absent if the session has no telephone. Rejects if that fails. */
  readonly sendKeys?: (keys: string) => Promise<void>;
  /** Called when the model stays silent too long without reporting an error. */
  replyLate?(): void;
  /** Questions that tasks ask the caller; absent if they cannot ask. */
  readonly questions?: TaskQuestions;
  /** Begins to put the caller through. Outcomes resolve the wait of the transfer, not this promise. */
  transfer(effect: EffectOf<'transfer'>): void;
  /** Called when the conversation is over and the caller has heard all of it. */
  end(effect: EffectOf<'end'>): void;
}

/** A requested reply. */
export interface ReplyWish<Chunk> {
  /** The model that speaks if the node leaves the reply to it. */
  readonly model: SpeakingModel<View, Chunk>;
  /** Whether the reply is still wanted. */
  isWanted(): boolean;
  /** Whether the caller has said something newer than the words this reply answers. */
  isOvertaken(): boolean;
}

/** Performs the effects of one session. */
export interface Performer {
  /**
   * Performs effects in order until the caller, or calls of the model, come next. Lines are given unchanged, model
   * replies as they stream. Hooks decide about the output before it is given. A new performance ends the previous one.
   */
  perform<Chunk>(wish: ReplyWish<Chunk>, give: Give<Chunk>): Promise<void>;
  /** Performs the effects that waited until the previous speech was heard. */
  performAfterSpeech(): Promise<void>;
  /** Ends the current performance. */
  stop(): void;
}

/** `responses` decides about the output; without it, output is given unchanged. */
export function createPerformer(
  engine: Engine,
  host: TurnHost,
  responses: Pick<Responses, 'open' | 'output'> = undecided,
): Performer {
  const { outbox, tracer } = engine;
  const { clock, questions } = host;
  const asker = createReplyAsker(engine, responses.output);
  let performance = 0;
  /** The task that was begun last. */
  let task: { readonly key: string; readonly settled: Promise<void> } | null = null;
  /** The running context change: the next reply waits for it, lines do not. */
  let summary: Promise<void> | null = null;

  const endsOf = (effect: EffectOf<'reply'>): Pick<ReplyParts<unknown>, 'onUnbegun' | 'onFailed'> => ({
    onUnbegun: () => outbox.putBack(effect),
    onFailed(reason) {
      if (reason === 'late') host.replyLate?.();
      engine.dispatch({ signal: { type: 'reply:failed', at: clock.now(), key: effect.key, reason } });
    },
  });
  const settle = (effect: Effect, outcome: Omit<EffectSettled, 'type' | 'at' | 'key'>): void => {
    engine.dispatch({ signal: { type: 'effect:settled', at: clock.now(), key: effect.key, ...outcome } });
  };

  const afterwards = async (effect: EffectOf<'action'> | EffectOf<'end'>): Promise<void> => {
    if (effect.kind === 'action') {
      // The intent is durable before the action runs, so that its key is known after a crash.
      if (await isKept(engine)) settle(effect, await host.act(effect));
      return;
    }
    if (effect.payload.returns !== null && (await engine.flows.leave(false))) return;
    settle(effect, { state: 'done' });
    host.end(effect);
  };

  /** Runs a task. A repeated request shares the first run. */
  const runTask = (effect: EffectOf<'task'>): Promise<void> => {
    if (task?.key === effect.key) return task.settled;
    const span = tracer.begin({ name: 'flow.task', node: effect.node });
    const settled = host.runTask(effect).then((outcome) => {
      span.end({ state: outcome.state });
      // A cancelled task stays open, so that the process that resumes the conversation runs it again.
      if (outcome.state !== 'cancelled') settle(effect, outcome);
    });
    task = { key: effect.key, settled };
    return settled;
  };

  const pressKeys = async (effect: EffectOf<'keys'>): Promise<void> => {
    if (host.sendKeys === undefined) return settle(effect, { state: 'failed', error: 'no-telephone' });
    // The intent is durable before the first key, so that a crash does not press it twice.
    if (!(await isKept(engine))) return;
    await host.sendKeys(effect.payload.keys).then(
      () => settle(effect, { state: 'done' }),
      () => settle(effect, { state: 'failed', error: 'not-sent' }),
    );
  };

  const changeContext = (effect: EffectOf<'context'>): void => {
    summary = host.changeContext(effect).then((text) => {
      if (text === null && strategyOf(effect.payload).isSummarised)
        settle(effect, { state: 'failed', error: 'no-summary' });
      else settle(effect, { state: 'done', ...(text === null ? {} : { result: text }) });
    });
  };

  /** Waits for work. Returns true if the work asks the caller, whose answer then continues it. */
  const asksMeanwhile = async (work: Promise<void>): Promise<boolean> => {
    await (questions?.unlessAsked(work) ?? work);
    if (questions?.isOpen() !== true) return false;
    void work.then(() => questions.workIsOver());
    return true;
  };

  /** Gives the line of a task's question if it has not been said. */
  const giveQuestion = async <Chunk>(give: Give<Chunk>): Promise<void> => {
    const line = questions?.takeLine() ?? null;
    if (line !== null) await give({ type: 'line', ...line });
  };

  const performAll = async <Chunk>(
    model: SpeakingModel<View, Chunk>,
    isCurrent: () => boolean,
    give: Give<Chunk>,
  ): Promise<void> => {
    let hasSpoken = false;
    /** Says a line if work takes long. */
    const tellIfLong = async (key: EffectKey, work: Promise<void>): Promise<void> => {
      if (engine.isWritten) return;
      if ((await timeLimit(work, clock, hasSpoken ? patienceAfterLineMs : patienceMs)) !== 'late') return;
      hasSpoken = true;
      if (isCurrent() && questions?.isOpen() !== true)
        await give({ type: 'line', key, text: engine.graph.speech.lines.working[0], isAside: true });
    };
    /** Waits for work, with a line for the caller if it takes long. */
    const company = async ({ key }: Effect, work: Promise<void>): Promise<void> => {
      await tellIfLong(key, work);
      await work;
    };
    /** Accompanies silent calls of the model until they ask the caller. */
    const onCalls = (key: EffectKey, work: Promise<void>): Promise<void> =>
      tellIfLong(key, questions?.untilAsked(work) ?? work);
    while (isCurrent()) {
      const effect = outbox.peek();
      if (effect === undefined && questions?.wasAnswered() === true) {
        await questions.unlessAsked(Promise.all([task?.settled, engine.calls.underWay()]));
        continue;
      }
      if (effect === undefined || isLast(effect)) {
        await giveQuestion(give);
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
          if (!isConfirmation(effect)) break;
          if (!(await give({ type: 'line', key: effect.key, text: effect.payload.put ?? effect.payload.say }))) return;
          break;
        case 'reply': {
          if (summary !== null) await summary;
          const asked = engine.flows.mayInfer(effect.key);
          const mayInfer = asked === true || (await asked);
          if (!isCurrent()) {
            if (mayInfer) outbox.putBack(effect);
            return;
          }
          if (!mayInfer) break;
          const completion = engine.calls.openCompletion(effect);
          const parts = { session: engine, completion, clock, model, asker, onCalls, ...endsOf(effect) };
          if (!(await giveReply(parts, effect, isCurrent, give))) return;
          break;
        }
        case 'tool':
          if (!(await asksMeanwhile(company(effect, engine.calls.run(effect))))) break;
          if (isCurrent()) await giveQuestion(give);
          return;
        case 'action':
        case 'end':
          await afterwards(effect);
          break;
        case 'keys':
          await pressKeys(effect);
          break;
        case 'transfer':
        case 'message':
          // A dispatcher sends a message; a transfer follows the speech.
          break;
        case 'context':
          changeContext(effect);
          break;
        case 'advance':
          await company(effect, engine.advance(effect));
          break;
        case 'handoff':
          await engine.handOff(effect);
          break;
        case 'task': {
          if (!(await asksMeanwhile(company(effect, runTask(effect))))) break;
          if (isCurrent()) await giveQuestion(give);
          return;
        }
        default:
          effect satisfies never;
      }
    }
  };

  return {
    async perform(wish, give) {
      const mine = (performance += 1);
      const isCurrent = (): boolean => mine === performance && wish.isWanted();
      const mayGoOn = (): boolean => isCurrent() && !wish.isOvertaken();
      let hasWords = false;
      const giveAndTell: typeof give = (spoken) => {
        if (!hasWords && spoken.text.trim() !== '') {
          hasWords = true;
          tracer.reach('firstWords');
        }
        return give(spoken);
      };
      for (let isFirst = true; ; isFirst = false) {
        const output = responses.open(isCurrent, giveAndTell, isFirst);
        await performAll(wish.model, mayGoOn, output.give);
        if (output.end === null || !(await output.end()) || outbox.peek()?.kind !== 'handoff') return;
      }
    },
    stop: () => void (performance += 1),
    async performAfterSpeech() {
      for (let effect = outbox.peek(); effect !== undefined && isLast(effect); effect = outbox.peek()) {
        outbox.take();
        if (effect.kind === 'action' || effect.kind === 'end') await afterwards(effect);
        else if (effect.kind === 'keys') await pressKeys(effect);
        // The intent is durable before a person is called.
        else if (effect.kind === 'transfer' && (await isKept(engine))) host.transfer(effect);
      }
    },
  };
}

const undecided: Pick<Responses, 'open' | 'output'> = {
  output: null,
  open: (_isCurrent, give) => ({ give, end: null }),
};

/** Checks whether a line is an aside: it neither answers nor asks. */
function isAside({ payload }: EffectOf<'say'>): boolean {
  return payload.reason === 'aside' || payload.reason === 'fallback';
}

/** How long work may take before the caller hears that it continues, in milliseconds; longer after a line. */
const patienceMs = 4_000;
const patienceAfterLineMs = 10_000;

/** Waits until all steps are durable. Returns false if the store failed; the next speech reports that. */
async function isKept(engine: Engine): Promise<boolean> {
  return await engine.committed().then(
    () => true,
    () => false,
  );
}
