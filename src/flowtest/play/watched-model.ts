import { llm } from '@livekit/agents';
import type { Clock } from '../../model/ports/time.ts';
import { describeRequest, ScriptedModel, type ScriptedRequest } from '../../testing/scripted-model.ts';

/** The callbacks of a scenario for each request to its model. */
export interface ModelWatcher {
  /** The flow's node. */
  readonly nodeOf: () => string;
  /** Called for each request. Returns false if its process is dead, so that there is no answer. */
  readonly onRequest: (request: ScriptedRequest) => boolean;
}

const neverMs = 365 * 86_400_000;

/** Wraps any model and reports each request before it is made. */
export class WatchedModel extends llm.LLM {
  readonly #inner: llm.LLM;
  readonly #watcher: ModelWatcher;
  readonly #silent: ScriptedModel;
  readonly #open = new Set<RelayedStream>();

  constructor(inner: llm.LLM, watcher: ModelWatcher, clock: Clock) {
    super();
    this.#inner = inner;
    this.#watcher = watcher;
    this.#silent = new ScriptedModel(() => ({ delayMs: neverMs }), { clock });
  }

  override label(): string {
    return this.#inner.label();
  }

  override get model(): string {
    return this.#inner.model;
  }

  /** Requests without a complete answer. */
  get open(): number {
    return this.#open.size;
  }

  override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    const request = describeRequest(options.chatCtx, options.toolCtx, this.#watcher.nodeOf());
    if (!this.#watcher.onRequest(request)) return this.#silent.chat(options);
    const inner = this.#inner.chat(options);
    // A model that answers on the clock of the test is not waited for in real time.
    if (this.#inner instanceof ScriptedModel) return inner;
    const stream = new RelayedStream(this, inner, () => void this.#open.delete(stream), {
      chatCtx: options.chatCtx,
      ...(options.toolCtx === undefined ? {} : { toolCtx: options.toolCtx }),
      connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 600_000 },
    });
    this.#open.add(stream);
    return stream;
  }
}

/** The answer of another model, as it arrives. */
class RelayedStream extends llm.LLMStream {
  readonly #inner: llm.LLMStream;
  readonly #onOver: () => void;

  constructor(
    model: llm.LLM,
    inner: llm.LLMStream,
    onOver: () => void,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
  ) {
    super(model, options);
    this.#inner = inner;
    this.#onOver = onOver;
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    const stop = (): void => this.#inner.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const chunk of this.#inner) {
        if (signal.aborted) return;
        this.queue.put(chunk);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#onOver();
    }
  }
}
