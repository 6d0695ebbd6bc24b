import { FlowError } from '../../errors.ts';

/** How long one job may take; speech takes a tenth of a second. A helper that takes longer is stuck, and is ended. */
const jobLimitMs = 20_000;

interface Job {
  readonly question: unknown;
  readonly isOver: () => boolean;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A thread or process that was started: for each question it tells `{ answer }`, or `{ fault }` with a text. */
export interface Workplace {
  readonly post: (question: unknown) => void;
  readonly ref: () => void;
  readonly unref: () => void;
  readonly end: () => void;
}

export interface WorkplaceEvents {
  readonly onMessage: (message: { answer?: unknown; fault?: string }) => void;
  readonly onLost: (cause: unknown) => void;
}

/**
 * A thread or process that answers questions one after the other. It starts with the first question, keeps this process
 * alive only while one is open, and where it dies, the question at hand fails and the next one starts a new one.
 */
export class Helper {
  readonly #open: (events: WorkplaceEvents) => Workplace;
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #place: Workplace | null = null;
  #limit: NodeJS.Timeout | undefined;

  constructor(open: (events: WorkplaceEvents) => Workplace) {
    this.#open = open;
  }

  /** Starts before there is anything to do. Throws where something it needs is missing. */
  start(): void {
    if (this.#place !== null) return;
    const place = this.#open({
      onMessage: ({ answer, fault }) => {
        if (place !== this.#place) return;
        if (fault === undefined) this.#settle((job) => job.resolve(answer));
        else this.#settle((job) => job.reject(new FlowError('speech-failed', fault)));
      },
      onLost: (cause) => this.#lose(place, cause),
    });
    this.#place = place;
    place.unref();
  }

  /** The answer. Rejects with the signal's reason, with `speech-failed`, or with `speech-helper-died`. */
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

  /** Ends the thread or process; the question at hand fails. A later one starts a new one. */
  stop(): void {
    const place = this.#place;
    if (place === null) return;
    this.#lose(place, new Error('stopped'));
    place.end();
  }

  #next(): void {
    while (this.#current === null) {
      const job = this.#waiting.shift();
      if (job === undefined) {
        this.#place?.unref();
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
      this.#place?.ref();
      this.#place?.post(job.question);
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

  #lose(place: Workplace, cause: unknown): void {
    if (place !== this.#place) return;
    this.#place = null;
    const message = 'the helper of offline speech ended; the next words start a new one.';
    const died = new FlowError('speech-helper-died', message, { cause });
    this.#settle((job) => job.reject(died));
  }
}
