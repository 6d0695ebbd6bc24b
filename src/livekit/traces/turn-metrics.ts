import { type Counter, type Histogram, type MeterProvider, metrics as openTelemetry } from '@opentelemetry/api';
import type { TurnTrace } from '../../model/events/turn-trace.ts';
import { createLabelValues, type LabelValues } from './label-values.ts';

/** A turn with the name of its flow. */
export interface MeasuredTurn {
  readonly flow: string;
  readonly trace: TurnTrace;
}

/**
 * Adds a turn to the metrics of the current OpenTelemetry SDK, such as the server's for
 * Prometheus; without an SDK it does nothing. Labels are names of the configuration, never ids.
 */
export function measureTurn({ flow: name, trace }: MeasuredTurn): void {
  const to = instrumentsNow();
  const flow = to.flows.of(name);
  const { via, outcome, moments, tokens, cost } = trace;
  to.turns.add(1, { flow, via, outcome });
  to.inferences.add(trace.inferences, { flow });
  to.transitions.add(trace.transitions, { flow });
  to.interruptions.add(trace.interruptions, { flow });
  if (cost === null) to.unpriced.add(1, { flow });
  else to.cost.add(cost, { flow });
  const { speechEnded, requested, firstToken, firstAudio } = moments;
  if (speechEnded !== undefined && firstAudio !== undefined)
    to.response.record((firstAudio - speechEnded) / 1_000, { flow });
  if (requested !== undefined && firstToken !== undefined)
    to.firstToken.record((firstToken - requested) / 1_000, { flow });
  if (tokens.input + tokens.output > 0) measureTokens(to, trace);
  for (const span of trace.spans) {
    if (span.ms === null) continue;
    if (span.name === 'flow.commit') to.commit.record(span.ms / 1_000);
    if (span.name === 'execute_tool' && span.state !== undefined)
      to.tool.record(span.ms / 1_000, { tool: to.tools.of(span.tool), state: span.state });
  }
}

function measureTokens(to: Instruments, { spans }: TurnTrace): void {
  for (const span of spans) {
    if (span.name !== 'chat' || span.tokens === undefined) continue;
    const model = to.models.of(span.model);
    const { input, output, cached } = span.tokens;
    to.tokens.add(input - cached, { model, type: 'input' });
    to.tokens.add(cached, { model, type: 'cached' });
    to.tokens.add(output, { model, type: 'output' });
  }
}

interface Instruments {
  readonly provider: MeterProvider;
  readonly turns: Counter;
  readonly inferences: Counter;
  readonly transitions: Counter;
  readonly interruptions: Counter;
  readonly tokens: Counter;
  readonly cost: Counter;
  readonly unpriced: Counter;
  readonly response: Histogram;
  readonly firstToken: Histogram;
  readonly commit: Histogram;
  readonly tool: Histogram;
  readonly flows: LabelValues;
  readonly models: LabelValues;
  readonly tools: LabelValues;
}

let known: Instruments | null = null;

/** Returns the instruments of the current provider, because an SDK may be set up late. */
function instrumentsNow(): Instruments {
  const provider = openTelemetry.getMeterProvider();
  if (known?.provider !== provider) known = createInstruments(provider);
  return known;
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter('roomflow');
  const count = (name: string, description: string): Counter =>
    meter.createCounter(`roomflow.${name}`, { description });
  const seconds = (name: string, description: string, most: 'slow' | 'fast'): Histogram =>
    meter.createHistogram(`roomflow.${name}.seconds`, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: most === 'slow' ? slow : fast },
    });
  return {
    provider,
    turns: count('turns', 'Turns that are over.'),
    inferences: count('inferences', 'Requests for a reply of the model.'),
    transitions: count('transitions', 'Transitions from node to node.'),
    interruptions: count('interruptions', 'Speeches that the caller spoke over.'),
    tokens: count('tokens', 'Tokens, by model; those that the provider had cached apart from other input.'),
    cost: count('cost', 'Cost of tokens, by the prices of the configuration.'),
    unpriced: count('unpriced.turns', 'Turns with a model that has no price.'),
    response: seconds('response', 'From the end of the caller’s speech to the first sound of the answer.', 'slow'),
    firstToken: seconds('first_token', 'From the first request of a turn to the first word or call.', 'slow'),
    commit: seconds('commit', 'Making steps durable.', 'fast'),
    tool: seconds('tool', 'Functions, with all their attempts.', 'slow'),
    flows: createLabelValues(),
    models: createLabelValues(),
    tools: createLabelValues(),
  };
}

const slow = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];
const fast = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];
