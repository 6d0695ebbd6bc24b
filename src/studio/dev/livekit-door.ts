import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { VoiceOffer } from '../protocol.ts';

/** A LiveKit server for the calls of a studio. */
export interface LiveKitDoor {
  /** The voice offer that the page shows. */
  readonly offer: VoiceOffer;
  /**
   * Registers a listener for the unexpected end of a local server, which closes its rooms. The next call starts a new
   * server.
   */
  onGone(listener: () => void): void;
  /** Addresses that the page may connect to, for its content security policy. */
  readonly connects: readonly string[];
  /**
   * Creates tokens for the caller and the agent of one call. Starts a local server if needed. Throws `server-missing`.
   */
  open(sessionId: string): Promise<RoomKeys>;
  stop(): Promise<void>;
}

/** Tokens of a caller and an agent for one room. */
export interface RoomKeys {
  readonly url: string;
  readonly room: string;
  readonly caller: string;
  readonly callerToken: string;
  readonly agentToken: string;
}

interface Server {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * Interval and number of checks for a starting server. Checks are counted instead of time, because a busy or sleeping
 * machine checks less often.
 */
const lookEveryMs = 100;
const mostLooks = 200;
const caller = 'caller';

const byBrowser = 'Speech of the browser if available, else typing.';
const typing = `${byBrowser} For LiveKit voice put livekit-server on the PATH, or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET.`;

/**
 * Finds a LiveKit server: the one of LIVEKIT_URL, the program of ROOMFLOW_TEST_LIVEKIT or on the PATH, or the program
 * that the tests of a checkout have built. `lacks` returns why calls would have no voice even with a server; null if they
 * would.
 */
export function findLiveKit(
  env: NodeJS.ProcessEnv,
  root: string,
  clock: Clock,
  lacks: () => string | null,
): LiveKitDoor {
  const named = namedServer(env);
  const program = named === null ? programIn(env, root) : null;
  let starting: Promise<Started> | null = null;
  const gone = new Set<() => void>();
  const server = async (): Promise<Server> => {
    if (named !== null) return named;
    if (program === null) throw new FlowError('server-missing', `there is no LiveKit server. ${typing}`);
    starting ??= startServer(program, clock, () => {
      starting = null;
      for (const tell of gone) tell();
    }).catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return await starting;
  };
  return {
    get offer(): VoiceOffer {
      const missing = lacks();
      if (named === null && program === null) return { by: 'browser', how: typing };
      if (missing !== null) return { by: 'browser', how: `${byBrowser} ${missing}` };
      const where =
        named === null ? 'a local livekit-server, which starts with the first call' : 'the server of LIVEKIT_URL';
      return { by: 'livekit', how: `Voice through ${where}. To use the speech of the browser: --voice browser.` };
    },
    onGone: (listener) => void gone.add(listener),
    // The port of a local server is not known before it starts, but the page is loaded earlier.
    connects:
      named === null ? (program === null ? [] : bothSchemes('ws://127.0.0.1:*')) : bothSchemes(originOf(named.url)),
    async open(sessionId) {
      const { url, apiKey, apiSecret } = await server();
      // Loaded with the first call.
      const { AccessToken } = await import('livekit-server-sdk');
      const room = `studio-${sessionId}-${randomBytes(4).toString('hex')}`;
      const tokenOf = async (identity: string, isAgent: boolean): Promise<string> => {
        const token = new AccessToken(apiKey, apiSecret, { identity, ttl: '2h' });
        if (isAgent) token.kind = 'agent';
        token.addGrant({ room, roomJoin: true, canUpdateOwnMetadata: true, ...(isAgent ? { agent: true } : {}) });
        return await token.toJwt();
      };
      return { url, room, caller, callerToken: await tokenOf(caller, false), agentToken: await tokenOf('agent', true) };
    },
    async stop() {
      const running = starting === null ? null : await starting.catch(() => null);
      await running?.stop();
    },
  };
}

/** Uses no server even if there is one: the browser recognizes and speaks. */
export function noLiveKit(): LiveKitDoor {
  return {
    offer: {
      by: 'browser',
      how: `${byBrowser} Without --voice browser, a LiveKit server is used if available.`,
    },
    connects: [],
    onGone: () => undefined,
    open: () => Promise.reject(new FlowError('server-missing', `no LiveKit server is used. ${typing}`)),
    stop: () => Promise.resolve(),
  };
}

/** The page joins by WebSocket and checks failures by HTTP. */
function bothSchemes(address: string): readonly string[] {
  return [address.replace(/^http/, 'ws'), address.replace(/^ws/, 'http')];
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function namedServer(env: NodeJS.ProcessEnv): Server | null {
  const { LIVEKIT_URL: url = '', LIVEKIT_API_KEY: apiKey = '', LIVEKIT_API_SECRET: apiSecret = '' } = env;
  return url === '' || apiKey === '' || apiSecret === '' ? null : { url, apiKey, apiSecret };
}

function programIn(env: NodeJS.ProcessEnv, root: string): string | null {
  const named = env['ROOMFLOW_TEST_LIVEKIT'] ?? '';
  if (named !== '') return named;
  const name = process.platform === 'win32' ? 'livekit-server.exe' : 'livekit-server';
  const onPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = onPath.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const cache = join(root, '.cache');
  const built = existsSync(cache)
    ? readdirSync(cache).find((file) => /^livekit-server-[0-9a-f]{16}(?:\.exe)?$/.test(file))
    : undefined;
  return built === undefined ? null : join(cache, built);
}

interface Started extends Server {
  stop(): Promise<void>;
}

/** Starts a local server with its own random keys. `onGone` is called if it ends by itself after its start. */
async function startServer(program: string, clock: Clock, onGone: () => void): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-'));
  const port = await freePort();
  const [apiKey, apiSecret] = ['studio', randomBytes(32).toString('hex')];
  const config = join(folder, 'livekit.json');
  // JSON is valid YAML.
  writeFileSync(config, JSON.stringify(configOf(port, apiKey, apiSecret)), { mode: 0o600 });
  const child = spawn(program, ['--config', config], { stdio: 'ignore' });
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });
  const unleash = leash(child.pid, folder);
  void gone.then(unleash);
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    process.off('exit', onExit);
    await end(child, gone);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let looks = 0; looks < mostLooks && !isGone; looks += 1) {
    if (await answers(port)) {
      let isStopped = false;
      void gone.then(() => {
        if (isStopped) return;
        process.off('exit', onExit);
        rmSync(folder, { recursive: true, force: true });
        onGone();
      });
      const stopStarted = async (): Promise<void> => {
        isStopped = true;
        await stop();
      };
      return { url: `ws://127.0.0.1:${port}`, apiKey, apiSecret, stop: stopStarted };
    }
    await new Promise<void>((resolve) => void clock.schedule(lookEveryMs, resolve));
  }
  await stop();
  throw new FlowError(
    'server-missing',
    `livekit-server does not start (${program}). Run it by hand to see why, or type.`,
  );
}

/**
 * Ends a process and removes its folder when this process is gone, however it ended. A shell waits for the end of a
 * pipe that the system closes. Returns a function that cancels this. On Windows the process outlives a studio that is
 * killed.
 */
function leash(pid: number | undefined, folder: string): () => void {
  if (pid === undefined || process.platform === 'win32') return () => undefined;
  const script = 'read -r _; kill -9 "$1"; rm -rf "$2"';
  // Detached, so that a signal to the process group does not end the shell first.
  const holder = spawn('/bin/sh', ['-c', script, 'sh', String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  holder.on('error', () => undefined);
  holder.stdin.on('error', () => undefined);
  holder.unref();
  if (holder.stdin instanceof Socket) holder.stdin.unref();
  return () => void holder.kill('SIGKILL');
}

async function end(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const forced = systemTimeout(() => child.kill('SIGKILL'));
  await gone;
  forced();
}

/** Milliseconds; longer than a server needs to close its rooms. */
const endWithinMs = 3_000;

function systemTimeout(act: () => void): () => void {
  const timer = setTimeout(act, endWithinMs);
  return () => clearTimeout(timer);
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new FlowError('serve-failed', 'there is no free port on loopback.')),
      );
    });
  });
}

/** The server listens on loopback only and does not query its public address. */
function configOf(port: number, apiKey: string, apiSecret: string): object {
  return {
    port,
    bind_addresses: ['127.0.0.1'],
    log_level: 'error',
    keys: { [apiKey]: apiSecret },
    rtc: {
      // With TCP it would listen on all interfaces, regardless of bind_addresses.
      tcp_port: 0,
      port_range_start: 50_000,
      port_range_end: 50_900,
      use_external_ip: false,
      node_ip: '127.0.0.1',
      enable_loopback_candidate: true,
      interfaces: { includes: ['lo'] },
      ips: { includes: ['127.0.0.0/8'] },
      stun_servers: ['127.0.0.1:3478'],
    },
    room: { auto_create: true, empty_timeout: 60, departure_timeout: 20 },
  };
}
