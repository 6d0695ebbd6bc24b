import { telemetry } from '@livekit/agents';
import {
  type Attributes,
  type Context,
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  type SpanOptions,
  SpanStatusCode,
  trace as openTelemetry,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import {
  hasFailed,
  momentNames,
  spanName,
  type TurnMoments,
  type TurnSpan,
  type TurnTrace,
} from '../../model/events/turn-trace.ts';
import type { SpanContent, ToldTurn } from '../../engine/commit/turn-sink.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { behindContentGuard } from '../guards/trace-content.ts';

/**
 * Writes turns as OpenTelemetry spans next to LiveKit's: `flow.turn` in the session's span, containing
 * one span per span of the trace with the same name and times. Without an SDK or sampling, only the
 * first span is created. Record a turn when it is published, and write it when there is time.
 */
export function createTurnSpans(session: LiveSession): (told: ToldTurn) => () => void {
  let known: { readonly provider: TracerProvider; readonly tracer: Tracer } | null = null;
  /** LiveKit drops a session's span when it closes, but the last turn ends then. */
  let within: Context = ROOT_CONTEXT;

  const tracerNow = (): Tracer => {
    const provider = behindContentGuard(telemetry.tracer.getProvider());
    if (known?.provider !== provider) known = { provider, tracer: provider.getTracer('roomflow') };
    return known.tracer;
  };

  const write = ({ trace, about, places, content }: ToldTurn, within: Context): void => {
    const tracer = tracerNow();
    const end = trace.startedAt + trace.ms;
    const startTime = hrTime(trace.startedAt);
    const turn = tracer.startSpan('flow.turn', { startTime, links: linksTo(places) }, within);
    if (turn.isRecording()) {
      const attributes = turnAttributes(trace, about);
      if (trace.cost !== null) attributes['flow.cost'] = trace.cost;
      if (content !== null) {
        attributes['flow.pii.said'] = content.said;
        attributes['flow.pii.heard'] = content.heard;
      }
      turn.setAttributes(attributes);
      for (const [moment, name] of moments) {
        const at = trace.moments[moment];
        if (at !== undefined) turn.addEvent(name, hrTime(trace.startedAt + at));
      }
      if (trace.outcome === 'failed') turn.setStatus({ code: SpanStatusCode.ERROR });
      const inTurn = openTelemetry.setSpan(within, turn);
      // Each turn has about ten spans, so optional data is created only as needed.
      let index = 0;
      for (const span of trace.spans) {
        const began = trace.startedAt + span.at;
        const attributes = attributesOf(span);
        if (content !== null) Object.assign(attributes, contentOf(content.spans[index]));
        const options: SpanOptions = { startTime: hrTime(began), attributes };
        const place = places[index] as SpanContext | undefined; // Created by `spanHere`.
        if (place !== undefined) options.links = [{ context: place }];
        index += 1;
        const one = tracer.startSpan(spanName(span), options, inTurn);
        if (hasFailed(span)) one.setStatus({ code: SpanStatusCode.ERROR });
        if (span.ms === null) one.setAttribute('flow.unfinished', true);
        one.end(hrTime(span.ms === null ? Math.max(end, began) : began + span.ms));
      }
    }
    turn.end(hrTime(end));
  };
  return (told) => {
    const parent = session.rootSpanContext ?? within;
    within = parent;
    return () => write(told, parent);
  };
}

/** Returns LiveKit's active span here, such as `llm_node`; undefined if none is recorded. */
export function spanHere(): SpanContext | undefined {
  const context = openTelemetry.getActiveSpan()?.spanContext();
  return context !== undefined && openTelemetry.isSpanContextValid(context) ? context : undefined;
}

const moments = Object.entries(momentNames) as [keyof TurnMoments, string][]; // Its own keys.

/** One literal, because spreading parts into it costs more than the rest of our work per turn. */
function turnAttributes(
  { nodes, via, outcome, inferences, transitions, interruptions, tokens }: TurnTrace,
  { sessionId = '', requestId = '', turnId = '', flowId = '', nodeId = '' }: ToldTurn['about'],
): Attributes {
  return {
    'flow.session.id': sessionId,
    'flow.request.id': requestId,
    'flow.turn.id': turnId,
    'flow.name': flowId,
    'flow.node': nodeId,
    'flow.nodes': [...nodes],
    'flow.turn.via': via,
    'flow.turn.outcome': outcome,
    'flow.turn.inferences': inferences,
    'flow.turn.transitions': transitions,
    'flow.turn.interruptions': interruptions,
    'flow.tokens.input': tokens.input,
    'flow.tokens.output': tokens.output,
    'flow.tokens.cached': tokens.cached,
  };
}

/** Returns a new map. Names and units (seconds) follow the OpenTelemetry conventions for models if they exist, else our own. */
function attributesOf(span: TurnSpan): Attributes {
  switch (span.name) {
    case 'flow.step':
      return span.to === undefined
        ? { 'flow.signal': span.signal, 'flow.node': span.node }
        : { 'flow.signal': span.signal, 'flow.node': span.node, 'flow.to': span.to };
    case 'chat':
      return {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': span.model,
        'gen_ai.provider.name': span.provider,
        'flow.request.use': span.use,
        ...(span.ttft === undefined ? {} : { 'gen_ai.response.time_to_first_chunk': span.ttft / 1_000 }),
        ...tokensOf(span),
      };
    case 'execute_tool':
      return {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': span.tool,
        'gen_ai.tool.type': 'function',
        ...(span.state === undefined ? {} : { 'flow.state': span.state }),
      };
    case 'flow.task':
      return { 'flow.node': span.node, ...(span.state === undefined ? {} : { 'flow.state': span.state }) };
    case 'flow.hook':
      return { 'flow.hook': span.hook };
    case 'flow.speak':
      return span.interrupted === true ? { 'flow.interrupted': true } : {};
    case 'flow.commit':
    case 'flow.listen':
      return {};
  }
}

/** Omits the token counts for LiveKit's models, because LiveKit writes spans with them and a sum must not count them twice. */
function tokensOf({ tokens, isLiveKits }: Extract<TurnSpan, { name: 'chat' }>): Attributes {
  if (tokens === undefined) return {};
  const { input, output, cached } = tokens;
  const counts = { 'flow.tokens.input': input, 'flow.tokens.output': output, 'flow.tokens.cached': cached };
  if (isLiveKits === true) return counts;
  return {
    ...counts,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cached,
  };
}

function contentOf(content: SpanContent | undefined): Attributes {
  if (content === undefined) return {};
  const { given, gave } = content;
  return {
    ...(given === undefined ? {} : { 'flow.pii.arguments': JSON.stringify(given) }),
    ...(gave === undefined ? {} : { 'flow.pii.result': JSON.stringify(gave) }),
  };
}

/** Returns one link per distinct span. */
function linksTo(places: readonly unknown[]): Link[] {
  const links: Link[] = [];
  for (const place of places) {
    if (place === undefined) continue;
    const context = place as SpanContext; // Created by `spanHere`.
    if (!links.some((link) => link.context.spanId === context.spanId)) links.push({ context });
  }
  return links;
}

/** Converts to seconds and nanoseconds, because OpenTelemetry reads a small single number as time since the process began. */
function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1e6];
}
