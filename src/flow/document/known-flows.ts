import { classic } from './classic.ts';

/** Returns the message about an unknown flow at a place. */
export function unknownFlow(place: string, flow: string, flows: Iterable<string>): string {
  return `${place}: flow "${flow}" is not among flows (${[...flows].join(', ') || 'there are none'}). Add it or name another.`;
}

interface WithFallback {
  readonly fallback?: string | undefined;
  readonly flows?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: unknown;
}

/** Returns the fault of a fallback, which must be a known flow, or `classic` with a prompt; null if it is valid. */
export function fallbackFault({ fallback, flows = {}, prompt }: WithFallback): string | null {
  if (fallback === undefined || Object.hasOwn(flows, fallback) || (fallback === classic && prompt !== undefined))
    return null;
  return unknownFlow('fallback', fallback, Object.keys(flows));
}
