import { FlowError } from '../../errors.ts';

/** How often a helper at work is looked at. */
const lookEveryMs = 1_000;

/**
 * After so many looks in a row without a message a helper is stuck, and is ended. A look is counted and not the time: a busy
 * machine makes a helper slow, and a frozen one makes the time pass, but neither makes it stuck.
 */
const mostSilentLooks = 60;

interface Job {
  readonly question: unknown;
  readonly isOver: () => boolean;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread or process that was started. It sends `{ answer }` for each question, or `{ fault }` with a text. Each step of
 * its start, and of work that takes longer than a second or two, sends `{}` as a sign of life.
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
 * A thread or process that answers questions one after the other. It starts with the first question, keeps this process
 * alive only while one is open, and where it dies, the question at hand fails and the next one starts a new one.
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

  /** Starts before there is anything to do. Throws where something it needs is missing. */
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
