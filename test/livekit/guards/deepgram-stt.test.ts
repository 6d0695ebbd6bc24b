import { initializeLogger, stt } from '@livekit/agents';
import { STT } from '@livekit/agents-plugin-deepgram';
import { AudioFrame } from '@livekit/rtc-node';
import { expect, it, onTestFinished } from 'vitest';
import { guardDeepgramEars } from '../../../src/livekit/guards/deepgram-stt.ts';
import { deepgramServer } from '../../providers/deepgram-server.ts';
import { tone } from '../../providers/local-server.ts';
import { until } from '../until.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** A tenth of a second of a voice, and of silence. */
const [loud, quiet] = [tone(0.1, 16_000), Buffer.alloc(3_200)].map(
  (pcm) => new AudioFrame(new Int16Array(pcm.buffer, pcm.byteOffset, 1_600), 16_000, 1, 1_600),
) as [AudioFrame, AudioFrame];

it('a broken socket: LiveKit’s own recogniser goes deaf without an error; the guarded one continues', async () => {
  const broken = new Set<string>();
  const server = await deepgramServer({
    // The first socket of each breaks as soon as it hears a voice.
    listenFault: (socket) => {
      const key = server.listening[socket - 1]?.authorization ?? '';
      if (broken.has(key)) return undefined;
      broken.add(key);
      return { fault: 'cut' };
    },
  });
  onTestFinished(() => server.close());
  const open = (apiKey: string) => {
    const ears = new STT({ apiKey, baseUrl: server.origin.replace('http', 'ws') });
    if (apiKey === 'guarded') guardDeepgramEars(ears);
    const seen = { words: [] as string[], errors: 0, stream: ears.stream() };
    ears.on('error', () => void (seen.errors += 1));
    onTestFinished(() => seen.stream.close());
    void (async () => {
      for await (const { type, alternatives } of seen.stream)
        if (type === stt.SpeechEventType.FINAL_TRANSCRIPT) seen.words.push(alternatives?.[0].text ?? '');
    })();
    return seen;
  };
  const [own, guarded] = [open('own'), open('guarded')];
  const say = (): void => {
    for (const { stream } of [own, guarded]) for (const frame of [loud, quiet, quiet, quiet]) stream.pushFrame(frame);
  };
  await until(() => server.listening.length === 2, 'both sockets');
  say();
  await until(() => guarded.words.length === 1, 'the first words, said again to a new socket');
  say();
  await until(() => guarded.words.length === 2, 'the next words');
  expect(guarded.errors).toBe(1);
  const sockets = server.listening.filter(({ authorization }) => authorization === 'Token own');
  expect(
    { words: own.words, errors: own.errors, sockets: sockets.length },
    'LiveKit has mended it: src/livekit/guards/deepgram-stt.ts can go',
  ).toEqual({ words: [], errors: 0, sockets: 1 });
});
