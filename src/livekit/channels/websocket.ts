import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import { assertOptions, optionShapes, type OptionShapes } from '../../flow/document/problems/option-faults.ts';
import type { Channel, ChannelRun } from '../../model/ports/channel.ts';
import type { Clock } from '../../model/ports/time.ts';
import { systemClock } from '../../system.ts';
import { type ClientFrame, parseFrame, type ServerFrame } from './websocket-frames.ts';

/** Limits for the clients of a WebSocket channel. */
export interface WebSocketChannelOptions {
  /** Maximum size of a client's frame; a larger one closes the connection. Default: 65,536 bytes. */
  readonly largestFrameBytes?: number;
  /** Maximum unread output of a client; above it the connection is closed, and the client may reconnect for what it missed. Default: 1 MiB. */
  readonly mostUnreadBytes?: number;
  /** Ping interval in milliseconds; a client that does not answer before the next ping is disconnected. Default: 30,000. */
  readonly heartbeatMs?: number;
  /** Clock of the heartbeat. */
  readonly clock?: Clock;
}

const shapes: OptionShapes<WebSocketChannelOptions> = {
  largestFrameBytes: optionShapes.amount,
  mostUnreadBytes: optionShapes.amount,
  heartbeatMs: optionShapes.amount,
  clock: optionShapes.clock,
};

/** The channel's requirements on a socket; sockets of package `ws` meet them. */
export interface ChannelSocket {
  readonly readyState: number;
  readonly OPEN: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code: number, reason: string): void;
  ping(): void;
  terminate(): void;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'pong', listener: () => void): unknown;
}

/** A channel for programs: any number of sockets exchange JSON frames with the run. */
export interface WebSocketChannel extends Channel {
  readonly largestFrameBytes: number;
  /**
   * Connects an authenticated socket. `fromSeq` first replays buffered events from
   * that one on; `mayEnd` allows ending the run or an agent's run. Throws nothing.
   */
  connect(socket: ChannelSocket, options?: { readonly fromSeq?: number; readonly mayEnd?: boolean }): void;
}

interface Client {
  readonly socket: ChannelSocket;
  readonly fromSeq: number | undefined;
  readonly mayEnd: boolean;
  leave: () => void;
  /** Whether the client has answered the last ping. */
  isAlive: boolean;
  stopBeating: () => void;
  /** Number of its turns without an answer. */
  openTurns: number;
}

interface OpenQuestion {
  readonly frame: ServerFrame;
  answer(text: string): void;
  end(): void;
}

/** How many turns of a client may wait for their answers. */
const mostOpenTurns = 32;

/** WebSocket close codes. */
const closing = { over: 1000, tooLarge: 1009, tooSlow: 1013 } as const;

/**
 * Creates a channel over WebSockets; `serveChannel` opens a server for it. Texts that clients `send` are the caller's turns,
 * and any of them may answer a question. An invalid frame is answered by an `error` frame. Frames are `ClientFrame` and
 * `ServerFrame`. Throws nothing; a question throws `no-answer` if it is withdrawn.
 *
 * @example
 * const channel = createWebSocketChannel();
 * await serveChannel(channel, { port: 8080, token: 'sixteen random characters' });
 */
export function createWebSocketChannel(options: WebSocketChannelOptions = {}): WebSocketChannel {
  assertOptions(options, shapes);
  const { largestFrameBytes = 65_536, mostUnreadBytes = 1_048_576 } = options;
  const { heartbeatMs = 30_000, clock = systemClock } = options;
  const clients = new Set<Client>();
  const questions = new Map<number, OpenQuestion>();
  const answers = new Set<Promise<void>>();
  let asked = 0;
  let run: ChannelRun | null = null;
  let isOver = false;

  const forget = (client: Client): void => {
    client.leave();
    client.stopBeating();
    clients.delete(client);
  };
  const drop = (client: Client, code: number, reason: string): void => {
    forget(client);
    client.socket.close(code, reason);
  };
  /** A vanished peer closes nothing; it is detected by missing answers. */
  const beat = (client: Client): void => {
    client.stopBeating = clock.schedule(heartbeatMs, () => {
      const { socket } = client;
      if (!client.isAlive) {
        forget(client);
        socket.terminate();
        return;
      }
      client.isAlive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
      beat(client);
    });
  };
  const write = (client: Client, text: string): void => {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) return;
    const unread = socket.bufferedAmount;
    // A single large event does not count as slowness, because it would be as large after a reconnect.
    if (unread > 0 && unread + text.length > mostUnreadBytes) drop(client, closing.tooSlow, 'It reads too slowly.');
    else socket.send(text);
  };
  const tell = (client: Client, frame: ServerFrame): void => write(client, JSON.stringify(frame));
  const tellAll = (frame: ServerFrame): void => {
    const text = JSON.stringify(frame);
    for (const client of clients) write(client, text);
  };
  const begin = (client: Client, attached: ChannelRun): void => {
    tell(client, { type: 'hello', sessionId: attached.sessionId });
    const { fromSeq } = client;
    const hear = (event: Event): void => tell(client, { type: 'event', event });
    client.leave = attached.subscribe('*', hear, fromSeq === undefined ? {} : { fromSeq });
    for (const { frame } of questions.values()) tell(client, frame);
  };

  const follow = async (client: Client, attached: ChannelRun, frame: ClientFrame): Promise<ServerFrame> => {
    const id = frame.id === undefined ? {} : { id: frame.id };
    if ((frame.type === 'abort' || frame.type === 'close_run') && !client.mayEnd)
      return { type: 'error', ...id, code: 'not-allowed', message: 'only an operator may end a run.' };
    switch (frame.type) {
      case 'send': {
        if (client.openTurns >= mostOpenTurns)
          return {
            type: 'error',
            ...id,
            code: 'busy',
            message: 'too many turns wait for their answers. Wait for one of them.',
          };
        client.openTurns += 1;
        const { text, event_id: eventId } = frame;
        const outcome = await attached
          .send(text, eventId === undefined ? {} : { eventId })
          .finally(() => (client.openTurns -= 1));
        return { type: 'result', ...id, outcome };
      }
      case 'send_to':
      case 'send_to_run':
      case 'close_run': {
        const sent = sendTo(attached, frame);
        if (!sent.ok) return { type: 'error', ...id, code: sent.code, message: sent.message };
        return { type: 'result', ...id, outcome: 'taken', run: sent.runId };
      }
      case 'answer': {
        const question = questions.get(frame.question);
        if (question === undefined)
          return {
            type: 'error',
            ...id,
            code: 'question-over',
            message: 'the question is over.',
          };
        question.answer(frame.text);
        return { type: 'result', ...id, outcome: 'taken' };
      }
      case 'abort':
        attached.abort();
        return { type: 'result', ...id, outcome: 'taken' };
    }
  };
  const take = async (client: Client, text: string): Promise<void> => {
    const parsed = parseFrame(text);
    if (!parsed.ok) tell(client, { type: 'error', code: 'frame-invalid', message: parsed.message });
    else if (run === null) tell(client, { type: 'error', code: 'not-started', message: 'the run has not begun.' });
    else tell(client, await follow(client, run, parsed.frame));
  };

  return {
    name: 'websocket',
    largestFrameBytes,
    connect(socket, { fromSeq, mayEnd = false } = {}) {
      const nothing = (): void => undefined;
      const state = { leave: nothing, isAlive: true, stopBeating: nothing, openTurns: 0 };
      const client: Client = { socket, fromSeq, mayEnd, ...state };
      clients.add(client);
      beat(client);
      // A failing socket also closes.
      socket.on('error', () => undefined);
      socket.on('close', () => forget(client));
      socket.on('pong', () => (client.isAlive = true));
      socket.on('message', (data, isBinary) => {
        // A closing connection may still deliver earlier frames.
        if (!clients.has(client)) return;
        const text = !isBinary && Buffer.isBuffer(data) ? data.toString('utf8') : '';
        if (text.length > largestFrameBytes) drop(client, closing.tooLarge, 'The frame is too large.');
        else {
          const answered = take(client, text)
            .catch(() => tell(client, { type: 'error', code: 'internal', message: 'the frame could not be followed.' }))
            .finally(() => answers.delete(answered));
          answers.add(answered);
        }
      });
      if (isOver) drop(client, closing.over, 'The run is over.');
      else if (run !== null) begin(client, run);
    },
    onStart(attached) {
      run = attached;
      for (const client of clients) begin(client, attached);
      return Promise.resolve();
    },
    async onComplete() {
      isOver = true;
      for (const question of questions.values()) question.end();
      await Promise.all(answers);
      for (const client of clients) drop(client, closing.over, 'The run is over.');
    },
    onSpeech: (text) => Promise.resolve(tellAll({ type: 'speech', text })),
    onSpeechEnd: () => tellAll({ type: 'speech_end' }),
    ask: (text, choices, signal) =>
      new Promise((resolve, reject) => {
        const question = (asked += 1);
        const close = (): void => {
          questions.delete(question);
          signal.removeEventListener('abort', takeBack);
          tellAll({ type: 'question_over', question });
        };
        const takeBack = (): void => {
          close();
          reject(new FlowError('no-answer', 'the question was taken back before it was answered.'));
        };
        const frame: ServerFrame = { type: 'question', question, text, choices };
        questions.set(question, {
          frame,
          answer(given) {
            close();
            resolve(given);
          },
          end: takeBack,
        });
        signal.addEventListener('abort', takeBack);
        tellAll(frame);
      }),
  };
}

function sendTo(
  run: ChannelRun,
  frame: Extract<ClientFrame, { type: 'send_to' | 'send_to_run' | 'close_run' }>,
): ReturnType<ChannelRun['sendTo']> {
  if (frame.type === 'send_to') return run.sendTo(frame.node, frame.text);
  return frame.type === 'send_to_run' ? run.sendToRun(frame.run, frame.text) : run.closeRun(frame.run);
}
