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
} from '@opentelemetry/api';

const variable = 'LIVEKIT_TELEMETRY_ALLOW_PII';

/**
 * Traces leave without content unless somebody wants it: LiveKit gives exporters the prompts, the transcripts and the
 * arguments of functions otherwise. Where a tracer provider is given to LiveKit, LiveKit leaves them out then, unless it
 * is given with `allowPii`; where LiveKit takes the one of the process, nothing is left out by it, and is here. To be
 * called before either.
 */
export function withholdTraceContent(env: NodeJS.ProcessEnv): void {
  env[variable] ??= '0';
  if (!isOff(env[variable])) return;
  if (telemetry.tracer.getProvider() instanceof ProxyTracerProvider)
    telemetry.tracer.setProvider(new ContentFreeProvider());
}

/** As LiveKit reads it. */
function isOff(value: string): boolean {
  return ['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}

/** The provider of the process, whenever it comes, for spans without content. LiveKit's cloud still sees that none was given. */
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

/** The span itself, which takes no content from now on. */
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
