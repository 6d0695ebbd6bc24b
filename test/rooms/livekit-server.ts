import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';
import { type Leashed, startLeashed } from './leashed.ts';

/** A LiveKit server for one test run, on loopback. */
export interface LivekitServer {
  /** `ws://…`, for rooms. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The environment of a worker for this server. */
  readonly variables: Readonly<Record<string, string>>;
  /** Kills it like a crash and starts it again at the same address. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Why room tests are skipped without a server. */
export const noServer = 'no livekit-server (install Go 1.26 or put livekit-server on the PATH)';

/** Returns the server that `node .ci/setup.mjs rooms` found or built; null without one, which CI does not accept. */
export function findLivekitServer(): string | null {
  const named = env['ROOMFLOW_TEST_LIVEKIT'];
  const program = platform === 'win32' ? 'livekit-server.exe' : 'livekit-server';
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));
  const found =
    named === undefined || named === '' ? [...onPath, builtServer()].find((file) => existsSync(file)) : named;
  if (found === undefined && env['CI'] === 'true')
    throw new Error(`There is ${noServer}, and CI insists on room tests.`);
  return found ?? null;
}

/** Starts a server with its own ports and folder. It is not reachable from outside. */
export async function startLivekitServer(program: string): Promise<LivekitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-livekit-'));
  const port = await freePort();
  const config = join(folder, 'livekit.json');
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(configFor(port)));
  let server: Leashed | null = null;
  const start = async (): Promise<void> => {
    server = startLeashed(program, ['--config', config]);
    await server.hasSaid(/starting LiveKit server/);
    await answers(`http://127.0.0.1:${port}/`);
  };
  await start();
  const url = `ws://127.0.0.1:${port}`;
  return {
    url,
    apiKey,
    apiSecret,
    variables: {
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: apiKey,
      LIVEKIT_API_SECRET: apiSecret,
      // Tests use the same session names in each run. A test that needs persistence names its own store.
      ROOMFLOW_STORE: 'memory',
    },
    async restart() {
      await server?.kill();
      await start();
    },
    async stop() {
      await server?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a free port of loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

const apiKey = 'test';
const apiSecret = 'only-for-tests-on-this-machine-0123456789';

function configFor(port: number): object {
  return {
    port,
    bind_addresses: ['127.0.0.1'],
    log_level: 'info',
    keys: { [apiKey]: apiSecret },
    rtc: {
      // TCP would listen on every interface, regardless of bind_addresses.
      tcp_port: 0,
      port_range_start: 50_000,
      port_range_end: 50_900,
      use_external_ip: false,
      node_ip: '127.0.0.1',
      enable_loopback_candidate: true,
      interfaces: { includes: ['lo'] },
      ips: { includes: ['127.0.0.0/8'] },
      // Without any entry the server would send clients to public STUN servers. This one need not answer.
      stun_servers: ['127.0.0.1:3478'],
    },
    room: { auto_create: true, empty_timeout: 60, departure_timeout: 20 },
  };
}

function builtServer(): string {
  const root = join(import.meta.dirname, '../..');
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(root, 'test/livekit-server', file)));
  const suffix = platform === 'win32' ? '.exe' : '';
  return join(root, '.cache', `livekit-server-${hash.digest('hex').slice(0, 16)}${suffix}`);
}

async function answers(url: string): Promise<void> {
  const limit = Date.now() + 20_000;
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch (cause) {
      if (Date.now() > limit) throw new Error('livekit-server does not answer.', { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
