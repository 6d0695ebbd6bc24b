// `@livekit/agents` 1.9.0: spans hold the prompt, what was said and the arguments of functions. `LIVEKIT_TELEMETRY_ALLOW_PII=0`
// removes them from a tracer provider that is given to LiveKit, and not from the process's own one, which it takes else.
// Upstream: https://github.com/livekit/agents-js/pull/2411, which has the one and not the other.
// The fault itself: test/livekit/guards/trace-content.test.ts.
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
 * Makes LiveKit's spans leave without content, unless `LIVEKIT_TELEMETRY_ALLOW_PII` is on. A tracer provider that is given
 * to LiveKit with `allowPii` gets them. To be called before LiveKit is given one.
 */
export function withholdTraceContent(env: NodeJS.ProcessEnv): void {
  env[variable] ??= '0';
  if (!isOff(env[variable])) return;
  if (telemetry.tracer.getProvider() instanceof ProxyTracerProvider)
    telemetry.tracer.setProvider(new ContentFreeProvider());
}

/** Whether content may stand in spans: only where `LIVEKIT_TELEMETRY_ALLOW_PII` is on. */
export function mayTraceContent(env: NodeJS.ProcessEnv): boolean {
  return !isOff(env[variable] ?? '0');
}

/** Whether LiveKit takes the value for off. */
function isOff(value: string): boolean {
  return ['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}

/** What stands behind the guard, for spans that hold content only where it may stand in them; any other provider itself. */
export function behindContentGuard(provider: TracerProvider): TracerProvider {
  return provider instanceof ContentFreeProvider ? trace.getTracerProvider() : provider;
}

/** The tracer provider of the process, as it is when a span starts. LiveKit's cloud still sees that none was given. */
class ContentFreeProvider extends ProxyTracerProvider {
  override getTracer(...named: Parameters<ProxyTracerProvider['getTracer']>): Tracer {
    const tracer = (): Tracer => trace.getTracerProvider().getTracer(...named);
    const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span =>
      contentFree(tracer().startSpan(name, withoutContent(options), context));
    const startActiveSpan = (name: string, ...given: readonly unknown[]): unknown => {
      const run = given.at(-1) as (span: Span) => unknown; // The last argument of each form of it.
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

/** The same span; from here on its setters drop content. */
function contentFree(span: Span): Span {
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
      // Without attributes the time may stand in their place.
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

/** LiveKit marks content by a segment of the name; the conventions for models, and errors, have names of their own for it. */
function isContent(name: string): boolean {
  return /(^|\.)pii(\.|$)/i.test(name) || names.test(name);
}

const names =
  /^(?:gen_ai\.(?:input\.messages|output\.messages|system_instructions|tool\.(?:call\.(?:arguments|result)|description|definitions)|retrieval\.|memory\.|evaluation\.explanation|prompt\.variable)|exception\.(?:message|stacktrace))/;
