import { metrics as openTelemetry } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { isShared, kindsThat } from '../model/effect.ts';
import type { Clock } from '../model/ports/time.ts';
import type { Store } from '../model/ports/store.ts';
import { openWaits } from '../people/waits.ts';
import type { HttpMetrics } from './parts.ts';

/** Maximum number of rows to count in a store. */
const mostCounted = 1_000;

/** Effect kinds in the outbox. Waits are counted separately. */
const outboxKinds = kindsThat((_, kind) => kind !== 'wait').filter(isShared);

/**
 * Measures the server and the open work in its store. If the process has no other OpenTelemetry setup, it also collects
 * the metrics of the rest of the process. Opens no port.
 */
export function createHttpMetrics(store: Store, clock: Clock): HttpMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter], resource: resourceHere() });
  openTelemetry.setGlobalMeterProvider(provider);
  const meter = provider.getMeter('roomflow');
  const requests = meter.createCounter('roomflow.http.requests', { description: 'Requests answered.' });
  const durations = meter.createHistogram('roomflow.http.request.duration', {
    unit: 'ms',
    description: 'Duration of requests.',
  });
  const waits = meter.createObservableGauge('roomflow.waits.open', { description: 'Open waits, at most 1,000.' });
  const overdue = meter.createObservableGauge('roomflow.waits.overdue', {
    description: 'Open waits past their deadline.',
  });
  const entries = meter.createObservableGauge('roomflow.inbox.entries', {
    description: 'Entries of the inbox, at most 1,000.',
  });
  const late = meter.createObservableGauge('roomflow.inbox.late', {
    unit: 'ms',
    description: 'How late the first entry is.',
  });
  const outbox = meter.createObservableGauge('roomflow.outbox.open', {
    description: 'Effects that are not settled, at most 1,000 of each kind.',
  });
  meter.addBatchObservableCallback(
    async (observed) => {
      const now = clock.now();
      for (const kind of outboxKinds)
        observed.observe(outbox, (await store.effects.listOpen({ kind, limit: mostCounted })).length, { kind });
      const [open, kept, dead] = await Promise.all([
        openWaits(store),
        store.inbox.list({ state: 'open', limit: mostCounted }),
        store.inbox.list({ state: 'dead', limit: mostCounted }),
      ]);
      observed.observe(waits, open.length);
      observed.observe(overdue, open.filter(({ effect }) => (effect.deadline ?? Infinity) < now).length);
      observed.observe(entries, kept.length, { state: 'open' });
      observed.observe(entries, dead.length, { state: 'dead' });
      const [first] = kept;
      observed.observe(late, first === undefined ? 0 : Math.max(now - first.notBefore, 0));
    },
    [outbox, waits, overdue, entries, late],
  );
  const serializer = new PrometheusSerializer();
  return {
    request(method, route, status, durationMs) {
      requests.add(1, { method, route, status });
      durations.record(durationMs, { method, route });
    },
    async text() {
      const { resourceMetrics } = await exporter.collect();
      return serializer.serialize(resourceMetrics);
    },
  };
}

/** The OpenTelemetry resource: `roomflow`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES is set. */
function resourceHere() {
  const named = resourceFromAttributes({ 'service.name': 'roomflow' });
  return defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
}
