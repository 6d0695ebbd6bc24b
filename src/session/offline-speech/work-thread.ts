import { Worker } from 'node:worker_threads';
import { FlowError } from '../../errors.ts';

/** How long one job may take; speech takes a tenth of a second. A thread that takes longer is stuck, and is ended. */
const jobLimitMs = 20_000;

interface Job {
  readonly question: unknown;
  readonly isOver: () => boolean;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that answers questions one after the other. It starts with the first question, keeps the process alive only
 * while one is open, and where it dies, the question at hand fails and the next one starts a new thread.
 */
export class WorkThread {
  readonly #open: () => Worker;
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #worker: Worker | null = null;
  #limit: NodeJS.Timeout | undefined;

  /** For each question `script` posts `{ answer }`, or `{ fault }` with a text. */
  constructor(script: URL, data: () => unknown) {
    // The flags of the process, such as a loader of TypeScript, are nothing to a script of plain JavaScript.
    this.#open = () => new Worker(script, { workerData: data(), execArgv: [] });
  }

  /** Starts the thread before there is anything to do. Throws what `data` throws. */
  start(): void {
    if (this.#worker !== null) return;
    const worker = this.#open();
    this.#worker = worker;
    worker.unref();
    worker.on('message', (message: { answer?: unknown; fault?: string }) => {
      if (worker !== this.#worker) return;
      if (message.fault === undefined) this.#settle((job) => job.resolve(message.answer));
      else this.#settle((job) => job.reject(new FlowError('speech-failed', String(message.fault))));
    });
    worker.on('error', (cause) => this.#lose(worker, cause));
    worker.on('exit', () => this.#lose(worker, undefined));
  }

  /** The answer. Rejects with the signal's reason, with `speech-failed`, or with `speech-thread-died`. */
  async ask(question: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    let abort = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        let isOver = false;
        const job: Job = { question, isOver: () => isOver, resolve, reject };
        abort = () => {
          isOver = true;
          const at = this.#waiting.indexOf(job);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        signal?.addEventListener('abort', abort, { once: true });
        this.#waiting.push(job);
        this.#next();
      });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the thread; what is open fails. A later question starts a new one. */
  stop(): void {
    const worker = this.#worker;
    if (worker === null) return;
    this.#lose(worker, new Error('stopped'));
    void worker.terminate();
  }

  #next(): void {
    while (this.#current === null) {
      const job = this.#waiting.shift();
      if (job === undefined) {
        this.#worker?.unref();
        return;
      }
      if (job.isOver()) continue;
      try {
        this.start();
      } catch (error) {
        job.reject(error instanceof Error ? error : new Error(String(error)));
        continue;
      }
      this.#current = job;
      const worker = this.#worker;
      worker?.ref();
      worker?.postMessage(job.question);
      this.#limit = setTimeout(() => this.stop(), jobLimitMs);
      this.#limit.unref();
    }
  }

  #settle(tell: (job: Job) => void): void {
    const job = this.#current;
    this.#current = null;
    clearTimeout(this.#limit);
    if (job !== null) tell(job);
    this.#next();
  }

  #lose(worker: Worker, cause: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    const died = new FlowError(
      'speech-thread-died',
      'the thread of offline speech ended; the next words start a new one.',
      {
        cause,
      },
    );
    this.#settle((job) => job.reject(died));
  }
}
