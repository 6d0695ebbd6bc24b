import type { TurnSink } from '../../engine/commit/turn-sink.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { mayTraceContent } from '../guards/trace-content.ts';
import { measureTurn } from './turn-metrics.ts';
import { createTurnSpans, spanHere } from './turn-spans.ts';

/** Writes the turns of a session to OpenTelemetry, as spans and metrics. Never throws. */
export function openTelemetrySink(session: LiveSession, env: NodeJS.ProcessEnv): TurnSink {
  const noteSpans = createTurnSpans(session);
  return {
    takesContent: mayTraceContent(env),
    here: spanHere,
    turn(told) {
      const writeSpans = noteSpans(told);
      writeLater(() => {
        try {
          writeSpans();
          measureTurn({ flow: told.about.flowId ?? '', trace: told.trace });
        } catch {
          // An exporter or provider of the user that throws must not end a call.
        }
      });
    },
    close: writeNow,
  };
}

/** Maximum number of waiting writes before they run at once, to release what they retain. */
const most = 256;

let waiting: (() => void)[] = [];

/**
 * Runs deferred work when the event loop is free. All waiting work runs together: a turn is published at the beginning of the next
 * one, whose caller is waiting, and an SDK's code runs twice as fast for the second turn as for the first. `work` must not throw.
 */
function writeLater(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(writeNow);
  else if (waiting.length === most) writeNow();
}

/** Runs the waiting work now. */
export function writeNow(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) work();
}
