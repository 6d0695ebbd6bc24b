// `@livekit/agents` 1.9.0: spans contain the prompt, speech and function arguments. `LIVEKIT_TELEMETRY_ALLOW_PII=0` removes them
// only from a tracer provider given to LiveKit, not from the process's global one, which is the default. Upstream:
// https://github.com/livekit/agents-js/pull/2411 covers only the former. Reproduced in test/livekit/guards/trace-content.test.ts.
import { telemetry } from '@livekit/agents';
import {
  type Attributes,
  type Context,
  context as openContext,
  ProxyTracerProvider,
  type Span,
  type SpanOptions,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';

const variable = 'LIVEKIT_TELEMETRY_ALLOW_PII';

/**
 * Removes content from LiveKit's spans, unless `LIVEKIT_TELEMETRY_ALLOW_PII` is on. A tracer
 * provider given to LiveKit with `allowPii` still receives it. Call it before LiveKit is given one.
 */
export function withholdTraceContent(env: NodeJS.ProcessEnv): void {
  env[variable] ??= '0';
  if (!isOff(env[variable])) return;
  if (telemetry.tracer.getProvider() instanceof ProxyTracerProvider)
    telemetry.tracer.setProvider(new ContentFreeProvider());
}

/** Checks whether spans may contain content: only if `LIVEKIT_TELEMETRY_ALLOW_PII` is on. */
export function mayTraceContent(env: NodeJS.ProcessEnv): boolean {
  return !isOff(env[variable] ?? '0');
}

/** Checks whether LiveKit reads the value as off. */
function isOff(value: string): boolean {
  return ['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}

/** Returns the provider behind the guard, for spans that contain content only if allowed; returns any other provider unchanged. */
export function behindContentGuard(provider: TracerProvider): TracerProvider {
  return provider instanceof ContentFreeProvider ? trace.getTracerProvider() : provider;
}

/** Uses the process's tracer provider at the time a span starts. LiveKit's cloud still sees that none was given. */
class ContentFreeProvider extends ProxyTracerProvider {
  override getTracer(...named: Parameters<ProxyTracerProvider['getTracer']>): Tracer {
    const tracer = (): Tracer => trace.getTracerProvider().getTracer(...named);
    const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span =>
      contentFree(tracer().startSpan(name, withoutContent(options), context));
    const startActiveSpan = (name: string, ...given: readonly unknown[]): unknown => {
      const run = given.at(-1) as (span: Span) => unknown; // The last argument of each overload.
      const [options, context] = given.slice(0, -1) as [SpanOptions?, Context?];
      const within = context ?? openContext.active();
      return tracer().startActiveSpan(name, withoutContent(options ?? {}), within, (span) => run(contentFree(span)));
    };
    return { startSpan, startActiveSpan: startActiveSpan };
  }
}

function withoutContent({ attributes, ...options }: SpanOptions): SpanOptions {
  return attributes === undefined ? options : { ...options, attributes: contentFreeAttributes(attributes) };
}

/** Replaces the span's setters by ones that drop content. */
function contentFree(span: Span): Span {
  // Without an SDK or sampling, the span keeps nothing.
  if (!span.isRecording()) return span;
  const setAttribute = span.setAttribute.bind(span);
  const setAttributes = span.setAttributes.bind(span);
  const addEvent = span.addEvent.bind(span);
  const setStatus = span.setStatus.bind(span);
  return Object.assign(span, {
    setAttribute: (...[name, value]: Parameters<Span['setAttribute']>) =>
      isContent(name) ? span : setAttribute(name, value),
    setAttributes: (attributes: Attributes) => setAttributes(contentFreeAttributes(attributes)),
    addEvent(...[name, attributes, time]: Parameters<Span['addEvent']>) {
      if (/^gen_ai\.(?:\w+\.message|choice|client\.inference)/.test(name)) return span;
      // Without attributes, the time may take their position.
      if (
        attributes === undefined ||
        typeof attributes !== 'object' ||
        Array.isArray(attributes) ||
        attributes instanceof Date
      )
        return addEvent(name, attributes, time);
      return addEvent(name, contentFreeAttributes(attributes), time);
    },
    // The text of an error may quote the caller.
    setStatus: ({ code }: Parameters<Span['setStatus']>[0]) => setStatus({ code }),
    recordException: (error: unknown) =>
      void addEvent('exception', { 'exception.type': error instanceof Error ? error.constructor.name : typeof error }),
  });
}

function contentFreeAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !isContent(name)));
}

/** LiveKit marks content by a segment of the name; the conventions for models and errors use specific names. */
function isContent(name: string): boolean {
  return /(^|\.)pii(\.|$)/i.test(name) || names.test(name);
}

const names =
  /^(?:gen_ai\.(?:input\.messages|output\.messages|system_instructions|tool\.(?:call\.(?:arguments|result)|description|definitions)|retrieval\.|memory\.|evaluation\.explanation|prompt\.variable)|exception\.(?:message|stacktrace))/;
