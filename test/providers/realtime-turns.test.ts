import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { prompt, twoNodes } from '../livekit/flows.ts';
import { ScriptedVad, WordTts } from '../livekit/speech/voice-parts.ts';
import { until } from '../livekit/until.ts';
import type { RealtimeScript } from './openai-realtime-server.ts';
import { realtimeCall } from './realtime-call.ts';
import { walksOn } from './realtime-walks.ts';

const goOn: RealtimeScript = { hears: () => 'go on', answer: walksOn };

/** Asks whether to pay, and pays after a yes. */
const yesOrNo: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: prompt('Desk.'),
      functions: [{ name: 'pay', description: 'Pay.', confirm: 'Shall I pay?', transitionTo: 'paid' }],
    },
    paid: { say: 'It is paid.', end: 'paid' },
  },
};

const pay = flowTool({
  name: 'pay',
  description: 'Pay.',
  parameters: z.object({}),
  execute: () => 'paid',
});

describe('turns on OpenAI’s realtime model', () => {
  it.each([true, false])(
    'that it notices and leaves to us to answer are answered, each once (transcripts: %s)',
    async (hasWords) => {
      const { server, heard, path, microphone, hasHeard, runner } = await realtimeCall(twoNodes, goOn, {
        model: {
          turnDetection: { type: 'server_vad', create_response: false },
          ...(hasWords ? {} : { inputAudioTranscription: null }),
        },
      });
      let turns = 0;
      runner.on('turn:started', () => void (turns += 1));
      await hasHeard(1);
      await microphone.speak();
      await hasHeard(2);
      await microphone.speak();
      await hasHeard(3);
      expect(heard).toEqual(['Here is Node A.', 'Here is Node B.', 'Here is Node A.']);
      expect(path).toEqual(['a -> b', 'b -> a']);
      expect(server.asks).toHaveLength(5);
      expect(server.asks.every(({ isAskedFor }) => isAskedFor)).toBe(true);
      expect(turns).toBe(2);
      expect(server.errors).toEqual([]);
    },
  );

  it('that were nothing but noise are not answered where that is left to us', async () => {
    const { server, microphone, hasHeard } = await realtimeCall(
      twoNodes,
      { hears: () => '', answer: walksOn },
      { model: { turnDetection: { type: 'server_vad', create_response: false } } },
    );
    await hasHeard(1);
    await microphone.speak();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(server.asks).toHaveLength(1);
  });

  it.each(['failed', 'never', 'late'] as const)('move the flow also where their words come %s', async (transcripts) => {
    const { server, heard, microphone, hasHeard } = await realtimeCall(twoNodes, { ...goOn, transcripts });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
    expect(server.asks).toHaveLength(3);
    expect(server.errors).toEqual([]);
  });

  it('that answer a question wait for their words, so that a yes is understood by rules', async () => {
    const said = ['please pay', 'yes'];
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(
      yesOrNo,
      {
        hears: (utterance) => said[utterance - 1] ?? '',
        transcripts: 'late',
        answer: () => ({ calls: [{ name: 'pay' }] }),
      },
      { tts: new WordTts(), tools: [pay] },
    );
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    await microphone.speak();
    expect(await runner.ended).toBe('paid');
    expect(heard).toEqual(['Hello.', 'Shall I pay?', 'It is paid.']);
    expect(server.errors).toEqual([]);
  });

  it('that LiveKit notices in the model’s place are committed and answered, each once', async () => {
    const vad = new ScriptedVad();
    const { server, session, heard, path, microphone, hasHeard } = await realtimeCall(twoNodes, goOn, {
      model: { turnDetection: null },
      vad,
      turnDetection: 'vad',
    });
    await hasHeard(1);
    for (const count of [2, 3]) {
      await microphone.begin();
      vad.hearVoice();
      await until(() => session.userState === 'speaking', 'the voice to be noticed');
      vad.hearSilence();
      await hasHeard(count);
    }
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.', 'Here is Node A.']);
    expect(path).toEqual(['a -> b', 'b -> a']);
    expect(server.asks).toHaveLength(5);
    expect(server.errors).toEqual([]);
  });
});
