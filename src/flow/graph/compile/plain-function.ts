/** What a function is that no document describes: it asks nobody, leads nowhere and changes nothing. */
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
