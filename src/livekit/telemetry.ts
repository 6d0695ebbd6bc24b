import { type Histogram, metrics as openTelemetry } from '@opentelemetry/api';
import { destination, type DestinationStream, pino } from 'pino';
import type { Log } from '../model/ports/log.ts';
import type { Metrics } from '../model/ports/metrics.ts';

/** Creates a log of JSON lines by pino, by default on stderr, because stdout belongs to a flow's output. */
export function createPinoLog(stream: DestinationStream = destination(2)): Log {
  const logger = pino({ name: 'roomflow', level: 'debug' }, stream);
  return { write: (level, message, fields) => logger[level](fields, message) };
}

/** Creates metrics as OpenTelemetry histograms. They are discarded until an SDK is set up, as LiveKit's workers do. */
export function createOpenTelemetryMetrics(): Metrics {
  const histograms = new Map<string, Histogram>();
  return {
    record(name, value, tags) {
      let histogram = histograms.get(name);
      if (histogram === undefined) {
        // Created on first use, because an SDK may be set up later.
        histogram = openTelemetry.getMeter('roomflow').createHistogram(name);
        histograms.set(name, histogram);
      }
      histogram.record(value, { ...tags });
    },
  };
}
