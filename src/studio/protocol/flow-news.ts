import type { TextFix } from '../../lsp/text/text-fix.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';

/** The flow on disk: its problems and its last valid graph. */
export interface FlowNews {
  readonly name: string;
  /** Relative to the folder of the studio; null for a flow in code. */
  readonly file: string | null;
  /** Whether the current file can run. */
  readonly isSound: boolean;
  /** Problems of the current file. */
  readonly problems: readonly ProblemShown[];
  /** The last valid version; null if there was none. */
  readonly flow: FlowShown | null;
  readonly checkedInMs: number;
  /** The etag of the checked text, as in `FileText`; null for a flow without a file. */
  readonly etag: string | null;
}

/** A diagnostic of `roomflow check` with its place. Lines and columns count from 1. */
export interface ProblemShown {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
  /** As `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  /** `nodes.greet.say` */
  readonly path: string;
  /** The node of the place, if any. */
  readonly node: string | null;
  /** The source lines around it, with a mark. */
  readonly frame?: string;
  /** Fixes for the flow's own file, as in editors. Valid for the checked text only. */
  readonly fixes: readonly TextFix[];
}

/** The tests that reach each node of the flow on disk. */
export interface NodeTests {
  readonly nodes: Readonly<Record<string, readonly CoveringTest[]>>;
  /** Why the tests were not played, for the user; null if they were. */
  readonly why: string | null;
}

/** A test that reaches a node. */
export interface CoveringTest {
  readonly name: string;
  /** As `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly passes: boolean;
}

/** An unsaved text of a file. */
export interface CheckText {
  readonly path: string;
  readonly text: string;
}

/** An offset in an unsaved text, in UTF-16 units. */
export interface PlaceInText extends CheckText {
  readonly offset: number;
}

/** The problems of an unsaved text. */
export interface Checked {
  readonly problems: readonly ProblemShown[];
}
