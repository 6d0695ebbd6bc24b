import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Engine } from '../document/document.ts';
import type { Place } from '../document/flow-places.ts';
import type { RecordedEvent, RecordedRequest, ScenarioLine } from '../record/record.ts';
import type { ToolRun } from './tool-ledger.ts';

/** Something that a scenario expects and that does not hold. */
export interface TestFailure {
  /** Where the test says it, from the document on. */
  readonly path: DocumentPath;
  /** The turn, counted from 1; 0 before the first one, null where it is about all of them. */
  readonly turn: number | null;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
  /** What would stand in its place once the test is refreshed; null for what is never refreshed. */
  readonly fresh: string | null;
  /** The line of the test. */
  readonly place: Place | null;
  /** The line of the flow that it is about, as far as that is known. */
  readonly flowPlace: Place | null;
}

/** How a scenario went. */
export interface ScenarioResult {
  readonly name: string;
  readonly engine: Engine;
  readonly status: 'passed' | 'failed' | 'skipped' | 'broken';
  /** Why it was skipped, or what of the world around it broke. */
  readonly reason: string | null;
  readonly place: Place | null;
  readonly failures: readonly TestFailure[];
  /** What this engine could not check, and how often. */
  readonly unchecked: Readonly<Record<string, number>>;
  readonly lines: readonly ScenarioLine[];
  readonly events: readonly RecordedEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly runs: readonly ToolRun[];
  /** When each turn began, in epoch milliseconds of the scenario. */
  readonly turnsAt: readonly number[];
  readonly state: SessionState | null;
  readonly ended: string | null;
  /** How many deaths a crash sweep has tried. */
  readonly crashes: number;
  /** Of several runs with a live model. */
  readonly repeats: { readonly runs: number; readonly passed: number; readonly needed: number } | null;
  /** On the machine's clock. */
  readonly durationMs: number;
}
