import { llm } from '@livekit/agents';
import type { Clock } from '../../../src/model/ports/time.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

/** A model that is asked no more once its process dies: the request then made is never answered. */
export class MortalModel extends llm.LLM {
  readonly #model: llm.LLM;
  readonly #infer: () => boolean;
  readonly #silent: ScriptedModel;

  /** `infer` hears of each request; false where it is the last one. */
  constructor(model: llm.LLM, infer: () => boolean, clock: Clock) {
    super();
    this.#model = model;
    this.#infer = infer;
    this.#silent = new ScriptedModel(() => ({ delayMs: 3_600_000 }), { clock });
  }

  override label(): string {
    return this.#model.label();
  }

  override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    return this.#infer() ? this.#model.chat(options) : this.#silent.chat(options);
  }
}
