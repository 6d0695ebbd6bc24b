import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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
    // Silence has no words; with modality voice, as below, they are these.
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
        flows: {
          order: {
            initialNode: 'size',
            slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
            nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Done.', end: true } },
          },
        },
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
