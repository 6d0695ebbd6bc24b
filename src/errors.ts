/**
 * What is wrong in the world around a flow (a store, a model, a call of the API), by a stable code. What is wrong in a
 * flow itself is a `Diagnostic`. The message names the thing, the fact and the remedy.
 */
export class FlowError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.name = 'FlowError';
    this.code = code;
  }
}
