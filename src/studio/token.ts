import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** 32 random bytes, so that nobody guesses it. */
const tokenForm = /^[\w-]{43}$/;

/**
 * The token of the studio at a port, the same over restarts, so that a page that is open goes on: kept in a file that its owner
 * alone may read. Where no file can be kept it is a new one each time.
 */
export function keptToken(port: number, folder: string): string {
  const file = join(folder, `studio-${port}`);
  try {
    const kept = readFileSync(file, 'utf8').trim();
    // One that others could read may be known to them.
    chmodSync(file, 0o600);
    if (tokenForm.test(kept)) return kept;
  } catch {
    // There is none yet.
  }
  const token = randomBytes(32).toString('base64url');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, token, { mode: 0o600 });
  } catch {
    // It holds as long as this process.
  }
  return token;
}

/** Where tokens are kept: a folder of the user's. */
export function tokenFolder(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] ?? '';
  return join(state === '' ? join(homedir(), '.local', 'state') : state, 'roomflow');
}

/** Whether a text is the token; takes as long whatever it is. */
export function isToken(token: string, given: string | undefined): boolean {
  const [own, other] = [Buffer.from(token), Buffer.from(given ?? '')];
  return own.length === other.length && timingSafeEqual(own, other);
}

/** What a studio is asked to show that it is one. */
export const challengePath = '/api/proof';
const challengeForm = /^[\w-]{22,86}$/;

/** A challenge that nobody has been asked before. */
export function newChallenge(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What only a holder of the token can answer to a challenge, and what tells nothing of the token; null for a text that is no
 * challenge.
 */
export function proofOf(token: string, challenge: string): string | null {
  if (!challengeForm.test(challenge)) return null;
  return createHmac('sha256', token).update(`roomflow studio ${challenge}`).digest('base64url');
}
