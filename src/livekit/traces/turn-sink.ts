import type { TurnSink } from '../../engine/commit/turn-sink.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { mayTraceContent } from '../guards/trace-content.ts';
import { measureTurn } from './turn-metrics.ts';
import { createTurnSpans, spanHere } from './turn-spans.ts';
import { writeLater, writeNow } from './write-later.ts';

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
