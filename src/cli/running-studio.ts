import { readdirSync } from 'node:fs';
import { challengePath, isToken, keptToken, newChallenge, proofOf, tokenFolder } from '../studio/token.ts';

/** How long a studio may take to answer, in milliseconds: it is on this machine. */
const longestMs = 500;
/** A proof is 43 characters; another program may send more than anybody wants to read. */
const longestAnswer = 200;

/** The address of a studio that runs on this machine, with its token; null where none does. */
export async function runningStudio(env: NodeJS.ProcessEnv): Promise<string | null> {
  const folder = tokenFolder(env);
  const asked = portsIn(folder).map(async (port) => {
    const token = keptToken(port, folder);
    return (await holdsToken(port, token)) ? `http://127.0.0.1:${port}/?token=${token}` : null;
  });
  return (await Promise.all(asked)).find((one) => one !== null) ?? null;
}

/** The ports at which there ever was a studio of this user. */
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

/** Whether what answers there holds the token, which it is not sent: another program has another answer to the challenge. */
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
