import { readdirSync } from 'node:fs';
import { challengePath, isToken, keptToken, newChallenge, proofOf, tokenFolder } from '../../studio/token.ts';

/** Timeout for the answer of a studio on this machine, in milliseconds. */
const longestMs = 500;
/** Maximum length of an answer in characters; a proof has 43. Another program may answer with more. */
const longestAnswer = 200;

/** Returns the address of a studio on this machine, with its token; null if none runs. */
export async function runningStudio(env: NodeJS.ProcessEnv): Promise<string | null> {
  const folder = tokenFolder(env);
  const asked = portsIn(folder).map(async (port) => {
    const token = keptToken(port, folder);
    return (await holdsToken(port, token)) ? `http://127.0.0.1:${port}/?token=${token}` : null;
  });
  return (await Promise.all(asked)).find((one) => one !== null) ?? null;
}

/** Lists the ports at which this user has ever run a studio. */
function portsIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const port = Number(/^studio-(\d{1,5})$/.exec(name)?.[1] ?? 0);
      return port > 0 ? [port] : [];
    });
  } catch {
    return [];
  }
}

/** Checks by challenge and response whether the program at a port holds the token. The token itself is not sent. */
async function holdsToken(port: number, token: string): Promise<boolean> {
  const challenge = newChallenge();
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${challengePath}?challenge=${challenge}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(longestMs),
    });
    const length = Number(answer.headers.get('content-length') ?? Infinity);
    if (answer.status !== 200 || length > longestAnswer) return false;
    return isToken(proofOf(token, challenge) ?? '', await answer.text());
  } catch {
    return false;
  }
}
