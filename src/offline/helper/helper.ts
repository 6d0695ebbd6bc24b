import { FlowError } from '../../model/errors.ts';

/** Interval of checks of a busy helper, in milliseconds. */
const lookEveryMs = 1_000;

/**
 * A helper without a message for this many checks is stuck and is stopped. Checks are counted instead of time: a busy
 * machine slows the helper and a suspended one lets time pass, but neither makes it stuck.
 */
const mostSilentLooks = 60;

interface Job {
  readonly question: unknown;
  readonly isOver: () => boolean;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A started thread or process. It sends `{ answer }` or `{ fault }` for each question, and `{}` as a sign of life
 * during its start and during work of more than a second or two.
 */
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
 * A thread or process that answers questions in sequence. It starts with the first question and keeps this process
 * alive only while a question is open. If it dies, the current question fails and the next one starts a new helper.
 */
export class Helper {
  readonly #open: (events: WorkplaceEvents) => Workplace;
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #place: Workplace | null = null;
  #looks: NodeJS.Timeout | undefined;
  #silentLooks = 0;

  constructor(open: (events: WorkplaceEvents) => Workplace) {
    this.#open = open;
  }

  /** Starts the helper early. Throws if something that it needs is missing. */
  start(): void {
    if (this.#place !== null) return;
    const place = this.#open({
      onMessage: ({ answer, fault }) => {
        if (place !== this.#place) return;
        this.#silentLooks = 0;
        if (answer === undefined && fault === undefined) return;
        if (fault === undefined) this.#settle((job) => job.resolve(answer));
        else this.#settle((job) => job.reject(new FlowError('speech-failed', fault)));
      },
      onLost: (cause) => this.#lose(place, cause),
    });
    this.#place = place;
    place.unref();
  }

  /** Returns the answer. Rejects with the signal's reason, `speech-failed` or `speech-helper-died`. */
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

  /** Stops the thread or process; the current question fails. A later question starts a new helper. */
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
      this.#watch();
    }
  }

  #watch(): void {
    this.#silentLooks = 0;
    this.#looks = setInterval(() => {
      this.#silentLooks += 1;
      if (this.#silentLooks === mostSilentLooks) this.stop();
    }, lookEveryMs);
    this.#looks.unref();
  }

  #settle(tell: (job: Job) => void): void {
    const job = this.#current;
    this.#current = null;
    clearInterval(this.#looks);
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
