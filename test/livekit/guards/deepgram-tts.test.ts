import { initializeLogger } from '@livekit/agents';
import { TTS } from '@livekit/agents-plugin-deepgram';
import { expect, it, onTestFinished } from 'vitest';
import { guardDeepgramVoice } from '../../../src/livekit/guards/deepgram-tts.ts';
import { deepgramServer } from '../../providers/deepgram-server.ts';
import { until } from '../until.ts';
import { fatalErrors } from './fatal-errors.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** Says a line through a server that answers with invalid JSON. */
async function say(prepare: (voice: TTS) => void) {
  const server = await deepgramServer({ speakFault: () => ({ fault: 'garbage' }) });
  const voice = new TTS({ apiKey: 'dg-secret', baseUrl: server.origin });
  prepare(voice);
  const told: string[] = [];
  voice.on('error', ({ error }) => void told.push(error.constructor.name));
  const stream = voice.stream({ connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 1_000 } });
  onTestFinished(async () => {
    stream.close();
    await server.close();
  });
  stream.pushText('Hello there.');
  stream.endInput();
  return { told };
}

it('LiveKit’s own: an invalid message ends the process', async () => {
  const fatal = fatalErrors();
  await say(() => undefined);
  expect(await fatal.first('deepgram-tts.ts')).toBeInstanceOf(SyntaxError);
});

it('guarded: it is reported, and the process continues', async () => {
  const fatal = fatalErrors();
  const { told } = await say(guardDeepgramVoice);
  await until(() => told.length > 0, 'an error event');
  expect(await fatal.settled()).toEqual([]);
  expect(told).toEqual(['APIConnectionError']);
});
