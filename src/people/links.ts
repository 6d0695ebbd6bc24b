import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { FlowError } from '../errors.ts';
import type { EffectKey } from '../events/effect.ts';
import type { Clock } from '../ports/time.ts';

/** What a signed link lets its holder do: decide one wait, in one of the ways that it names, once, until it expires. */
export interface LinkGrant {
  /** Unique; consumed with the decision. */
  readonly id: string;
  readonly sessionId: string;
  /** The wait. */
  readonly key: EffectKey;
  /** The queue or person whom the link was made for. */
  readonly to: string;
  readonly decisions: readonly string[];
  /** Of the facts that were shown with the link. */
  readonly factsHash: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a token turned out to be. `forged`: no secret of ours has signed it, or it is no token at all. */
export type LinkReading =
  | { readonly state: 'valid' | 'expired'; readonly grant: LinkGrant }
  | { readonly state: 'forged' };

/** Makes and reads the tokens of links to act. */
export interface LinkSigner {
  /** A token for a URL: the grant and its HMAC-SHA-256, in base64url. */
  sign(grant: LinkGrant): string;
  /** Whether it has been used is for the store to say. */
  read(token: string): LinkReading;
}

/** The environment variables of the secrets: the one that signs, and the one before it, whose links still count. */
const linkSecretNames = ['ROOMFLOW_LINK_SECRET', 'ROOMFLOW_LINK_SECRET_PREVIOUS'] as const;

const shortestSecret = 32;
const longestToken = 8_192;
/** Ties a signature to this use of the secret. */
const purpose = 'roomflow-link-1.';

const grantSchema: z.ZodType<LinkGrant> = z.strictObject({
  id: z.string().min(1),
  sessionId: z.string().min(1),
  key: z.string().min(1),
  to: z.string(),
  decisions: z.array(z.string()),
  factsHash: z.string(),
  expiresAt: z.number(),
});

/**
 * The signer of an environment; null where it has no secret, and then there are no links. Throws `link-secret-weak` for
 * one of less than 32 characters.
 */
export function linkSignerOf(env: Readonly<Record<string, string | undefined>>, clock: Clock): LinkSigner | null {
  const [secret, previous] = linkSecretNames.map((name) => secretIn(env, name));
  if (secret === undefined || secret === null) return null;
  return createLinkSigner({ secret, previous: previous ?? null, clock });
}

/** `previous` is the secret before this one: links that it has signed count until they expire. */
export function createLinkSigner(options: {
  readonly secret: string;
  readonly previous: string | null;
  readonly clock: Clock;
}): LinkSigner {
  const { secret, previous, clock } = options;
  const secrets = previous === null ? [secret] : [secret, previous];
  return {
    sign(grant) {
      const payload = Buffer.from(JSON.stringify(grant)).toString('base64url');
      return `${payload}.${signatureOf(payload, secret)}`;
    },
    read(token) {
      const [, payload, signature] = (token.length <= longestToken && /^([\w-]+)\.([\w-]{43})$/.exec(token)) || [];
      if (payload === undefined || signature === undefined) return { state: 'forged' };
      // Each secret is tried, so that the time tells nothing of which one has signed.
      const isOurs = secrets.map((each) => isSame(signatureOf(payload, each), signature)).includes(true);
      const grant = isOurs ? grantOf(payload) : null;
      if (grant === null) return { state: 'forged' };
      return { state: clock.now() < grant.expiresAt ? 'valid' : 'expired', grant };
    },
  };
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(purpose).update(payload).digest('base64url');
}

/** In constant time; both are signatures of one length. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));
}

/** What was signed by another release may have another form. */
function grantOf(payload: string): LinkGrant | null {
  try {
    const parsed = grantSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function secretIn(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const secret = env[name] ?? '';
  if (secret === '') return null;
  if (secret.length >= shortestSecret) return secret;
  throw new FlowError(
    'link-secret-weak',
    `${name} has less than ${shortestSecret} characters. Take random ones, such as "openssl rand -hex 32" prints.`,
  );
}
