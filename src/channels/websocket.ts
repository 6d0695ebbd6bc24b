import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import { assertOptions, optionShapes, type OptionShapes } from '../flow/option-faults.ts';
import type { Channel, ChannelRun } from '../ports/channel.ts';
import type { Clock } from '../ports/time.ts';
import { systemClock } from '../system.ts';
import { type ClientFrame, parseFrame, type ServerFrame } from './websocket-frames.ts';

/** What a WebSocket channel holds its clients to. */
export interface WebSocketChannelOptions {
  /** A larger frame of a client is refused, and the connection closed; 65,536 bytes unless told. */
  readonly largestFrameBytes?: number;
  /** A client that has left so much unread is let go, and may come back for what it missed; 1 MiB unless told. */
  readonly mostUnreadBytes?: number;
  /** A client that does not answer a ping before the next one is let go; one is sent every 30,000 milliseconds unless told. */
  readonly heartbeatMs?: number;
  /** What the heartbeat is measured by. */
  readonly clock?: Clock;
}

const shapes: OptionShapes<WebSocketChannelOptions> = {
  largestFrameBytes: optionShapes.amount,
  mostUnreadBytes: optionShapes.amount,
  heartbeatMs: optionShapes.amount,
  clock: optionShapes.clock,
};

/** What the channel needs of a socket: one of the package `ws` has it. */
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

/** A channel to programs: any number of sockets, each of which hears and says what the JSON frames can tell. */
export interface WebSocketChannel extends Channel {
  readonly largestFrameBytes: number;
  /**
   * Takes a socket that whoever calls this has let in. `fromSeq` first replays what is still held from that event on;
   * `mayEnd` lets it end the run, or the run of an agent, which no other client may. Throws nothing.
   */
  connect(socket: ChannelSocket, options?: { readonly fromSeq?: number; readonly mayEnd?: boolean }): void;
}

interface Client {
  readonly socket: ChannelSocket;
  readonly fromSeq: number | undefined;
  readonly mayEnd: boolean;
  leave: () => void;
  /** Whether it has answered the last ping. */
  isAlive: boolean;
  stopBeating: () => void;
  /** What it has said and nobody has answered yet. */
  openTurns: number;
}

interface OpenQuestion {
  readonly frame: ServerFrame;
  answer(text: string): void;
  end(): void;
}

/** How many turns of a client may wait for their answers. */
const mostOpenTurns = 32;

/** What closes a connection, as the protocol of WebSockets numbers it. */
const closing = { over: 1000, tooLarge: 1009, tooSlow: 1013 } as const;

/**
 * A channel over WebSockets; `serveChannel` opens a server for it. A conversation hears what clients `send` as the
 * caller's turns, and a question may be answered by any of them. What a client sends amiss is told to it by an `error`
 * frame. Frames are those of `ClientFrame` and `ServerFrame`. Throws nothing; a question throws `no-answer` where it is
 * taken back.
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
  /** A peer that vanished closes nothing: it is found out by what it does not answer. */
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
    // One large event is no slowness: it would be as large when the client has come back for it.
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
          return { type: 'error', ...id, code: 'busy', message: 'what was said before is to be answered first.' };
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
            message: 'nobody waits for an answer to this question.',
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
      // A socket that fails closes as well.
      socket.on('error', () => undefined);
      socket.on('close', () => forget(client));
      socket.on('pong', () => (client.isAlive = true));
      socket.on('message', (data, isBinary) => {
        // A connection that is closing may still bring what was sent before.
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
