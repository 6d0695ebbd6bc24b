import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageserver';

/** The part of a WebSocket that sends and receives messages, as in the package `ws`. */
export interface MessageSocket {
  on(event: 'message', listener: (data: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  send(text: string, done: (error?: Error | null) => void): void;
  close(): void;
}

/**
 * Reads and writes the messages of an editor's server over a WebSocket, one JSON text per frame, as editors in a page
 * do. A frame that is not JSON closes the socket. The result can be spread into the options of `serveLanguage`.
 * @example
 * sockets.on('connection', (socket) => serveLanguage({ ...socketMessages(socket), root }));
 */
export function socketMessages(socket: MessageSocket): {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
} {
  return { reader: new SocketReader(socket), writer: new SocketWriter(socket) };
}

class SocketReader extends AbstractMessageReader {
  readonly #socket: MessageSocket;

  constructor(socket: MessageSocket) {
    super();
    this.#socket = socket;
    socket.on('close', () => this.fireClose());
    socket.on('error', (error) => this.fireError(error));
  }

  listen(callback: DataCallback): Disposable {
    this.#socket.on('message', (data) => {
      const message = messageIn(String(data));
      if (message === undefined) this.#socket.close();
      else callback(message);
    });
    return { dispose: () => undefined };
  }
}

class SocketWriter extends AbstractMessageWriter {
  readonly #socket: MessageSocket;
  #failures = 0;

  constructor(socket: MessageSocket) {
    super();
    this.#socket = socket;
    socket.on('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(JSON.stringify(message), (error) => {
        // `close` reports a disconnected client, so no caller has to wait for a message to it.
        if (error != null) this.fireError(error, message, ++this.#failures);
        resolve();
      });
    });
  }

  end(): void {
    this.#socket.close();
  }
}

function messageIn(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null && 'jsonrpc' in message ? (message as Message) : undefined; // It has the member.
  } catch {
    return undefined;
  }
}
