import { isAfterSpeech } from '../../turn/engine/outbox.ts';
import { performAfterSpeech, type TurnHost } from '../../turn/engine/perform.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import type { ShownContext } from '../context/shown-context.ts';
import { createSpeeches, type Speeches } from '../speech/speeches.ts';

/** What the world around the engine does for a turn, besides asking the model. */
export type AgentHost<Chunk> = Omit<TurnHost<Chunk>, 'infer'>;

export function createAgentHost<Chunk>(
  options: FlowAgentOptions,
  shown: ShownContext,
  read: TurnHost<Chunk>['read'],
): AgentHost<Chunk> {
  return {
    clock: options.clock,
    read,
    act: (effect) => options.act(effect),
    changeContext: (effect) => shown.change(effect, options.engine.view),
    runTask: (effect) => options.runTask(effect),
    questions: options.questions,
    end: (effect) => options.onEnd(effect.payload.reason),
  };
}

/** The speeches of an agent: when all were heard, that is told, what waited for it is done, and the turn is over. */
export function createAgentSpeeches<Chunk>(options: FlowAgentOptions, host: AgentHost<Chunk>): Speeches {
  const { engine, clock, responses, questions } = options;
  const completeTurn = (): void => {
    if (engine.outbox.isEmpty && engine.callsUnderWay === null) engine.completeTurn();
  };
  const afterSpeech = (): Promise<void> | null => {
    responses.settle();
    const next = engine.outbox.peek();
    if (next === undefined || !isAfterSpeech(next)) {
      completeTurn();
      return null;
    }
    return performAfterSpeech(engine, host).then(completeTurn, (error: unknown) => options.onError(error));
  };
  return createSpeeches({ engine, clock, afterSpeech, questions });
}
