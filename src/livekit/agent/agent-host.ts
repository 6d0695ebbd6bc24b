import { isLast } from '../../kernel/question/unperformed-effects.ts';
import type { Performer, TurnHost } from '../../engine/performer.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import type { ShownContext } from '../context/shown-context.ts';
import { createSpeeches, type Speeches } from '../speech/speeches.ts';

/** Creates the engine's host, which does the work of a turn besides speech. */
export function createAgentHost(options: FlowAgentOptions, shown: ShownContext): TurnHost {
  return {
    clock: options.clock,
    act: (effect) => options.act(effect),
    changeContext: (effect) => shown.change(effect, options.engine.view()),
    runTask: (effect) => options.runTask(effect),
    replyLate: () => options.onModelTrouble('model-late'),
    questions: options.questions,
    ...(options.sendKeys === undefined ? {} : { sendKeys: options.sendKeys }),
    transfer: ({ payload }) => options.transfer(payload),
    end: (effect) => options.onEnd(effect.payload.reason),
  };
}

/** Creates the speeches of an agent. When all were heard, the effects that waited for them are performed and the turn is complete. */
export function createAgentSpeeches(options: FlowAgentOptions, performer: Performer, canHold: () => boolean): Speeches {
  const { engine, clock, responses, questions } = options;
  const completeTurn = (): void => {
    if (engine.outbox.isEmpty() && engine.calls.underWay() === null) engine.tracer.complete();
  };
  const afterSpeech = (): Promise<void> | null => {
    responses.settle();
    const next = engine.outbox.peek();
    if (next === undefined || !isLast(next)) {
      completeTurn();
      return null;
    }
    return performer.performAfterSpeech().then(completeTurn, (error: unknown) => options.onError(error));
  };
  return createSpeeches({ engine, clock, afterSpeech, questions, canHold });
}
