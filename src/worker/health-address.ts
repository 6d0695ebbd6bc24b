import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AgentConfig } from '../config/config.ts';
import { FlowError } from '../model/errors.ts';

const loopback = '127.0.0.1';
const defaultPort = 8081;

/** Returns the address of a worker's health probe: `GET /` returns 200 while it is well, and 503 after it has lost its server. */
export function healthAddress({ healthHost, healthPort }: NonNullable<AgentConfig['worker']>): {
  readonly host: string;
  readonly port: number;
} {
  return { host: healthHost ?? loopback, port: healthPort ?? defaultPort };
}

/** Checks whether outside probes of a container or cluster cannot reach an address. */
export function isHiddenFromProbes(host: string, env: NodeJS.ProcessEnv): boolean {
  const isContained = 'KUBERNETES_SERVICE_HOST' in env || existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return isContained && (host === 'localhost' || host === '::1' || host.startsWith('127.'));
}

/**
 * Throws `port-taken` if the port is in use, `health-host` if this machine lacks the address, and
 * `port-refused` if the process may not listen. LiveKit would end with an exception without a remedy.
 */
export async function assertFree(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (cause) => reject(refusal(host, port, cause)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function refusal(host: string, port: number, cause: NodeJS.ErrnoException): FlowError {
  const options = { cause };
  if (cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND')
    return new FlowError(
      'health-host',
      `this machine has no address ${host}. Set worker.healthHost to 127.0.0.1, or to 0.0.0.0 in a container.`,
      options,
    );
  if (cause.code === 'EACCES')
    return new FlowError(
      'port-refused',
      `this process may not listen on port ${port}. Set worker.healthPort above 1023, or to 0.`,
      options,
    );
  return new FlowError(
    'port-taken',
    `port ${port} on ${host} is taken. Set worker.healthPort to a free one, or to 0.`,
    options,
  );
}
