/** A text that is spoken: one wording, several wordings, or wordings by language. */
export type DraftSpoken = string | readonly string[] | Readonly<Record<string, string | readonly string[]>>;

/** A condition as a document writes it. */
export interface DraftWhen {
  readonly equals?: DraftComparison;
  readonly not_equals?: DraftComparison;
  readonly greater?: DraftComparison;
  readonly less?: DraftComparison;
  readonly at_least?: DraftComparison;
  readonly at_most?: DraftComparison;
  readonly contains?: DraftComparison;
  readonly matches?: DraftComparison;
  readonly exists?: { readonly var: string };
  readonly in?: { readonly var: string; readonly values: readonly unknown[] };
  readonly all?: readonly DraftWhen[];
  readonly any?: readonly DraftWhen[];
  readonly not?: DraftWhen;
}

export interface DraftComparison {
  readonly var: string;
  readonly value: unknown;
}

export interface DraftMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface DraftLadder {
  no_input_ms?: number;
  attempts?: number;
  lines?: readonly string[];
  on_no_input?: string;
  on_no_match?: string;
}

/** A function as a document writes it, while the document is being made. */
export interface DraftFunction {
  name: string;
  description?: string;
  parameters?: Readonly<Record<string, unknown>>;
  handler?: string;
  effect?: 'read' | 'write';
  save_as?: string;
  transition_to?: string | { field: string; cases: Readonly<Record<string, string>>; default?: string };
  transition_only?: boolean;
  digression?: boolean;
  timeout_ms?: number;
  retry?: { max_attempts: number; backoff_ms?: number };
}

/** A node as a document writes it, while the document is being made. The keys are written in this order. */
export interface DraftNode {
  description?: string;
  type?: string;
  say?: DraftSpoken;
  listen?: boolean;
  role_messages?: readonly DraftMessage[];
  task_messages?: readonly DraftMessage[];
  collect?: readonly string[];
  call?: string;
  input?: Readonly<Record<string, unknown>>;
  functions?: readonly DraftFunction[];
  transfer?: { readonly to: string; readonly mode?: 'cold' | 'warm'; readonly say?: DraftSpoken };
  respond_immediately?: boolean;
  context_strategy?: string | Readonly<Record<string, unknown>>;
  pre_actions?: readonly Readonly<Record<string, unknown>>[];
  post_actions?: readonly Readonly<Record<string, unknown>>[];
  filler?: DraftSpoken;
  fallback?: DraftSpoken;
  ladder?: DraftLadder;
  on_error?: string;
  default_transition?: string;
  end?: string | boolean;
}

export interface DraftSlot {
  type: 'name' | 'date' | 'time' | 'number' | 'integer' | 'boolean' | 'enum' | 'phone' | 'email' | 'text';
  description?: string;
  ask?: DraftSpoken;
  optional?: boolean;
  confirm?: 'readback';
  pii?: boolean;
  values?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  dtmf?: { readonly digits: number | string; readonly end?: '*'; readonly timeout_ms?: number };
  ladder?: DraftLadder;
}

export interface DraftEdge {
  readonly from: string;
  readonly to: string;
  readonly when?: DraftWhen;
}
