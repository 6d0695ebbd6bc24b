import type { Cancellable } from '../../ports/cancellable.ts';

export interface Cancellation extends Cancellable {
  /** Nobody waits any more; a second time changes nothing. */
  cancel(): void;
}

export function createCancellation(): Cancellation {
  return new LazyCancellation();
}

/**
 * Most work is never cancelled, and most handlers never look: a signal for each would cost more than a step. A class,
 * because there are several in each turn: V8 makes a dictionary of every literal that has a getter.
 */
class LazyCancellation implements Cancellation {
  isCancelled = false;
  #controller: AbortController | null = null;
  #listeners: Set<() => void> | null = null;

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.isCancelled) this.#controller.abort(cancelled);
    }
    return this.#controller.signal;
  }

  onCancel(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  cancel(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#controller?.abort(cancelled);
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners = null;
  }
}

// Made once: an abort without a reason makes an exception with a stack.
const cancelled = new DOMException('Nobody waits for it any more.', 'AbortError');
