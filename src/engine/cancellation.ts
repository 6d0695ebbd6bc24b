import type { Cancellable } from '../model/ports/cancellable.ts';

export interface Cancellation extends Cancellable {
  /** Marks the work as cancelled. Further calls have no effect. */
  cancel(): void;
}

export function createCancellation(): Cancellation {
  return new LazyCancellation();
}

/**
 * Creates its `AbortController` on demand: most work is never cancelled, and a signal for each would
 * cost more than a step. A class, because V8 turns each object literal with a getter into a dictionary.
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

// Created once, because aborting without a reason creates an exception with a stack.
const cancelled = new DOMException('The result is no longer awaited.', 'AbortError');
