/** Code that an imported flow asks for, as far as the foreign document tells what it does. */
export interface ToolStub {
  /** The name under which it is registered. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, where the document gives one. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly effect: 'read' | 'write';
  /** An address that it calls; values of headers are left out, since they are secrets. */
  readonly http?: StubRequest;
  /** Names that it sets, and where in its answer each of them stands: a dotted path, `''` for the whole of it. */
  readonly sets: Readonly<Record<string, string>>;
  /** What the foreign document says of it besides: its code, what it asked of the vendor. */
  readonly notes: readonly string[];
}

export interface StubRequest {
  readonly method: string;
  /** With `{{ names }}` of the flow and of the arguments. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON beside the arguments. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly string[];
  readonly timeoutMs?: number;
}
