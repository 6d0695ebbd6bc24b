import { randomBytes, timingSafeEqual } from 'node:crypto';
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
