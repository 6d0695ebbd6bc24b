import type { llm } from '@livekit/agents';
import { LLM } from '@livekit/agents-plugin-openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelChunk, ModelRequest } from '../../../src/model/ports/model.ts';
import { modelPort } from '../../../src/livekit/model/model-port.ts';
import { type ModelScript, ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { openaiServer } from '../../providers/openai-server.ts';

class RecordingModel extends ScriptedModel {
  readonly asked: Parameters<llm.LLM['chat']>[0][] = [];

  override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    this.asked.push(options);
    return super.chat(options);
  }
}

const lookUp = { name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } };

/** Returns all parts of a model's answer to a request. */
async function answer(script: ModelScript, request: Partial<ModelRequest> = {}) {
  const model = new RecordingModel(script);
  const chunks: ModelChunk[] = [];
  const asked = { messages: [{ role: 'user' as const, content: 'Hi.' }], tools: [], ...request };
  for await (const chunk of modelPort(model).generate(asked)) chunks.push(chunk);
  return { model, chunks };
}

describe('a LiveKit model behind the port', () => {
  test('streams its words and calls as they come, then one end', async () => {
    const { chunks } = await answer(
      { '*': [{ text: 'One moment.', calls: [{ name: 'look_up', arguments: { id: 7 } }] }] },
      { tools: [lookUp] },
    );
    expect(chunks).toEqual([
      { type: 'text', delta: 'One ' },
      { type: 'text', delta: 'moment.' },
      { type: 'call', call: { callId: 'call_1', name: 'look_up', rawArguments: '{"id":7}' } },
      { type: 'end', finish: 'calls' },
    ]);
    expect((await answer({ '*': [{ text: 'Yes.' }] })).chunks.at(-1)).toEqual({ type: 'end', finish: 'stop' });
  });

  test('receives the whole conversation, with calls and results, and the functions', async () => {
    const { model } = await answer(
      { '*': [{ text: 'Gold.' }] },
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Which plan?' },
          { role: 'assistant', content: '', calls: [{ callId: 'a', name: 'look_up', rawArguments: '{}' }] },
          { role: 'tool', callId: 'a', content: 'gold' },
        ],
        tools: [lookUp],
      },
    );
    expect(model.requests).toMatchObject([
      { instructions: 'Be brief.', tools: ['look_up'], items: ['user: Which plan?', 'call: look_up', 'output:  gold'] },
    ]);
  });

  test('receives the settings under OpenAI’s names, and the tool choice in LiveKit’s form', async () => {
    const settings = { temperature: 0, maxTokens: 9, topP: 0.5, toolChoice: { name: 'look_up' }, metadata: { a: 'b' } };
    const { model } = await answer({}, { settings });
    expect(model.asked[0]).toMatchObject({
      toolChoice: { type: 'function', function: { name: 'look_up' } },
      extraKwargs: { temperature: 0, max_completion_tokens: 9, top_p: 0.5, metadata: { a: 'b' } },
    });
    const plain = await answer({}, { settings: { toolChoice: 'required' } });
    expect(plain.model.asked[0]).toMatchObject({ toolChoice: 'required' });
    expect((await answer({})).model.asked[0]).not.toHaveProperty('extraKwargs');
  });

  test('that fails throws after its words, with a code and without its text', async () => {
    for (const fails of ['error', 1] as const) {
      const failing = answer({ '*': [{ text: 'One two.', fails }] });
      await expect(failing).rejects.toMatchObject({ code: 'model-failed' });
      await expect(failing).rejects.not.toThrow(/breaks off\.|fails/);
    }
  });

  test('does not report the failure of another of its streams', async () => {
    const model = new ScriptedModel((_request, count) => (count === 1 ? { fails: 'error' } : { text: 'Yes.' }));
    const { generate } = modelPort(model);
    const text = async (): Promise<string> => {
      let said = '';
      for await (const chunk of generate({ messages: [], tools: [] })) if (chunk.type === 'text') said += chunk.delta;
      return said;
    };
    const [first, second] = await Promise.allSettled([text(), text()]);
    expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'Yes.' }]);
  });

  test('that a provider refuses for a moment is retried, even without listeners for LiveKit’s error', async () => {
    const server = await openaiServer({
      chat: (_request, count) => (count === 1 ? { fault: 'status', status: 503 } : { text: 'Yes.' }),
    });
    onTestFinished(() => server.close());
    const { generate } = modelPort(new LLM({ model: 'gpt-test', apiKey: 'sk-secret', baseURL: server.url }));
    let said = '';
    for await (const chunk of generate({ messages: [], tools: [] })) if (chunk.type === 'text') said += chunk.delta;
    expect([said, server.chats.length]).toEqual(['Yes.', 2]);
  });

  test('is stopped by the signal', async () => {
    const abort = new AbortController();
    const model = new ScriptedModel({ '*': [{ text: 'One two three.', wordMs: 60_000 }] });
    const heard: unknown[] = [];
    for await (const chunk of modelPort(model).generate({ messages: [], tools: [], signal: abort.signal })) {
      heard.push(chunk);
      abort.abort();
    }
    expect(heard[0]).toEqual({ type: 'text', delta: 'One ' });
    expect(heard).toHaveLength(2);
  });
});
