import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Engine } from '../document/document.ts';
import type { FlowPosition } from '../document/flow-places.ts';
import type { RecordedEvent, RecordedRequest, ScenarioLine } from '../record/record.ts';
import type { ToolRun } from './tool-ledger.ts';

/** An expectation of a scenario that does not hold. */
export interface TestFailure {
  /** Its place in the test, from the document on. */
  readonly path: DocumentPath;
  /** The turn, counted from 1. 0 before the first turn, null if it is about all of them. */
  readonly turn: number | null;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
  /** The new text after the test is refreshed, or null for values that are never refreshed. */
  readonly fresh: string | null;
  /** The line of the test. */
  readonly place: FlowPosition | null;
  /** The line of the flow that it is about, if it is known. */
  readonly flowPlace: FlowPosition | null;
}

/** The result of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  readonly engine: Engine;
  readonly status: 'passed' | 'failed' | 'skipped' | 'broken';
  /** Why it was skipped, or which part of its surroundings failed. */
  readonly reason: string | null;
  readonly place: FlowPosition | null;
  readonly failures: readonly TestFailure[];
  /** The checks that this engine could not make, and how often. */
  readonly unchecked: Readonly<Record<string, number>>;
  readonly lines: readonly ScenarioLine[];
  readonly events: readonly RecordedEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly runs: readonly ToolRun[];
  /** When each turn began, in epoch milliseconds of the scenario. */
  readonly turnsAt: readonly number[];
  readonly state: SessionState | null;
  readonly ended: string | null;
  /** The number of crashes that a crash sweep has tried. */
  readonly crashes: number;
  /** For several runs with a live model. */
  readonly repeats: { readonly runs: number; readonly passed: number; readonly needed: number } | null;
  /** On the machine's clock. */
  readonly durationMs: number;
}
