/** Whether anybody still waits for something. Lighter than an AbortSignal, which is made for those who look at it. */
export interface Cancellable {
  readonly isCancelled: boolean;
  readonly signal: AbortSignal;
  /** Calls back once, when nobody waits any more. Returns what undoes it. */
  onCancel(listener: () => void): () => void;
}
