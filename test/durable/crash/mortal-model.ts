import { llm } from '@livekit/agents';
import type { Clock } from '../../../src/model/ports/time.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

/** A model that receives no requests once its process has died. The last request is never answered. */
export class MortalModel extends llm.LLM {
  readonly #model: llm.LLM;
  readonly #infer: () => boolean;
  readonly #silent: ScriptedModel;

  /** `infer` is called for each request. False means that the process dies in it. */
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
