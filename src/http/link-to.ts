import { FlowError } from '../model/errors.ts';
import type { LinkGrant } from '../people/links.ts';
import { endOf, isOpen, type PostedWait } from '../people/waits.ts';
import type { HttpParts } from './parts.ts';

/** Default lifetime of a link in milliseconds. */
const dayMs = 86_400_000;

/** Creates a link to decide a wait, by default for the person who is asked. Throws `wait-over`, or `links-off` without a secret. */
export function linkTo(
  { links, publicUrl, clock, ids }: Pick<HttpParts, 'links' | 'publicUrl' | 'clock' | 'ids'>,
  wait: PostedWait,
  { to, expiresInMs = dayMs }: { readonly to?: string; readonly expiresInMs?: number | undefined },
): { readonly url: string; readonly token: string; readonly grant: LinkGrant } {
  if (links === null || publicUrl === null)
    throw new FlowError('links-off', 'links need ROOMFLOW_LINK_SECRET in the environment and http.publicUrl.');
  const { key, payload } = wait.effect;
  if (!isOpen(wait.effect)) throw new FlowError('wait-over', 'the wait is over: there is nothing left to decide.');
  const grant = {
    id: ids.create('link'),
    sessionId: wait.sessionId,
    key,
    to: to ?? payload.to ?? '',
    decisions: [...payload.options],
    factsHash: payload.factsHash,
    expiresAt: Math.min(clock.now() + expiresInMs, endOf(wait)),
  };
  const token = links.sign(grant);
  return { url: `${publicUrl.replace(/\/+$/, '')}/approve/${token}`, token, grant };
}
