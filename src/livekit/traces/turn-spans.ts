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
} from '../../events/turn-trace.ts';
import type { SpanContent, ToldTurn } from '../../turn/engine/turn-sink.ts';
import type { LiveSession } from '../agent/live-session.ts';
import { behindContentGuard } from '../guards/trace-content.ts';

/**
 * Writes turns as spans of OpenTelemetry, to where LiveKit writes its own: `flow.turn` in the span of the session, and in it
 * a span for each of the trace, of the same name and times. Where no SDK of the user's is set up, and where a trace is not
 * sampled, nothing is made but the first one. A turn is to be noted when it is told, and written when there is time.
 */
export function createTurnSpans(session: LiveSession): (told: ToldTurn) => () => void {
  let known: { readonly provider: TracerProvider; readonly tracer: Tracer } | null = null;
  /** LiveKit forgets the span of a session as it closes, and the last turn ends then. */
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
      // Ten or so for each turn: what most of them have not is not made for them.
      let index = 0;
      for (const span of trace.spans) {
        const began = trace.startedAt + span.at;
        const attributes = attributesOf(span);
        if (content !== null) Object.assign(attributes, contentOf(content.spans[index]));
        const options: SpanOptions = { startTime: hrTime(began), attributes };
        const place = places[index] as SpanContext | undefined; // What `spanHere` gave.
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

/** The span of LiveKit's that is active where this is called, such as `llm_node`; undefined where none is recorded. */
export function spanHere(): SpanContext | undefined {
  const context = openTelemetry.getActiveSpan()?.spanContext();
  return context !== undefined && openTelemetry.isSpanContextValid(context) ? context : undefined;
}

const moments = Object.entries(momentNames) as [keyof TurnMoments, string][]; // Its own names.

/** One literal: it is made for each turn, and parts that are spread into it cost more than all else that is ours. */
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

/** A new map, by the conventions for models where those name it, in seconds as they do; by our own names else. */
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

/** LiveKit writes a span of its own for requests of its models, with the tokens: whoever adds them up must not find them twice. */
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

/** One link for each span: most places are those of few. */
function linksTo(places: readonly unknown[]): Link[] {
  const links: Link[] = [];
  for (const place of places) {
    if (place === undefined) continue;
    const context = place as SpanContext; // What `spanHere` gave.
    if (!links.some((link) => link.context.spanId === context.spanId)) links.push({ context });
  }
  return links;
}

/** As seconds and nanoseconds: a single number would be taken for the time since the process began, where it is small. */
function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1e6];
}
