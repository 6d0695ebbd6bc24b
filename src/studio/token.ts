import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** 32 random bytes in base64url. */
const tokenForm = /^[\w-]{43}$/;

/**
 * Returns the token of the studio at a port. It is stored in a file that only its owner can read, so that open pages
 * survive a restart. If the file cannot be written, each start has a new token.
 */
export function keptToken(port: number, folder: string): string {
  const file = join(folder, `studio-${port}`);
  try {
    const kept = readFileSync(file, 'utf8').trim();
    // The file may have been readable for others.
    chmodSync(file, 0o600);
    if (tokenForm.test(kept)) return kept;
  } catch {
    // There is no token yet.
  }
  const token = randomBytes(32).toString('base64url');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, token, { mode: 0o600 });
  } catch {
    // The token is then valid for this process only.
  }
  return token;
}

/** Returns the folder of the tokens. */
export function tokenFolder(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] ?? '';
  return join(state === '' ? join(homedir(), '.local', 'state') : state, 'roomflow');
}

/** Checks a token in constant time. */
export function isToken(token: string, given: string | undefined): boolean {
  const [own, other] = [Buffer.from(token), Buffer.from(given ?? '')];
  return own.length === other.length && timingSafeEqual(own, other);
}

/** The path of the challenge that identifies a studio. */
export const challengePath = '/api/proof';
const challengeForm = /^[\w-]{22,86}$/;

/** Returns a new random challenge. */
export function newChallenge(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the answer to a challenge, which only a holder of the token can compute and which does not reveal the token;
 * null for an invalid challenge.
 */
export function proofOf(token: string, challenge: string): string | null {
  if (!challengeForm.test(challenge)) return null;
  return createHmac('sha256', token).update(`roomflow studio ${challenge}`).digest('base64url');
}
