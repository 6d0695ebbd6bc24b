import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import { systemClock } from '../../../src/system.ts';
import type { Hooks } from '../../../src/engine/policy/hooks.ts';
import { foldLog } from '../../explore/fold-log.ts';
import { createWatch } from '../../explore/watch.ts';
import { graphOf } from '../../kernel/session.ts';
import { order, twoNodes } from '../flows.ts';
import { until } from '../until.ts';
import { preemptiveModes, settledSoon, voiceCall } from './voice-rig.ts';

const prompt = 'You answer the phone.';
const chatty = { '*': [{ text: 'Hello there.' }] };

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
  it('`beforeLLM.skip_llm` avoids LLM call: nothing is asked ahead of it either', async () => {
    const { caller, model, heard, hasHeard, quiet } = await voiceCall(null, chatty, {
      prompt,
      hooks: { beforeLLM: async () => ({ action: 'skip_llm', draftReply: 'We are closed.' }) },
      preemptive,
    });
    await caller.begins();
    await caller.isUnderstood('are you open');
    await settledSoon();
    await caller.stops();
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['We are closed.']);
    expect(model.requests).toEqual([]);
  });

  it('`beforeResponse.cancel` suppresses send: no sound is made', async () => {
    const { caller, model, heard, speaker, quiet } = await voiceCall(null, chatty, {
      prompt,
      hooks: { beforeResponse: async () => ({ action: 'cancel' }) },
      preemptive,
    });
    await caller.says('hello');
    await quiet();
    expect(heard).toEqual([]);
    expect(speaker.words).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('`beforeResponse.replace` overrides outbound payload, with modality text: the line is read, and nothing of it is spoken', async () => {
    const { caller, heard, speaker, events, hasHeard, quiet } = await voiceCall(null, chatty, {
      prompt,
      hooks: {
        beforeResponse: async ({ reply }) =>
          reply === 'Hello there.'
            ? { action: 'replace', reply: 'https://example.org/a-b', modality: 'text' }
            : undefined,
      },
      preemptive,
    });
    await caller.says('hello');
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['https://example.org/a-b']);
    // Silence has no words. With modality voice, as below, these are its words.
    expect(speaker.words.join(' ')).not.toMatch(/https|example|org/);
    expect(events.filter(({ type }) => type === 'response:failed')).toEqual([]);
  });

  it('`beforeResponse.replace` overrides outbound payload, with modality voice: it is spoken', async () => {
    const { caller, heard, speaker, hasHeard, quiet } = await voiceCall(null, chatty, {
      prompt,
      hooks: { beforeResponse: async () => ({ action: 'replace', reply: 'Good day.', modality: 'voice' }) },
      preemptive,
    });
    await caller.says('hello');
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['Good day.']);
    expect(speaker.words.join(' ')).toContain('Good');
  });

  it('schema-intent route success: the flow speaks after the reply, in the same turn', async () => {
    const { caller, model, heard, speaker, quiet } = await voiceCall(
      null,
      { '*': [{ text: '{"reply": "With pleasure.", "intent": "order"}' }] },
      {
        prompt,
        flows: { order },
        output: z.object({ reply: z.string(), intent: z.string() }),
        router: { mode: 'schema_intent', field: 'intent' },
        preemptive,
      },
    );
    await caller.says('I want one');
    await quiet();
    expect(heard.join(' ').replace(/\s+/g, ' ').trim()).toBe('With pleasure. Which size?');
    expect(speaker.words.map((word) => word.trim()).filter(Boolean)).toEqual(['With', 'pleasure.', 'Which', 'size?']);
    expect(model.requests).toHaveLength(1);
  });

  it('`beforeLLM.route_flow` routes deterministically: no model is asked before it, and the flow hears the words', async () => {
    const { caller, model, heard, runner, hasHeard, quiet } = await voiceCall(null, chatty, {
      prompt,
      flows: { order },
      hooks: { beforeLLM: async () => ({ action: 'route_flow', flowId: 'order' }) },
      preemptive,
    });
    await caller.begins();
    await caller.isUnderstood('one of those, please');
    await settledSoon();
    await caller.stops();
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['Hello there. Which size?']);
    expect(model.requests.map(({ node, tools }) => [node, tools])).toEqual([['size', ['record']]]);
    expect(runner.state.position.flow.id).toBe('order');
  });

  it('beforeResponse decides sentence by sentence; a caller who cuts one off is answered, and no sentence is decided twice', async () => {
    const seen: string[] = [];
    const beforeResponse: Hooks['beforeResponse'] = async ({ reply }) => {
      seen.push(reply.trim());
      return reply.startsWith('Two') ? { action: 'replace', reply: 'Second it is.' } : undefined;
    };
    const script = { '*': [{ when: 'listen', text: 'Yes?' }, { text: 'One is said. Two is said. Three is said.' }] };
    const call = await voiceCall(null, script, {
      prompt,
      hooks: { beforeResponse, decideBy: 'sentence' },
      preemptive,
      hold: true,
    });
    const { caller, speaker, heard, model, hasHeard, quiet } = call;
    await caller.says('tell me all of it');
    await until(() => seen.length === 3 && speaker.isLoaded, 'the sentences to be decided about');
    // The first sentence, and the first word of a hook's replacement for the second.
    speaker.hear(4);
    await until(() => speaker.words.length === 4, 'four words');
    await caller.says('listen');
    speaker.run();
    await hasHeard(2);
    await quiet();
    expect(heard.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual(['One is said. Second', 'Yes?']);
    expect(seen).toEqual(['One is said.', 'Two is said.', 'Three is said.', 'Yes?']);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.items.join(' ')).not.toContain('Three is said');
  });

  it('what hooks decide is kept as signals: the log folds to the state without a hook, and no turn is decided twice', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const asked: string[] = [];
    const hooks: Hooks = {
      async beforeLLM({ text }) {
        asked.push(text);
        return text === 'are you open' ? { action: 'skip_llm', draftReply: 'We are closed.' } : undefined;
      },
      beforeResponse: async ({ reply }) =>
        reply === 'Hello there.' ? { action: 'replace', reply: 'Good day.' } : undefined,
    };
    const call = await voiceCall(
      twoNodes,
      { '*': [{ text: 'Hello there.' }] },
      { store, hooks, sessionId: 's', preemptive },
    );
    await call.hasHeard(1);
    await call.caller.says('are you open');
    await call.hasHeard(2);
    await call.runner.send('and now', { eventId: 'typed' });
    expect(await call.runner.send('and now', { eventId: 'typed' })).toBe('duplicate');
    await call.quiet();
    expect(call.heard).toEqual(['Good day.', 'We are closed.', 'Good day.']);
    // The greeting is also an inference, of a reply that does not answer words.
    expect(asked).toEqual(['', 'are you open', 'and now']);
    await call.runner.stop();
    const log = await store.steps.list('s');
    expect(log.map(({ signal }) => signal)).toContainEqual(
      expect.objectContaining({ type: 'user:turn', policy: { action: 'say', text: 'We are closed.', by: 'hook' } }),
    );
    expect(log.filter(({ signal }) => signal.type === 'response:decided')).toHaveLength(2);
    const watch = createWatch(0, 'two nodes');
    expect(foldLog(watch, new Map(), graphOf(twoNodes), log)).toEqual(call.runner.state);
    expect(watch.finding).toBeNull();
  });

  it('the reply of a structured answer is what is spoken, and its model is asked once', async () => {
    const { caller, model, heard, hasHeard, quiet } = await voiceCall(
      null,
      { '*': [{ text: '{"reply": "Hello there.", "mood": "good"}' }] },
      { prompt, output: z.object({ reply: z.string(), mood: z.string() }), preemptive },
    );
    await caller.says('hello');
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['Hello there.']);
    expect(model.requests).toHaveLength(1);
  });
});
