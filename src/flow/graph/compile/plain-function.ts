/** Defaults of a generated function: no confirmation, no target, no write. */
export const plainFunction = Object.freeze({
  confirm: null,
  onRefuse: null,
  answers: null,
  saveAs: null,
  target: null,
  callback: null,
  digression: false,
  write: false,
  timeoutMs: null,
  retry: Object.freeze({ maxAttempts: 1, backoffMs: 0 }),
});
