import type { Event } from '../../model/events/event.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { ScriptedRequest } from '../../testing/scripted-model.ts';
import type { TranscriptLine } from '../../testing/conversation-record.ts';
import type { TakenTransition } from '../arrows.ts';
import type { ToolRun } from '../play/tool-ledger.ts';

/** A line of a scenario, and its turn. 0 is before the first turn of the test. */
export interface ScenarioLine extends TranscriptLine {
  readonly turn: number;
}

export interface RecordedEvent {
  readonly turn: number;
  readonly event: Event;
}

export interface RecordedRequest {
  readonly turn: number;
  readonly at: number;
  readonly request: ScriptedRequest;
}

/** Everything that happened in a scenario, in all its processes. */
export interface ScenarioRecord {
  readonly lines: ScenarioLine[];
  readonly events: RecordedEvent[];
  readonly requests: RecordedRequest[];
  /** When each turn began, in epoch milliseconds. */
  readonly turnsAt: number[];
}

export function createRecord(): ScenarioRecord {
  return { lines: [], events: [], requests: [], turnsAt: [] };
}

/** Everything that happened in one turn, or in all turns if `turn` is null, and the current state. */
export interface Slice {
  readonly turn: number | null;
  readonly startedAt: number;
  readonly lines: readonly ScenarioLine[];
  readonly events: readonly Event[];
  readonly runs: readonly ToolRun[];
  readonly requests: readonly ScriptedRequest[];
  readonly taken: readonly TakenTransition[];
  readonly state: SessionState;
  readonly ended: string | null;
  readonly language: string;
}

export function sliceOf(
  record: ScenarioRecord,
  allRuns: readonly ToolRun[],
  turn: number | null,
  now: Pick<Slice, 'state' | 'ended' | 'language'>,
): Slice {
  const isIn = (one: { readonly turn: number }): boolean => turn === null || one.turn === turn;
  const events = record.events.filter(isIn).map(({ event }) => event);
  return {
    ...now,
    turn,
    startedAt: record.turnsAt[turn ?? 0] ?? 0,
    lines: record.lines.filter(isIn),
    events,
    runs: allRuns.filter(isIn),
    requests: record.requests.filter(isIn).map(({ request }) => request),
    taken: takenIn(events),
  };
}

export function takenIn(events: readonly Event[]): readonly TakenTransition[] {
  return events.flatMap((event) => (event.type === 'transition:taken' ? [event.data] : []));
}

/** The nodes in which the flow was, in order. */
export function pathIn(events: readonly Event[], last: string): readonly string[] {
  const entered = events.flatMap((event) => (event.type === 'node:entered' ? [event.nodeId ?? ''] : []));
  return entered.length === 0 ? [last] : entered;
}
