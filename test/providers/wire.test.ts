import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createVoiceModels, type VoiceModelChoices } from '../../src/livekit/plug-ins/voice-models.ts';
import { until } from '../livekit/until.ts';
import { deepgramServer, type DeepgramScript } from './deepgram-server.ts';
import { openaiServer, type OpenaiScript } from './openai-server.ts';
import { providerCall } from './provider-call.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

const booking: ConversationFlow = {
  initialNode: 'greet',
  roleMessages: prompt('You answer the phone.'),
  nodes: {
    greet: {
      say: 'Hello. Shall we start?',
      taskMessages: prompt('Find out whether to start.'),
      functions: [
        {
          name: 'start',
          description: 'The caller agrees.',
          parameters: {
            type: 'object',
            title: 'Start',
            properties: { people: { type: 'integer', title: 'People', description: 'How many.' } },
            required: ['people'],
          },
          transitionTo: 'ask',
        },
      ],
    },
    ask: {
      taskMessages: prompt('Ask for the name.'),
      functions: [{ name: 'finish', description: 'All is said.', transitionTo: 'done' }],
    },
    done: { say: 'Goodbye.', end: 'booked' },
  },
};

const script: OpenaiScript = {
  chat: (_request, count) =>
    [
      { calls: [{ name: 'start', arguments: '{"people": 3}' }] },
      { text: 'What is your name, please?' },
      { calls: [{ name: 'finish' }] },
    ][count - 1] ?? { text: 'Nothing more.' },
};

async function call(choices: VoiceModelChoices, openai: OpenaiScript, deepgram: DeepgramScript) {
  const servers = { openai: await openaiServer(openai), deepgram: await deepgramServer(deepgram) };
  onTestFinished(async () => {
    await servers.openai.close();
    await servers.deepgram.close();
  });
  const models = await createVoiceModels(
    { llm: 'openai', ...choices },
    {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: servers.openai.url,
      OPENAI_MODEL: 'gpt-test',
      DEEPGRAM_API_KEY: 'dg-secret',
      DEEPGRAM_BASE_URL: servers.deepgram.origin,
    },
  );
  return { ...servers, ...(await providerCall(booking, models)) };
}

describe('on the wire', () => {
  it('a flow runs with OpenAI’s model and voice and Deepgram’s ears', async () => {
    const words = ['yes for three', 'Robert Miller'];
    const { openai, deepgram, heard, path, sound, speak, runner, troubles } = await call(
      { stt: 'deepgram', tts: 'openai' },
      script,
      { listen: (utterance) => words[utterance - 1] ?? '' },
    );
    await until(() => heard.length === 1 && sound() > 0, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'the question');
    await speak();
    expect(await runner.ended).toBe('booked');
    expect(heard).toEqual(['Hello. Shall we start?', 'What is your name, please?', 'Goodbye.']);
    expect(path).toEqual(['greet -> ask', 'ask -> done']);
    expect(troubles).toEqual([]);

    const [first, second, third] = openai.chats;
    expect(openai.chats).toHaveLength(3);
    expect(first).toMatchObject({ model: 'gpt-test', stream: true, stream_options: { include_usage: true } });
    expect(openai.requests.map(({ headers }) => headers.authorization)).not.toContain(undefined);
    expect(new Set(openai.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sk-secret']));
    expect(first?.messages).toEqual([
      { role: 'system', content: 'You answer the phone.\n\nFind out whether to start.' },
      { role: 'assistant', content: 'Hello. Shall we start?' },
      { role: 'user', content: 'yes for three' },
      {
        role: 'system',
        content:
          'The caller has just said: "yes for three". Call the function that fits; make nothing up. If none fits, answer in words.',
      },
    ]);
    expect(first?.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'start',
          description: 'The caller agrees.',
          parameters: {
            type: 'object',
            properties: { people: { type: 'integer', description: 'How many.' } },
            required: ['people'],
          },
        },
      },
    ]);
    expect(second?.messages[0]?.content).toBe('You answer the phone.\n\nAsk for the name.');
    expect(second?.tools?.map((tool) => tool.function.name)).toEqual(['finish']);
    const called = second?.messages.findLast(({ tool_calls: calls }) => calls !== undefined)?.tool_calls?.[0];
    expect(called?.function).toMatchObject({ name: 'start' });
    expect(second?.messages.findLast(({ role }) => role !== 'system')).toMatchObject({
      role: 'tool',
      tool_call_id: called?.id,
    });
    expect(third?.messages.at(-2)).toEqual({ role: 'user', content: 'Robert Miller' });
    expect(third?.messages.at(-1)?.content).toContain('The caller has just said: "Robert Miller".');

    const bodies = openai.requests.filter(({ path: route }) => route === '/v1/audio/speech').map(({ body }) => body);
    expect(JSON.parse(String(bodies[0]))).toMatchObject({ model: 'gpt-4o-mini-tts', response_format: 'pcm' });
    expect(openai.spoken.join(' ')).toBe('Hello. Shall we start? What is your name, please? Goodbye.');

    const [ears] = deepgram.listening;
    expect(ears).toMatchObject({ path: '/v1/listen', authorization: 'Token dg-secret' });
    expect(Object.fromEntries(ears?.query ?? [])).toMatchObject({
      model: 'nova-3',
      encoding: 'linear16',
      sample_rate: '16000',
      interim_results: 'true',
    });
    expect(ears?.audioBytes).toBeGreaterThan(16_000);
  });

  it('a flow runs with OpenAI’s model and ears, an utterance a request, and Deepgram’s voice', async () => {
    const words = ['yes for three', 'Robert Miller'];
    const { openai, deepgram, heard, path, sound, speak, runner, troubles } = await call(
      { stt: 'openai', tts: 'deepgram' },
      { ...script, transcription: (count) => words[count - 1] ?? '' },
      {},
    );
    await until(() => heard.length === 1 && sound() > 0, 'the greeting');
    await speak();
    await until(() => heard.length === 2, 'the question');
    await speak();
    expect(await runner.ended).toBe('booked');
    expect(heard).toEqual(['Hello. Shall we start?', 'What is your name, please?', 'Goodbye.']);
    expect(path).toEqual(['greet -> ask', 'ask -> done']);
    expect(troubles).toEqual([]);

    const utterances = openai.requests.filter(({ path: route }) => route === '/v1/audio/transcriptions');
    expect(utterances).toHaveLength(2);
    expect(utterances[0]?.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(utterances[0]?.body.toString('latin1')).toMatch(
      /gpt-4o-mini-transcribe[\s\S]*RIFF|RIFF[\s\S]*gpt-4o-mini-transcribe/,
    );

    const [voice] = deepgram.speaking;
    expect(voice).toMatchObject({ path: '/v1/speak', authorization: 'Token dg-secret' });
    expect(Object.fromEntries(voice?.query ?? [])).toMatchObject({ encoding: 'linear16', sample_rate: '24000' });
    const said = deepgram.speaking.map(({ messages }) => messages.map(({ text = '' }) => text).join(''));
    expect(said.join('').trim()).toBe('Hello. Shall we start? What is your name, please? Goodbye.');
    expect(voice?.messages.map(({ type }) => type).slice(-2)).toEqual(['Flush', 'Close']);
  });
});
