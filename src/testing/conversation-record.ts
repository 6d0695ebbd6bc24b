import type { Event } from '../model/events/event.ts';
import type { FlowRunner } from '../runner/flow-runner.ts';
import type { SessionState } from '../kernel/state/state.ts';
import { type Observed, unmet } from './expectations.ts';
import type { Expectation } from './script.ts';
import type { ScriptedRequest } from './scripted-model.ts';

/** A line said by the agent (as far as it was heard), by the caller, or by another participant. */
export interface TranscriptLine {
  readonly who: string;
  readonly text: string;
  /** When it began, in epoch milliseconds of the simulation, or of the machine in a room. */
  readonly at: number;
  readonly interrupted: boolean;
}

/** The result of a simulation. */
export interface SimulationResult {
  readonly ok: boolean;
  /** The expectations that did not hold, by the number of the step, counted from 1. */
  readonly failures: readonly { readonly step: number; readonly message: string }[];
  readonly transcript: readonly TranscriptLine[];
  /** The nodes in which the flow was, in order. */
  readonly path: readonly string[];
  readonly events: readonly Event[];
  /** The session at the end of the script. */
  readonly state: SessionState;
  /** The requests to a scripted model. Empty for any other model. */
  readonly requests: readonly ScriptedRequest[];
  /** Why the flow ended, or null if it did not. */
  readonly ended: string | null;
}

/** The information about a conversation while a script is played. */
export interface ConversationRecord {
  /** Why the flow has ended, or null if it has not. */
  readonly ended: string | null;
  tell(line: TranscriptLine): void;
  fail(step: number, message: string): void;
  /** The expectations that do not hold in the current conversation. */
  unmet(expected: Expectation, observed: Pick<Observed, 'said' | 'requests'>): readonly string[];
  result(requests: readonly ScriptedRequest[]): SimulationResult;
}

/** Records a conversation from before it begins. */
export function recordConversation(runner: FlowRunner): ConversationRecord {
  const transcript: TranscriptLine[] = [];
  const failures: { step: number; message: string }[] = [];
  const events: Event[] = [];
  const path: string[] = [];
  let ended: string | null = null;
  runner.hub.subscribe('*', (event) => events.push(event));
  runner.on('transition:taken', ({ data }) => {
    if (path.length === 0) path.push(data.from);
    path.push(data.to);
  });
  void runner.ended.then((reason) => (ended = reason));
  return {
    get ended() {
      return ended;
    },
    tell: (line) => void transcript.push(line),
    fail: (step, message) => void failures.push({ step, message }),
    unmet: (expected, { said, requests }) => unmet(expected, { state: runner.state, said, ended, requests }),
    result(requests) {
      const { state } = runner;
      return {
        ok: failures.length === 0,
        failures,
        transcript: transcript.toSorted((one, other) => one.at - other.at),
        path: path.length === 0 ? [state.position.node] : path,
        events,
        state,
        requests,
        ended,
      };
    },
  };
}
