import { type Histogram, metrics as openTelemetry } from '@opentelemetry/api';
import { destination, type DestinationStream, pino } from 'pino';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';

/** A log of JSON lines by pino, on the error output unless another one is given: what a flow prints is its output. */
export function createPinoLog(stream: DestinationStream = destination(2)): Log {
  const logger = pino({ name: 'roomflow', level: 'debug' }, stream);
  return { write: (level, message, fields) => logger[level](fields, message) };
}

/** Metrics as histograms of OpenTelemetry; they go nowhere until an SDK is set up, as LiveKit's workers do. */
export function createOpenTelemetryMetrics(): Metrics {
  const histograms = new Map<string, Histogram>();
  return {
    record(name, value, tags) {
      let histogram = histograms.get(name);
      if (histogram === undefined) {
        // Asked for late, since an SDK may be set up after this was made.
        histogram = openTelemetry.getMeter('roomflow').createHistogram(name);
        histograms.set(name, histogram);
      }
      histogram.record(value, { ...tags });
    },
  };
}
