/** A cancellation flag. Cheaper than an AbortSignal, which is created only when `signal` is read. */
export interface Cancellable {
  readonly isCancelled: boolean;
  readonly signal: AbortSignal;
  /** Calls the listener once, on cancellation. Returns a function that removes the listener. */
  onCancel(listener: () => void): () => void;
}
