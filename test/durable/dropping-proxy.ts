import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to a server that can break in the middle of a conversation. */
export interface DroppingProxy {
  readonly port: number;
  /** Breaks every connection at the client's next request: before the server receives it, or before the answer. */
  dropNext(when: 'before' | 'after'): void;
  /** How often it has broken. */
  readonly drops: number;
  close(): Promise<void>;
}

export async function openDroppingProxy(target: {
  readonly host: string;
  readonly port: number;
  /** The proxy's port. Default: a free one. */
  readonly at?: number;
}): Promise<DroppingProxy> {
  const sockets = new Set<Socket>();
  let dropping: 'before' | 'after' | null = null;
  let drops = 0;
  const drop = (): void => {
    dropping = null;
    drops += 1;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server: Server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    let isAsking = false;
    joinSockets(client, upstream, sockets);
    client.on('data', (data) => {
      if (dropping === 'before') return drop();
      if (dropping === 'after') isAsking = true;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      // The server answers once the request is done.
      if (isAsking && dropping === 'after') return drop();
      client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(target.at ?? 0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // It listens on a port, not on a pipe.
    dropNext: (when) => void (dropping = when),
    get drops() {
      return drops;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Ends each socket with the other. Both are in `open` until then. */
export function joinSockets(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const socket of [client, upstream]) {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      client.destroy();
      upstream.destroy();
    });
  }
}
