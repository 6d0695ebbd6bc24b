import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { serveChannel, type ServeChannelOptions } from '../../src/livekit/channels/serve-channel.ts';
import { createWebSocketChannel, type WebSocketChannelOptions } from '../../src/livekit/channels/websocket.ts';
import type { ServerFrame } from '../../src/livekit/channels/websocket-frames.ts';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { modelPort } from '../../src/livekit/model/model-port.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { silenceLivekit } from '../livekit/call-record.ts';
import { until } from '../livekit/until.ts';

silenceLivekit();

const token = 'a-token-of-tests-1';
const operatorToken = 'an-operator-of-tests-1';

async function served(options: Partial<ServeChannelOptions> & WebSocketChannelOptions = {}) {
  const channel = createWebSocketChannel(options);
  const server = await serveChannel(channel, { token, operatorToken, ...options });
  onTestFinished(() => server.close());
  return { channel, ...server };
}

/** A client that records each frame. */
async function client(url: string, query = `token=${token}`, settings: ClientOptions = {}) {
  const socket = new WebSocket(`${url}/?${query}`, settings);
  const frames: ServerFrame[] = [];
  let closed: number | null = null;
  socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString('utf8')) as ServerFrame));
  socket.on('close', (code) => (closed = code));
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const of = <Type extends ServerFrame['type']>(type: Type) =>
    frames.filter((frame): frame is Extract<ServerFrame, { type: Type }> => frame.type === type);
  return {
    socket,
    frames,
    of,
    get closed() {
      return closed;
    },
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    has: (type: ServerFrame['type'], count = 1) => until(() => of(type).length >= count, `${count} ${type}`),
    events: () => of('event').map(({ event }) => `${event.seq} ${event.type}`),
    isClosed: () => until(() => closed !== null, 'the connection to be closed'),
  };
}

const desk: ConversationFlow = {
  initialNode: 'hello',
  nodes: { hello: { say: 'Hello there.', defaultTransition: 'bye' }, bye: { say: 'Bye.', end: 'done' } },
};
const talk = () => createFlowRunner(desk, undefined, { model: modelPort(new ScriptedModel({})), sessionId: 'call' });

const gate = `
flow: {}
nodes:
  ask: { type: control.gate, input: { prompt: "Go on?", choices: [yes, no] } }
`;

describe('a conversation over a socket', () => {
  test('hears what a client sends as turns, and tells it what is said and what happens', async () => {
    const { channel, url } = await served();
    const one = await client(url);
    const running = talk().attach(channel).run();
    await one.has('speech_end');
    one.send({ type: 'send', text: 'Good morning', id: 7 });
    const { status } = await running;
    await one.isClosed();
    expect(status).toBe('complete');
    expect(one.frames[0]).toEqual({ type: 'hello', sessionId: 'call' });
    const speech = one.frames.flatMap((frame) =>
      frame.type === 'speech' ? frame.text : frame.type === 'speech_end' ? '|' : [],
    );
    expect(speech.join('')).toBe('Hello there.|Bye.|');
    expect(one.of('result')).toEqual([{ type: 'result', id: 7, outcome: 'taken' }]);
    expect(one.of('event').map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['harness:start', 'turn:started', 'flow:ended', 'harness:complete']),
    );
    expect(one.closed).toBe(1000);
  });

  test('replays what a client has missed that connects again, without a gap', async () => {
    const { channel, url } = await served();
    const running = talk().attach(channel).run();
    const first = await client(url, `token=${token}&from=1`);
    await until(() => first.events().some((line) => line.endsWith('node:entered')), 'the first node');
    const seen = first.of('event').at(-1)?.event.seq ?? 0;
    first.socket.terminate();
    const second = await client(url, `token=${token}&from=${seen + 1}`);
    second.send({ type: 'send', text: 'Hello' });
    const { events } = await running;
    await second.isClosed();
    const both = [...first.events(), ...second.events()];
    // Events after the end of the run are published once its channels are gone.
    expect(both).toEqual(events.map(({ seq, type }) => `${seq} ${type}`).slice(0, both.length));
    expect(both.at(-1)).toContain('harness:complete');
  });
});

describe('a question over a socket', () => {
  test('is answered by whoever is first, also by one who came later', async () => {
    const { channel, url } = await served();
    const running = createFlowRunner(gate, undefined, { channels: [channel] }).run();
    const early = await client(url);
    await early.has('question');
    const late = await client(url);
    await late.has('question');
    expect(late.of('question')).toEqual([{ type: 'question', question: 1, text: 'Go on?', choices: ['yes', 'no'] }]);
    late.send({ type: 'answer', question: 1, text: 'yes' });
    expect((await running).outputs).toEqual({ ask: { response: { content: 'yes', choice: 'yes' } } });
    await early.has('question_over');
  });

  test('that is over takes no answer, and the end of a run takes it back', async () => {
    const { channel, url } = await served();
    const instance = createFlowRunner(gate, undefined, { channels: [channel] });
    const one = await client(url, `token=${operatorToken}`);
    const running = instance.run();
    await one.has('question');
    one.send({ type: 'answer', question: 9, text: 'yes', id: 'a' });
    await one.has('error');
    expect(one.of('error')).toMatchObject([{ id: 'a', code: 'question-over' }]);
    one.send({ type: 'abort' });
    expect(await running).toMatchObject({ status: 'aborted' });
    await one.isClosed();
    expect(one.of('question_over')).toHaveLength(1);
  });
});

describe('a client', () => {
  test('is told of each frame that is none, and the run goes on', async () => {
    const { channel, url } = await served();
    const one = await client(url);
    const running = createFlowRunner(gate, undefined, { channels: [channel] }).run();
    await one.has('question');
    const wrong = [
      'no json',
      '[]',
      'null',
      '{"type":"shout","text":"x"}',
      '{"type":"send"}',
      '{"type":"send","text":"x","more":1}',
      '{"type":"__proto__"}',
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    ];
    for (const frame of wrong) one.send(frame);
    one.socket.send(Buffer.from([1, 2, 3]));
    await one.has('error', wrong.length + 1);
    expect(new Set(one.of('error').map(({ code }) => code))).toEqual(new Set(['frame-invalid']));
    one.send({ type: 'send_to', node: 'nobody', text: 'x', id: 1 });
    await one.has('error', wrong.length + 2);
    expect(one.of('error').at(-1)).toMatchObject({ id: 1, code: 'run-over' });
    one.send({ type: 'answer', question: 1, text: 'no' });
    expect(await running).toMatchObject({ status: 'complete' });
  });

  test('that sends too much is cut off, and costs nobody else anything', async () => {
    const { channel, url } = await served({ largestFrameBytes: 1_000 });
    const running = createFlowRunner(gate, undefined, { channels: [channel] }).run();
    const loud = await client(url);
    const calm = await client(url);
    loud.send({ type: 'send', text: 'x'.repeat(2_000) });
    await loud.isClosed();
    expect(loud.closed).toBe(1009);
    await calm.has('question');
    // The same limit applies to a socket that another server has accepted.
    const others = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => {
      others.close();
    });
    others.on('connection', (socket) => channel.connect(socket));
    await once(others, 'listening');
    const stranger = await client(`ws://127.0.0.1:${(others.address() as AddressInfo).port}`);
    await stranger.has('question');
    stranger.send({ type: 'send', text: 'x'.repeat(2_000) });
    // A client that was cut off is no longer read.
    stranger.send({ type: 'abort' });
    await stranger.isClosed();
    expect(stranger.closed).toBe(1009);
    calm.send({ type: 'answer', question: 1, text: 'yes' });
    expect(await running).toMatchObject({ status: 'complete' });
  });

  test('that reads too slowly is let go rather than kept for', async () => {
    const { channel, url } = await served();
    const one = await client(url);
    one.socket.pause();
    // More than the buffers of the operating system take.
    for (let megabyte = 0; megabyte < 40; megabyte += 1) await channel.onSpeech?.('x'.repeat(1_000_000));
    one.socket.resume();
    await one.isClosed();
    expect(one.closed).toBe(1013);
    expect(one.of('speech').length).toBeLessThan(40);
  });

  test('is sent what is larger by itself than all that may be unread', async () => {
    const { channel, url } = await served({ mostUnreadBytes: 2_000 });
    const one = await client(url);
    await channel.onSpeech?.('x'.repeat(5_000));
    await one.has('speech');
    expect(one.closed).toBeNull();
  });

  test('that does not answer a ping is let go after two intervals, and no timer outlives a connection', async () => {
    const clock = createVirtualClock();
    const { channel, url } = await served({ clock, heartbeatMs: 20_000 });
    const dead = await client(url, `token=${token}`, { autoPong: false });
    const alive = await client(url);
    for (let beat = 1; beat <= 3; beat += 1) {
      await clock.advance(20_000);
      // A frame that is sent after the answer to the first is read after the pong, which was sent before it.
      for (const half of [0, 1]) {
        alive.send('no json');
        await alive.has('error', 2 * beat - 1 + half);
      }
      if (beat > 1) await dead.isClosed();
    }
    expect([dead.closed, alive.closed]).toEqual([1006, null]);
    expect(clock.pending).toBe(1);
    await channel.onComplete?.();
    await alive.isClosed();
    expect(clock.pending).toBe(0);
  });

  test('that says more than anybody can answer is told so, and an operator may still end the run', async () => {
    const { channel, url } = await served();
    const one = await client(url, `token=${operatorToken}`);
    const instance = talk().attach(channel).startSession();
    await one.has('hello');
    for (let turn = 0; turn < 40; turn += 1) one.send({ type: 'send', text: 'Hello', id: turn });
    await one.has('error', 8);
    expect(one.of('error').map(({ id, code }) => `${id} ${code}`)).toEqual(
      Array.from({ length: 8 }, (_, turn) => `${turn + 32} busy`),
    );
    one.send({ type: 'abort' });
    await one.has('result');
    expect(await instance.run()).toMatchObject({ status: 'aborted' });
  });

  test('ends nothing unless it is an operator: the token of the channel lets it take part', async () => {
    const { channel, url } = await served();
    const running = createFlowRunner(gate, undefined, { channels: [channel] }).run();
    const one = await client(url);
    await one.has('question');
    one.send({ type: 'abort', id: 'a' });
    one.send({ type: 'close_run', run: 'r', id: 'b' });
    await one.has('error', 2);
    expect(one.of('error')).toMatchObject(['a', 'b'].map((id) => ({ id, code: 'not-allowed' })));
    one.send({ type: 'answer', question: 1, text: 'yes' });
    expect(await running).toMatchObject({ status: 'complete' });
  });

  test('gets in however many others have come before it and say nothing, and those are let go', async () => {
    const { url } = await served();
    const port = Number(new URL(url).port);
    let closed = 0;
    const half = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => (closed += 1));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
      return socket;
    });
    onTestFinished(() => half.forEach((socket) => void socket.destroy()));
    await until(
      () => closed >= 136,
      () => `136 of 200 to be let go, and not ${closed}`,
    );
    expect((await client(url)).closed).toBeNull();
  });

  test('is let in with the token only, and a page only from where it is expected', async () => {
    const { url } = await served({ origins: ['https://desk.example'], mostClients: 1 });
    const status = async (query: string, headers: Record<string, string> = {}): Promise<number> => {
      const socket = new WebSocket(`${url}/${query}`, { headers });
      return await new Promise((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('error', () => undefined);
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
      });
    };
    expect(await status('')).toBe(401);
    expect(await status('?token=another')).toBe(401);
    expect(await status(`?token=${token}x`)).toBe(401);
    expect(await status(`?token=${token}`, { origin: 'https://evil.example' })).toBe(403);
    expect(await status('', { authorization: `Bearer ${token}`, origin: 'https://desk.example' })).toBe(101);
    expect(await status(`?token=${token}`)).toBe(503);
    // A client that disconnects in the middle of the handshake ends nothing.
    const half = connect(Number(new URL(url).port), '127.0.0.1');
    half.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    half.resetAndDestroy();
    expect(await status('')).toBe(401);
  });
});

test('a server needs a token that cannot be guessed, and a port that is free', async () => {
  const { channel, url } = await served();
  await expect(serveChannel(channel, { token: 'short' })).rejects.toThrow('token-weak');
  await expect(serveChannel(channel, { token, port: Number(new URL(url).port) })).rejects.toThrow('serve-failed');
});
