import { classic } from './classic.ts';

/** What is told of a flow that is named at a place and is none of the flows. */
export function unknownFlow(place: string, flow: string, flows: Iterable<string>): string {
  return `${place}: flow "${flow}" is not among flows (${[...flows].join(', ') || 'there are none'}). Add it or name another.`;
}

interface WithFallback {
  readonly fallback?: string | undefined;
  readonly flows?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: unknown;
}

/** What is wrong with a fallback: a flow of these, or the prompt as `classic`. Null where nothing is. */
export function fallbackFault({ fallback, flows = {}, prompt }: WithFallback): string | null {
  if (fallback === undefined || Object.hasOwn(flows, fallback) || (fallback === classic && prompt !== undefined))
    return null;
  return unknownFlow('fallback', fallback, Object.keys(flows));
}
