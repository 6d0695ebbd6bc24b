import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can break in the middle of a conversation. */
export interface DroppingProxy {
  readonly port: number;
  /** Breaks every connection at the next thing that the client asks: before the server hears it, or before its answer. */
  dropNext(when: 'before' | 'after'): void;
  /** How often it has broken. */
  readonly drops: number;
  close(): Promise<void>;
}

export async function openDroppingProxy(target: {
  readonly host: string;
  readonly port: number;
  /** The port of its own; a free one where absent. */
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
      // The server answers once it has done what it was asked.
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

/** The end of one socket is that of the other; both are among `open` while they last. */
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
