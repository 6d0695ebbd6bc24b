import { initializeLogger, llm } from '@livekit/agents';
import { expect, it } from 'vitest';
import { guardModelStream } from '../../../src/livekit/guards/model-stream.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

initializeLogger({ pretty: false, level: 'silent' });

const brokenOff = () => new ScriptedModel(() => ({ text: 'You can pay by card or cash.', fails: 3 }));

it('LiveKit’s own: a broken answer ends as if complete; guarded, its error is known', async () => {
  const model = brokenOff();
  model.on('error', () => undefined);
  const stream = model.chat({ chatCtx: llm.ChatContext.empty() });
  const failure = guardModelStream(model, stream);
  let text = '';
  const ending = (async () => {
    for await (const { delta } of stream) text += delta?.content ?? '';
    return 'ended';
  })();
  expect(await ending.catch(() => 'failed'), 'LiveKit has mended it: src/livekit/guards/model-stream.ts can go').toBe(
    'ended',
  );
  expect(text).toBe('You can pay ');
  expect(failure()).toBeInstanceOf(Error);
});
