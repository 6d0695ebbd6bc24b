import type { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import { keptHistory } from '../../src/livekit/context/kept-history.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { desk, replies } from './desk-functions.ts';
import { live } from './live.ts';
import { realtimeCall } from './realtime/rig.ts';

/** A provider whose call ids start again from the first in each reply. */
class ModelOfIds extends ScriptedModel {
  readonly ids: readonly string[];
  /** The ids of the calls and outputs of each request. */
  readonly wire: string[][] = [];

  constructor(script: ConstructorParameters<typeof ScriptedModel>[0], ids: readonly string[]) {
    super(script);
    this.ids = ids;
  }

  override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
    this.wire.push(options.chatCtx.items.flatMap((item) => ('callId' in item ? [`${item.type} ${item.callId}`] : [])));
    const stream = super.chat(options);
    const next = stream.next.bind(stream);
    let nth = 0;
    stream.next = async () => {
      const result = await next();
      for (const call of (result.done === true ? undefined : result.value.delta?.toolCalls) ?? [])
        call.callId = this.ids[nth++ % this.ids.length] ?? '';
      return result;
    };
    return stream;
  }
}

function lookUp() {
  const made: string[] = [];
  const parameters = z.object({ what: z.string() });
  const tool = flowTool({
    name: 'look',
    description: 'Looks up.',
    parameters,
    execute: ({ what }) => `${what} ${made.push(what)}`,
  });
  return { made, tool };
}

const look = (what: string) => ({ name: 'look', arguments: { what } });
const flow = desk([{ name: 'look' }]);
const outputsOf = (items: readonly string[] = []) => items.filter((item) => item.startsWith('output:'));

describe('calls of a provider', () => {
  it.each([
    ['one id', ['same']],
    ['no id', ['']],
    ['an id and none', ['one', '']],
  ])('in one reply with %s all run, and each reports its own result', async (_what, ids) => {
    const { made, tool } = lookUp();
    const model = new ModelOfIds(replies({ calls: [look('tea'), look('jam')] }, { text: 'Here.' }), ids);
    const { runner } = await live(flow, {}, { model, tools: [tool] });
    await runner.send('tea and jam');
    expect(made).toEqual(['tea', 'jam']);
    expect(outputsOf(model.requests[1]?.items)).toEqual(['output: look tea 1', 'output: look jam 2']);
    const [sent = []] = model.wire.slice(1);
    expect(new Set(sent)).toHaveLength(4);
  });

  it('that are renumbered in each turn keep the results of earlier turns', async () => {
    const { tool } = lookUp();
    const script = replies({ calls: [look('tea')] }, { text: 'Tea.' }, { calls: [look('jam')] }, { text: 'Jam.' });
    const model = new ModelOfIds(script, ['functions.look:0']);
    const { runner } = await live(flow, {}, { model, tools: [tool] });
    await runner.send('tea');
    await runner.send('jam');
    expect(outputsOf(model.requests.at(-1)?.items)).toEqual(['output: look tea 1', 'output: look jam 2']);
  });

  it('are sent back under the provider’s ids', async () => {
    const { tool } = lookUp();
    const model = new ModelOfIds(replies({ calls: [look('tea'), look('jam')] }, { text: 'Here.' }), ['a', 'b']);
    const { runner } = await live(flow, {}, { model, tools: [tool] });
    await runner.send('tea and jam');
    expect(model.wire[1]).toEqual([
      'function_call a',
      'function_call b',
      'function_call_output a',
      'function_call_output b',
    ]);
  });

  it('are logged under unique ids of nine letters and digits', async () => {
    const { tool } = lookUp();
    const store = createMemoryStore({ clock: systemClock });
    const script = replies({ calls: [look('tea')] }, { text: 'Tea.' }, { calls: [look('jam')] }, { text: 'Jam.' });
    const model = new ModelOfIds(script, ['same']);
    const { runner } = await live(flow, {}, { model, tools: [tool], store, sessionId: 's' });
    await runner.send('tea');
    await runner.send('jam');
    const calls = (await store.steps.list('s')).flatMap(({ signal }) =>
      signal.type === 'batch:settled' ? signal.calls.map(({ callId }) => callId) : [],
    );
    expect(calls).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), expect.stringMatching(/^[a-z0-9]{9}$/)]);
    expect(new Set(calls)).toHaveLength(2);
  });
});

describe('calls of a realtime model', () => {
  it('with one id all run, and each reports its own result', async () => {
    const { made, tool } = lookUp();
    const args = (what: string) => ({ name: 'look', args: { what }, id: 'same' });
    const { runner, model } = await realtimeCall(
      flow,
      ({ items }) => {
        const last = items.at(-1) ?? '';
        if (last === 'user:tea and jam') return { calls: [args('tea'), args('jam')] };
        return last === 'user:eggs' ? { calls: [args('eggs')] } : { text: 'Here.' };
      },
      {},
      { tools: [tool] },
    );
    await runner.send('tea and jam');
    await runner.send('eggs');
    expect(made).toEqual(['tea', 'jam', 'eggs']);
    const outs = model.requests.at(-1)?.items.filter((item) => item.startsWith('out:'));
    expect(outs).toEqual(['out:tea 1', 'out:jam 2', 'out:eggs 3']);
  });
});

it('an older log whose calls share an id shows the result of each', () => {
  const settled = (key: string, what: string, result: Json, state: 'done' | 'waiting' = 'done'): Signal => ({
    ...{ type: 'batch:settled', at: 1, reply: 's/1/0', text: '' },
    calls: [
      {
        ...{ key, callId: 'functions.look:0', name: 'look', node: 'desk', visit: 1, arguments: { what }, state },
        ...(state === 'done' ? { result } : {}),
      },
    ],
  });
  const log = [
    settled('s/1/0.1', 'tea', 'tea 1'),
    settled('s/2/0.1', 'jam', null, 'waiting'),
    settled('s/3/0', 'jam', 'jam 2'),
    settled('s/4/0.1', 'eggs', 'eggs 3'),
  ].map((signal, seq) => ({ seq, signal }));
  const items = keptHistory(log, []);
  const ids = items.flatMap((item) => (item.type === 'function_call' ? [item.callId] : []));
  expect(new Set(ids)).toHaveLength(3);
  const outputs = items.flatMap((item) => (item.type === 'function_call_output' ? [[item.callId, item.output]] : []));
  expect(outputs).toEqual([
    [ids[0], 'tea 1'],
    [ids[1], 'jam 2'],
    [ids[2], 'eggs 3'],
  ]);
});
