import { FlowError } from '../../model/errors.ts';

/** A JSON channel between two processes. */
export interface Wire {
  send(message: unknown): void;
  /** Sets the only listener. */
  listen(listener: (message: unknown) => void): void;
}

/** The functions that the other process may call, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Calls to the process at the other end. */
export interface Calls {
  /** Rejects with a FlowError of the handler's code. */
  call(name: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Sends a call without waiting for an answer. */
  tell(name: string, ...args: readonly unknown[]): void;
  /** Rejects all open and all later calls with this code. */
  end(code: string, message: string): void;
}

type Message =
  | { readonly call: string; readonly id?: number; readonly args: readonly unknown[] }
  | {
      readonly answer: number;
      readonly value?: unknown;
      readonly error?: { readonly code: string; readonly message: string };
    };

/** Makes calls over a wire and answers calls of the other end. Messages arrive in order. */
export function createCalls(wire: Wire, handlers: Handlers): Calls {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let last = 0;
  let ended: FlowError | null = null;
  wire.listen((given) => {
    const message = given as Message; // Both ends have the same release.
    if ('answer' in message) {
      const waiting = open.get(message.answer);
      open.delete(message.answer);
      const { error } = message;
      if (error === undefined) waiting?.resolve(message.value);
      else waiting?.reject(errorOf(error));
      return;
    }
    const { call, id, args } = message;
    const handler = handlers[call];
    const work = Promise.resolve().then(() => (handler as ((...args: unknown[]) => unknown) | undefined)?.(...args));
    if (id === undefined) return void work.catch(() => undefined);
    work.then(
      (value) => wire.send({ answer: id, value }),
      (error: unknown) => wire.send({ answer: id, error: described(error) }),
    );
  });
  return {
    call(name, ...args) {
      if (ended !== null) return Promise.reject(ended);
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        wire.send({ call: name, id, args: trimmed(args) });
      });
    },
    tell(name, ...args) {
      if (ended === null) wire.send({ call: name, args: trimmed(args) });
    },
    end(code, message) {
      ended = new FlowError(code, message);
      for (const waiting of open.values()) waiting.reject(ended);
      open.clear();
    },
  };
}

/** JSON would turn a trailing undefined into null. */
function trimmed(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, args.findLastIndex((one) => one !== undefined) + 1);
}

function described(error: unknown): { code: string; message: string } {
  if (error instanceof FlowError) return { code: error.code, message: error.message.replace(`${error.code}: `, '') };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

function errorOf({ code, message }: { readonly code: string; readonly message: string }): FlowError {
  return new FlowError(code, message);
}
