import { readdirSync } from 'node:fs';
import { keptToken, tokenFolder } from '../studio/token.ts';

/** How long a studio may take to answer, in milliseconds: it is on this machine. */
const longestMs = 500;

/** The address of a studio that runs on this machine, with its token; null where none does. */
export async function runningStudio(env: NodeJS.ProcessEnv): Promise<string | null> {
  const folder = tokenFolder(env);
  const asked = portsIn(folder).map(async (port) => ((await isStudio(port)) ? port : null));
  const port = (await Promise.all(asked)).find((one) => one !== null);
  return port == null ? null : `http://127.0.0.1:${port}/?token=${keptToken(port, folder)}`;
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

/** Whether what answers there is a studio, told by how it refuses whoever has no token: another program is given none. */
async function isStudio(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(longestMs),
    });
    return answer.status === 401 && (await answer.text()).includes('Open the address that roomflow has printed.');
  } catch {
    return false;
  }
}
