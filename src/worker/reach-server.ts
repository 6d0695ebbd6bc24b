import { RoomServiceClient, ServerError } from 'livekit-server-sdk';
import { FlowError } from '../model/errors.ts';
import type { Clock } from '../model/ports/time.ts';
import { apiAddress, type ServerAddress } from './server-address.ts';

const defaultAttempts = 5;

/**
 * Requests the server's rooms, so that a wrong address or key is reported first.
 * Throws `server-unreachable` after `attempts` attempts, or `server-refused` at once.
 */
export async function reachServer(
  { url, apiKey, apiSecret }: ServerAddress,
  attempts: number = defaultAttempts,
  clock: Clock,
  onRetry: (line: string) => void = () => undefined,
): Promise<void> {
  const client = new RoomServiceClient(apiAddress(url), apiKey, apiSecret, { requestTimeout: 5 });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.listRooms();
      return;
    } catch (cause) {
      if (isRefusal(cause))
        throw new FlowError(
          'server-refused',
          `${hostOf(url)} rejects these keys. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET to those of the server.`,
          { cause },
        );
      const line = `no LiveKit server answers at ${hostOf(url)}. Start it, or set LIVEKIT_URL to its address.`;
      if (attempt >= attempts) throw new FlowError('server-unreachable', line, { cause });
      onRetry(`${line} (attempt ${attempt} of ${attempts})`);
      const delayMs = Math.min(2 ** (attempt - 1), 10) * 1_000;
      await new Promise<void>((resolve) => clock.schedule(delayMs, resolve));
    }
  }
}

/** Returns an address without credentials. */
function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServerError && (error.status === 401 || error.status === 403);
}
