import { type Counter, type Histogram, type MeterProvider, metrics as openTelemetry } from '@opentelemetry/api';
import { createLabelValues, type LabelValues } from './label-values.ts';

/** A change of a call. `refused`: the worker was full. */
export type MeasuredCall =
  | { readonly event: 'started' | 'resumed'; readonly flow: string }
  | { readonly event: 'refused' }
  | {
      readonly event: 'ended';
      readonly flow: string;
      /** The name of the outcome; `left` for a call that another process continues, or whose waits stay open. */
      readonly outcome: string;
      readonly seconds: number;
    };

/** Adds a call to the metrics of the current OpenTelemetry SDK. Labels are names of the configuration, never ids. */
export function measureCall(call: MeasuredCall): void {
  const to = instrumentsNow();
  if (call.event === 'refused') return to.refused.add(1);
  const flow = to.flows.of(call.flow);
  if (call.event !== 'ended') return to.begun.add(1, { flow, how: call.event });
  to.ended.add(1, { flow, outcome: to.outcomes.of(call.outcome) });
  to.duration.record(call.seconds, { flow });
}

/** Measures the number of running calls, which `count` returns. */
export function measureActiveCalls(count: () => number): void {
  const meter = openTelemetry.getMeterProvider().getMeter('roomflow');
  const gauge = meter.createObservableGauge('roomflow.calls.active', { description: 'Calls of this worker.' });
  gauge.addCallback((observed) => observed.observe(count()));
}

interface Instruments {
  readonly provider: MeterProvider;
  readonly begun: Counter;
  readonly ended: Counter;
  readonly refused: Counter;
  readonly duration: Histogram;
  readonly flows: LabelValues;
  readonly outcomes: LabelValues;
}

let known: Instruments | null = null;

/** Returns the instruments of the current provider, because an SDK may be set up late. */
function instrumentsNow(): Instruments {
  const provider = openTelemetry.getMeterProvider();
  if (known?.provider === provider) return known;
  const meter = provider.getMeter('roomflow');
  known = {
    provider,
    begun: meter.createCounter('roomflow.calls.begun', { description: 'Calls that have started or resumed.' }),
    ended: meter.createCounter('roomflow.calls.ended', { description: 'Calls that are over, by outcome.' }),
    refused: meter.createCounter('roomflow.calls.refused', { description: 'Calls refused by a full worker.' }),
    duration: meter.createHistogram('roomflow.call.seconds', {
      unit: 's',
      description: 'Length of a call in one process.',
      advice: { explicitBucketBoundaries: [5, 15, 30, 60, 120, 180, 300, 600, 1_200, 1_800, 3_600] },
    }),
    flows: createLabelValues(),
    outcomes: createLabelValues(),
  };
  return known;
}
