import type { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { booking, prompt, twoNodes } from '../flows.ts';
import { gatedTool } from '../gated.ts';
import type { RealtimeScript } from './fake-model.ts';
import { realtimeCall, walks } from './rig.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { until } from '../until.ts';

describe.each([
  ['full', {}, 1],
  ['no updates in mid-session', midSession(false), 2],
  ['replies to outputs by itself', { autoToolReplyGeneration: true }, 1],
] as const)('on a realtime model (%s)', (_name, capabilities, sessions) => {
  it('a transition costs one generation, which is made under the new node', async () => {
    const { model, heard, path, hasHeard } = await realtimeCall(twoNodes, walks, capabilities);
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
    expect(path).toEqual(['a -> b']);
    expect(model.requests.map(({ instructions, tools }) => `${instructions} ${tools.join()}`)).toEqual([
      'Node A. to_b',
      'Node A. to_b',
      'Node B. to_a',
    ]);
    expect(model.requests.at(-1)?.items).toContain('out:ok');
    expect(model.sessions).toHaveLength(sessions);
  });
});

function midSession(can: boolean): Partial<llm.RealtimeCapabilities> {
  return { midSessionChatCtxUpdate: can, midSessionInstructionsUpdate: can, midSessionToolsUpdate: can };
}

describe('on a realtime model', () => {
  it('typed words are a turn like spoken ones', async () => {
    const { runner, heard, path, hasHeard } = await realtimeCall(twoNodes, walks);
    await hasHeard(1);
    await runner.send('go on');
    await hasHeard(2);
    expect(path).toEqual(['a -> b']);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
  });

  it('two turns at once are answered once, by the newer words: the older ones have no effect', async () => {
    const { runner, model, heard, path, hasHeard } = await realtimeCall(twoNodes, walks);
    await hasHeard(1);
    await Promise.all([runner.send('go on'), runner.send('hm')]);
    await hasHeard(2);
    expect(path).toEqual([]);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node A.']);
    expect(model.requests.at(-1)?.items.slice(-2)).toEqual(['user:go on', 'user:hm']);
  });

  it('a fixed line is spoken verbatim without a generation, and is in the model’s context before it continues', async () => {
    const flow: ConversationFlow = {
      initialNode: 'greet',
      nodes: {
        greet: { say: 'Hello there.', functions: [{ name: 'go', transitionTo: 'bye' }] },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    };
    const { model, runner, heard, hasHeard } = await realtimeCall(flow, walks);
    await hasHeard(1);
    expect(model.requests).toHaveLength(0);
    model.last.callerSays('go on');
    await hasHeard(2);
    await expect(runner.ended).resolves.toBe('done');
    expect(heard).toEqual(['Hello there.', 'Goodbye.']);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.items).toEqual(['assistant:Hello there.', 'user:go on']);
  });

  it('two calls made together settle as one batch: one moves, one reply follows both outputs', async () => {
    const look = flowTool({
      name: 'look',
      description: 'Look.',
      parameters: z.object({}),
      execute: () => Promise.resolve('seen'),
    });
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }, { name: 'look' }] },
        b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
      },
    };
    const { model, path, hasHeard } = await realtimeCall(
      flow,
      ({ items, instructions }) =>
        items.at(-1) === 'user:both' ? { calls: [{ name: 'look' }, { name: 'to_b' }] } : { text: instructions },
      {},
      { tools: [look] },
    );
    await hasHeard(1);
    model.last.callerSays('both');
    await hasHeard(2);
    expect(path).toEqual(['a -> b']);
    expect(model.requests).toHaveLength(3);
    expect(model.requests.at(-1)?.items).toEqual(expect.arrayContaining(['out:seen', 'out:ok']));
  });

  it('words after a reply with speech and calls come last in the model’s context', async () => {
    const flow: ConversationFlow = {
      initialNode: 'order',
      slots: {
        size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
        milk: { type: 'enum', values: ['oat', 'cow'] },
      },
      nodes: { order: { collect: ['size', 'milk'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: 'ordered' } },
    };
    const { model, runner, hasHeard } = await realtimeCall(flow, ({ items }) =>
      items.at(-1) === 'user:the grand one, please'
        ? { text: 'Large it is. What else?', calls: [{ name: 'record', args: { size: 'large' } }] }
        : { text: 'Which milk would you like?' },
    );
    await hasHeard(1);
    await runner.send('the grand one, please');
    await hasHeard(2);
    await runner.idle();
    await runner.send('whatever you have');
    await hasHeard(3);
    expect(model.requests.at(-1)?.items.slice(-4)).toEqual([
      'assistant:Large it is. What else?',
      'call:record',
      'out:ok',
      'user:whatever you have',
    ]);
  });

  it('a model’s answer to words that the flow has answered is dropped', async () => {
    const script: RealtimeScript = ({ items }) => {
      const last = items.at(-1);
      if (last === 'user:go') return { calls: [{ name: 'work' }] };
      return { text: last === 'user:hm' ? 'It is booked.' : 'The desk.' };
    };
    const tools = [gatedTool().tool];
    const { model, runner, heard, hasHeard } = await realtimeCall(booking, script, {}, { tools });
    await hasHeard(1);
    model.last.callerSays('go');
    await hasHeard(2);
    model.last.callerSays('hm');
    await hasHeard(3);
    await runner.send('who are you');
    await hasHeard(4);
    expect(heard[3]).toContain('The desk.');
    expect(model.requests.at(-1)?.items).not.toContain('assistant:It is booked.');
  });

  describe('at an open question', () => {
    async function asked() {
      const clock = createVirtualClock(undefined, settleLiveKit);
      const work = gatedTool();
      work.open();
      const script: RealtimeScript = ({ items }) =>
        items.at(-1) === 'user:go' ? { calls: [{ name: 'work' }] } : { text: 'Pardon?' };
      const options = { clock, tools: [work.tool], hasMicrophone: true };
      const call = await realtimeCall(booking, script, {}, options);
      await call.hasHeard(1);
      call.model.last.callerSays('go');
      await call.hasHeard(2);
      return { ...call, clock, work, session: call.model.last };
    }

    it('an immediate yes counts, even if the transcript of earlier words is late', async () => {
      const { session, heard, hasHeard, runner } = await asked();
      session.callerSays('yes');
      await hasHeard(3);
      await runner.idle();
      expect(heard.slice(2)).toEqual(['Done.']);
    });

    it('a late transcript that arrives during the next turn is taken with it', async () => {
      const { session, work, heard, hasHeard } = await asked();
      const tellFirst = session.callerIsHeard('yes');
      await settleLiveKit();
      const tellSecond = session.callerIsHeard('but not before I have seen it');
      await settleLiveKit();
      tellFirst();
      tellSecond();
      await hasHeard(3);
      expect(heard[2]).toContain('Pardon?');
      expect(work.runs).toBe(0);
    });

    it('words after a noise that the model treated as a turn are one turn', async () => {
      const { session, clock, heard, hasHeard, runner } = await asked();
      session.emit('input_speech_started', {});
      session.emit('input_speech_stopped', { userTranscriptionEnabled: true });
      await clock.advance(3_000);
      session.callerSays('yes');
      await hasHeard(3);
      await clock.advance(3_000);
      await runner.idle();
      expect(heard.slice(2)).toEqual(['Done.']);
    });
  });

  it('a session that breaks for good is replaced by a new one with the conversation', async () => {
    const { model, hasHeard, heard } = await realtimeCall(twoNodes, walks);
    await hasHeard(1);
    model.last.breaks();
    await until(() => model.sessions.length === 2, 'a new session');
    await new Promise((resolve) => setTimeout(resolve, 20));
    model.last.callerSays('hm');
    await hasHeard(2);
    expect(model.requests.at(-1)).toMatchObject({
      session: 1,
      instructions: 'Node A.',
      items: ['assistant:Here is Node A.', 'user:hm'],
    });
    expect(heard).toHaveLength(2);
  });
});
