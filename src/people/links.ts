import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { FlowError } from '../model/errors.ts';
import type { EffectKey } from '../model/effect.ts';
import type { Clock } from '../model/ports/time.ts';

/** The rights of a signed link: to decide one wait, in one of the given ways, once, until it expires. */
export interface LinkGrant {
  /** Unique; consumed with the decision. */
  readonly id: string;
  readonly sessionId: string;
  /** The key of the wait. */
  readonly key: EffectKey;
  /** The queue or person that receives the link. */
  readonly to: string;
  readonly decisions: readonly string[];
  /** The hash of the facts shown with the link. */
  readonly factsHash: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The result of reading a token. `forged`: the signature is not valid, or the text is not a token. */
export type LinkReading =
  | { readonly state: 'valid' | 'expired'; readonly grant: LinkGrant }
  | { readonly state: 'forged' };

/** Creates and reads the tokens of action links. */
export interface LinkSigner {
  /** Returns a token for a URL: the grant and its HMAC-SHA-256, in base64url. */
  sign(grant: LinkGrant): string;
  /** Reads a token. The store knows whether it was used. */
  read(token: string): LinkReading;
}

/** Environment variables of the current secret and of the previous one, whose links remain valid. */
const linkSecretNames = ['ROOMFLOW_LINK_SECRET', 'ROOMFLOW_LINK_SECRET_PREVIOUS'] as const;

const shortestSecret = 32;
const longestToken = 8_192;
/** Binds a signature to this use of the secret. */
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
 * Creates the signer of an environment; null without a secret, which disables links. Throws `link-secret-weak` if a
 * secret has fewer than 32 characters.
 */
export function linkSignerOf(env: Readonly<Record<string, string | undefined>>, clock: Clock): LinkSigner | null {
  const [secret, previous] = linkSecretNames.map((name) => secretIn(env, name));
  if (secret === undefined || secret === null) return null;
  return createLinkSigner({ secret, previous: previous ?? null, clock });
}

/** Creates a signer. Links signed with the `previous` secret remain valid until they expire. */
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
      // All secrets are tried, so that the time does not reveal which one signed.
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

/** Compares in constant time; both signatures have the same length. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));
}

/** Returns null for a grant of another release with another shape. */
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
    `${name} has fewer than ${shortestSecret} characters. Use random ones, such as from "openssl rand -hex 32".`,
  );
}
