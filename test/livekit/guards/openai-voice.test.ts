import { initializeLogger } from '@livekit/agents';
import { TTS } from '@livekit/agents-plugin-openai';
import { expect, it } from 'vitest';
import { guardOpenaiVoice } from '../../../src/livekit/guards/openai-voice.ts';
import { until } from '../until.ts';
import { fatalErrors } from './fatal-errors.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** A voice with an unreachable server, and its reported errors. */
function unreachableVoice() {
  const voice = new TTS({ apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:1/v1' });
  const told: string[] = [];
  voice.on('error', ({ error }) => void told.push(error.constructor.name));
  return { voice, told };
}

it('LiveKit’s own: a sentence that fails ends the process', async () => {
  const fatal = fatalErrors();
  unreachableVoice().voice.synthesize('Hello.');
  expect(await fatal.first('openai-voice.ts')).toMatchObject({ message: 'Connection error.' });
});

it('guarded: it is reported once, and the process continues', async () => {
  const fatal = fatalErrors();
  const { voice, told } = unreachableVoice();
  guardOpenaiVoice(voice);
  voice.synthesize('Hello.');
  await until(() => told.length > 0, 'an error event');
  expect(await fatal.settled()).toEqual([]);
  expect(told).toEqual(['APIConnectionError']);
});

it('guarded: a sentence that the caller interrupts is not reported', async () => {
  const fatal = fatalErrors();
  const { voice, told } = unreachableVoice();
  guardOpenaiVoice(voice);
  const stream = voice.synthesize('Hello.');
  stream.close();
  expect((await stream.next()).done).toBe(true);
  expect(await fatal.settled()).toEqual([]);
  expect(told).toEqual([]);
});
