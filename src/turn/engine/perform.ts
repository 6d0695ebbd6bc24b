import type { Effect, EffectKey } from '../../events/effect.ts';
import type { EffectSettled } from '../../events/signal.ts';
import { strategyOf } from '../../flow/context/context-strategies.ts';
import { isConfirmation } from '../../kernel/draft.ts';
import { isLast } from '../../kernel/owed.ts';
import type { View } from '../../kernel/view.ts';
import type { SpeakingModel } from '../../ports/model.ts';
import type { Clock } from '../../ports/time.ts';
import { createReplyAsker } from '../reply/ask-reply.ts';
import { type Give, giveReply } from '../reply/reply.ts';
import type { Responses } from '../reply/responses.ts';
import type { Engine } from './engine.ts';
import type { TaskQuestions } from './task-questions.ts';
import { timeLimit } from './time-limit.ts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** The work of a turn that the host of the engine does, besides speaking. */
export interface TurnHost {
  readonly clock: Clock;
  /** Runs the handler of an action; a failure is reported, not thrown. */
  act(effect: EffectOf<'action'>): Promise<Pick<EffectSettled, 'state' | 'set'>>;
  /** Changes what the model is shown; resolves to the summary that replaces it, or null where there is none. */
  changeContext(effect: EffectOf<'context'>): Promise<string | null>;
  runTask(effect: EffectOf<'task'>): Promise<Pick<EffectSettled, 'state' | 'result' | 'error'>>;
  /** The model was silent for too long, of which no error of its own tells. */
  replyLate?(): void;
  /** What tasks ask the caller; absent where they cannot. */
  readonly questions?: TaskQuestions;
  /** The conversation is over, and all of it was heard. */
  end(effect: EffectOf<'end'>): void;
}

/** A reply that somebody waits for. */
export interface ReplyWish<Chunk> {
  /** What is asked where the model has the word. */
  readonly model: SpeakingModel<View, Chunk>;
  /** Whether anybody still waits for the reply. */
  isWanted(): boolean;
  /** Whether newer words of the caller have come than those that the reply is for. */
  isOvertaken(): boolean;
}

/** Performs the effects of one session. */
export interface Performer {
  /**
   * Performs what the session intends, in order, until the caller or the model's calls have the word: lines are given
   * out as they stand, replies of the model as they stream, everything else is done in between. Hooks decide about what
   * is said before it is given. One performance at a time: a later one ends the earlier.
   */
  perform<Chunk>(wish: ReplyWish<Chunk>, give: Give<Chunk>): Promise<void>;
  /** Performs what waited for the speech before it to be heard. */
  performAfterSpeech(): Promise<void>;
  /** Ends the performance that is under way. */
  stop(): void;
}

/** `responses` decide about what is said; without them it is given as it stands. */
export function createPerformer(
  engine: Engine,
  host: TurnHost,
  responses: Pick<Responses, 'decide' | 'output'> = undecided,
): Performer {
  const { outbox, tracer } = engine;
  const { clock, questions } = host;
  const asker = createReplyAsker(engine, responses.output);
  let performance = 0;
  /** The task that was begun last. */
  let task: { readonly key: string; readonly settled: Promise<void> } | null = null;
  /** The context change under way: the next reply waits for it, lines do not. */
  let summary: Promise<void> | null = null;

  const onLate = (): void => host.replyLate?.();
  const settle = (effect: Effect, outcome: Omit<EffectSettled, 'type' | 'at' | 'key'>): void =>
    engine.dispatch({ type: 'effect:settled', at: clock.now(), key: effect.key, ...outcome });

  const afterwards = async (effect: EffectOf<'action'> | EffectOf<'end'>): Promise<void> => {
    if (effect.kind === 'action') {
      // The intent is durable before the action runs, so that after a crash its key is known.
      if (await isKept(engine)) settle(effect, await host.act(effect));
      return;
    }
    if (effect.payload.returns !== null && (await engine.giveBack())) return;
    settle(effect, { state: 'done' });
    host.end(effect);
  };

  /** Runs a task; one that is asked for again runs once. */
  const runTask = (effect: EffectOf<'task'>): Promise<void> => {
    if (task?.key === effect.key) return task.settled;
    const span = tracer.begin({ name: 'flow.task', node: effect.node });
    const settled = host.runTask(effect).then((outcome) => {
      span.end({ state: outcome.state });
      // A cancelled task stays open: the process that goes on with the conversation runs it again.
      if (outcome.state !== 'cancelled') settle(effect, outcome);
    });
    task = { key: effect.key, settled };
    return settled;
  };

  const changeContext = (effect: EffectOf<'context'>): void => {
    summary = host.changeContext(effect).then((text) => {
      if (text === null && strategyOf(effect.payload).isSummarised)
        settle(effect, { state: 'failed', error: 'no-summary' });
      else settle(effect, { state: 'done', ...(text === null ? {} : { result: text }) });
    });
  };

  /** Waits for work. True where it asks the caller instead, who then has the word: what it comes to is the reply to the answer. */
  const asksMeanwhile = async (work: Promise<void>): Promise<boolean> => {
    await (questions?.unlessAsked(work) ?? work);
    if (questions?.isOpen() !== true) return false;
    void work.then(() => questions.workIsOver());
    return true;
  };

  /** Gives out the line of the question that a task asks, if it is still to be said. */
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
    /** Tells the caller of work that takes long. */
    const tellIfLong = async (key: EffectKey, work: Promise<void>): Promise<void> => {
      if (engine.isWritten) return;
      if ((await timeLimit(work, clock, hasSpoken ? patienceAfterLineMs : patienceMs)) !== 'late') return;
      hasSpoken = true;
      if (isCurrent() && questions?.isOpen() !== true)
        await give({ type: 'line', key, text: engine.graph.speech.lines.working[0], isAside: true });
    };
    /** The same work, of which the caller is told where it takes long. */
    const company = async ({ key }: Effect, work: Promise<void>): Promise<void> => {
      await tellIfLong(key, work);
      await work;
    };
    /** Stays with calls that the model has made without a word, until they ask the caller themselves. */
    const onCalls = (key: EffectKey, work: Promise<void>): Promise<void> =>
      tellIfLong(key, questions?.untilAsked(work) ?? work);
    while (isCurrent()) {
      const effect = outbox.peek();
      if (effect === undefined && questions?.wasAnswered() === true) {
        await questions.unlessAsked(Promise.all([task?.settled, engine.callsUnderWay()]));
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
          const asked = engine.mayInfer(effect.key);
          const mayInfer = asked === true || (await asked);
          if (!isCurrent()) {
            if (mayInfer) outbox.putBack(effect);
            return;
          }
          if (!mayInfer) break;
          if (!(await giveReply({ engine, clock, model, asker, onCalls, onLate }, effect, isCurrent, give))) return;
          break;
        }
        case 'tool':
          if (!(await asksMeanwhile(company(effect, engine.runCall(effect))))) break;
          if (isCurrent()) await giveQuestion(give);
          return;
        case 'action':
        case 'end':
          await afterwards(effect);
          break;
        case 'message':
          // A dispatcher sends it.
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
      }
    }
  };

  return {
    perform(wish, give) {
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
      return responses.decide((each) => performAll(wish.model, mayGoOn, each), isCurrent, giveAndTell);
    },
    stop: () => void (performance += 1),
    async performAfterSpeech() {
      for (let effect = outbox.peek(); effect !== undefined && isLast(effect); effect = outbox.peek()) {
        outbox.take();
        if (effect.kind === 'action' || effect.kind === 'end') await afterwards(effect);
      }
    },
  };
}

const undecided: Pick<Responses, 'decide' | 'output'> = {
  output: null,
  decide: (perform, _isCurrent, give) => perform(give),
};

/** Whether a line answers nothing and asks nothing of the conversation. */
function isAside({ payload }: EffectOf<'say'>): boolean {
  return payload.reason === 'aside' || payload.reason === 'fallback';
}

/** How long anything may work before the caller hears that it does, in milliseconds: longer after a line. */
const patienceMs = 4_000;
const patienceAfterLineMs = 10_000;

/** Whether all steps so far are durable; a store that failed is reported by the next speech. */
async function isKept(engine: Engine): Promise<boolean> {
  return await engine.committed().then(
    () => true,
    () => false,
  );
}
