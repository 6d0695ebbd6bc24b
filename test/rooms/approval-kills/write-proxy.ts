import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { joinSockets } from '../../durable/dropping-proxy.ts';

/** Before or after the nth commit or post of all processes together. */
export interface KillPoint {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** A proxy to Postgres that counts commits and posts, and breaks for good at one of them. */
export interface WriteProxy {
  readonly port: number;
  /** Number of commits and posts so far. */
  readonly writes: number;
  /** Rejects once the proxy is broken. From then on the processes behind it cannot write. */
  readonly broken: Promise<never>;
  /** Accepts connections again for a new life. With null it does not break again. */
  revive(point: KillPoint | null): void;
  close(): Promise<void>;
}

/** The reason to kill everything now. */
export class Broken extends Error {}

/** The store's prepared statements that make a step or a post durable. */
const statements: ReadonlySet<string> = new Set(['roomflow-commit', 'roomflow-post']);

export async function openWriteProxy(target: { readonly host: string; readonly port: number }): Promise<WriteProxy> {
  const sockets = new Set<Socket>();
  let writes = 0;
  let point: KillPoint | null = null;
  let isBroken = false;
  let tell: (reason: Broken) => void = () => undefined;
  let broken = new Promise<never>(() => undefined);
  const breakOff = (): void => {
    isBroken = true;
    for (const socket of sockets) socket.destroy();
    tell(new Broken(`${point?.when} write ${point?.nth}`));
  };
  const server = createServer((client) => {
    if (isBroken) return void client.destroy();
    const upstream = connect(target.port, target.host);
    let isAwaited = false;
    joinSockets(client, upstream, sockets);
    const read = createReader(() => {
      writes += 1;
      if (point?.nth !== writes) return false;
      isAwaited = point.when === 'after';
      return point.when === 'before';
    });
    client.on('data', (data) => {
      if (read(data)) breakOff();
      else upstream.write(data);
    });
    upstream.on('data', (data) => {
      // ReadyForQuery ends an answer: the statement is done, but its client does not learn it.
      if (isAwaited && data.at(-6) === 'Z'.charCodeAt(0)) breakOff();
      else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // It listens on a port, not on a pipe.
    get writes() {
      return writes;
    },
    get broken() {
      return broken;
    },
    revive(next) {
      point = next;
      isBroken = false;
      broken = new Promise((_resolve, reject) => (tell = reject));
      // Prevents an unhandled rejection if no step waits for it.
      broken.catch(() => undefined);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the messages of a Postgres client and reports each named statement. Returns true if the statement must not pass. */
function createReader(onWrite: () => boolean): (data: Buffer) => boolean {
  let rest = Buffer.alloc(0);
  let isGreeted = false;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    let isHeld = false;
    for (;;) {
      // The first message has no type.
      const head = isGreeted ? 1 : 0;
      if (rest.length < head + 4) return isHeld;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return isHeld;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (isGreeted && message[0] === 'B'.charCodeAt(0)) {
        const [, statement = ''] = message.subarray(5).toString('latin1').split('\0', 2);
        if (statements.has(statement)) isHeld = onWrite() || isHeld;
      }
      isGreeted = true;
    }
  };
}
