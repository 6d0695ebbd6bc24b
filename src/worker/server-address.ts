import { FlowError } from '../model/errors.ts';

/** The address and API key of a LiveKit server. */
export interface ServerAddress {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Returns the address of a server's API, which is the one of its rooms by HTTP. */
export function apiAddress(url: string): string {
  return url.replace(/^ws/, 'http');
}

const names = ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'] as const;

/** Reads the address from the environment. Throws `server-unset` with the names of missing variables. */
export function serverAddress(env: NodeJS.ProcessEnv): ServerAddress {
  const missing = names.filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0)
    throw new FlowError('server-unset', `set ${missing.join(', ')} in the environment, as your LiveKit server has it.`);
  const [url = '', apiKey = '', apiSecret = ''] = names.map((name) => env[name]);
  if (!URL.canParse(url) || !/^(ws|http)s?:$/.test(new URL(url).protocol))
    throw new FlowError('server-unset', 'LIVEKIT_URL is not an address. Write it like ws://127.0.0.1:7880.');
  return { url, apiKey, apiSecret };
}
