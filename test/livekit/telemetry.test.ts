import { metrics } from '@opentelemetry/api';
import {
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  AggregationTemporality,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { createOpenTelemetryMetrics, createPinoLog } from '../../src/livekit/telemetry.ts';

test('a line of a flow is a line of pino, with its level and fields', () => {
  const lines: string[] = [];
  const log = createPinoLog({ write: (line) => void lines.push(line) });
  log.write('debug', 'Began.', { key: 's/1' });
  log.write('error', 'Broke.', {});
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 20, name: 'roomflow', key: 's/1', msg: 'Began.' },
    { level: 50, name: 'roomflow', msg: 'Broke.' },
  ]);
});

test('a measurement is recorded in an OpenTelemetry histogram, even if its SDK is set up later', async () => {
  const own = createOpenTelemetryMetrics();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  try {
    own.record('triage.ms', 10, { kind: 'bug' });
    own.record('triage.ms', 30, { kind: 'bug' });
    await reader.forceFlush();
    const [metric] = exporter.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? [];
    expect(metric).toMatchObject({
      descriptor: { name: 'triage.ms' },
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: [{ attributes: { kind: 'bug' }, value: { count: 2, sum: 40 } }],
    });
  } finally {
    metrics.disable();
    await provider.shutdown();
  }
});
