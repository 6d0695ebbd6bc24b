/** Code that an imported flow needs, as far as the foreign document describes it. */
export interface ToolStub {
  /** The name under which it is registered. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, if the document has one. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly effect: 'read' | 'write';
  /** The address that it calls. Values of headers are left out, because they are secrets. */
  readonly http?: StubRequest;
  /** The names that it sets, and where each value is in its answer: a dotted path, or `''` for the whole answer. */
  readonly sets: Readonly<Record<string, string>>;
  /** Other information from the foreign document: the tool's code, or what it needs from the vendor. */
  readonly notes: readonly string[];
}

export interface StubRequest {
  readonly method: string;
  /** With `{{ names }}` of the flow and of the arguments. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON together with the arguments. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly string[];
  readonly timeoutMs?: number;
}
