import type { TextFix } from '../../lsp/text-fix.ts';
import type { FlowShown } from '../../picture/flow-shown.ts';

/** The flow on disk: its problems, and the last sound graph of it. */
export interface FlowNews {
  readonly name: string;
  /** Relative to where the studio was started; null for a flow that is written in code. */
  readonly file: string | null;
  /** Whether the file as it is now can run. */
  readonly isSound: boolean;
  /** Of the file as it is now. */
  readonly problems: readonly ProblemShown[];
  /** The last sound one; null where there was none yet. */
  readonly flow: FlowShown | null;
  readonly checkedInMs: number;
  /** Of the text that was checked, as in `FileText`; null for a flow that is no file. */
  readonly etag: string | null;
}

/** A diagnostic with its place, as `roomflow check` tells it. Lines and columns count from 1. */
export interface ProblemShown {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
  /** As in `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  /** `nodes.greet.say` */
  readonly path: string;
  /** The node that it is in, if any. */
  readonly node: string | null;
  /** The source around it, with a mark. */
  readonly frame?: string;
  /** What mends it in the flow's own file, as editors offer it; for the very text that was checked. */
  readonly fixes: readonly TextFix[];
}

/** The conversation tests of the flow on disk that come through its nodes, by the node. */
export interface NodeTests {
  readonly nodes: Readonly<Record<string, readonly CoveringTest[]>>;
  /** Why nothing is known, for people; null where the tests were played. */
  readonly why: string | null;
}

/** A test that comes through a node. */
export interface CoveringTest {
  readonly name: string;
  /** As in `FileShown.path`. */
  readonly file: string;
  readonly line: number | null;
  readonly passes: boolean;
}

/** A text that is not saved yet, in place of a file. */
export interface CheckText {
  readonly path: string;
  readonly text: string;
}

/** A place of a text that is not saved yet, in UTF-16 units: where something is typed, or asked about. */
export interface PlaceInText extends CheckText {
  readonly offset: number;
}

/** What a text would be as a flow. */
export interface Checked {
  readonly problems: readonly ProblemShown[];
}
