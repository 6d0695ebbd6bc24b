import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineFlow } from '../../src/flow/define.ts';
import { ask, end, handoff, say, tool } from '../../src/flow/generator-yields.ts';
import { talk } from './generator-rig.ts';

const tutor = defineFlow(async function* tutor() {
  const name = yield* ask({ key: 'name', text: "What's your name?" });
  yield* say(`Nice to meet you, ${name}.`);
  const sentence = yield* ask({ key: 'sentence', text: 'Send one sentence in English.' });
  const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence } });
  yield* say(corrected.ok ? corrected.result : `That did not work: ${corrected.error}`);
  yield* handoff('reminder', { name });
});

const reminder = defineFlow(async function* reminder(ctx) {
  const { name } = ctx.input as { name: string };
  const task = yield* ask({ key: 'task', text: `What should I remind you about, ${name}?` });
  yield* end(`reminder of ${task}`);
});

const correct = { correct_sentence: { run: ({ sentence }: { sentence?: unknown }) => `${String(sentence)}!` } };

describe('Flow execution (spec 2 §9)', () => {
  it('`ask` pause/resume: the flow waits for the caller, and goes on with the caller’s own words', async () => {
    const call = await talk(tutor);
    expect(call.news()).toEqual(["What's your name?"]);
    expect(call.engine.state.pendingAskKey).toBe('name');
    await call.says('  Ana Lima ');
    expect(call.news()).toEqual(['Nice to meet you, Ana Lima.', 'Send one sentence in English.']);
    expect(call.engine.state).toMatchObject({
      node: 'sentence',
      pendingAskKey: 'sentence',
      variables: { name: 'Ana Lima' },
      generator: { step: 3 },
    });
    expect(call.inferences).toBe(0);
  });

  it('`tool` yield execution and resume value: the function’s result is what the yield is answered with', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    await call.says('Ana');
    await call.says('I goes home');
    expect(call.said).toContain('I goes home!');
  });

  it('`handoff` transition and completion: the other flow begins with its input and ends the conversation', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    await call.says('Ana');
    await call.says('I goes home');
    expect(call.said.at(-1)).toBe('What should I remind you about, Ana?');
    expect(call.engine.state).toMatchObject({ flow: { id: 'reminder' }, node: 'task', generator: { step: 1 } });
    await call.says('milk');
    expect(call.engine.state.status).toBe('ended');
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'reminder of milk' } });
  });

  it('what a flow yields without helpers is the same, as the specification writes it', async () => {
    const plain = defineFlow(async function* () {
      const name = yield { type: 'ask', key: 'name', text: 'Who?' };
      const outcome = yield { type: 'tool', name: 'correct_sentence', args: { sentence: name } };
      yield { type: 'say', text: JSON.stringify(outcome) };
      return { reason: 'done' };
    });
    const call = await talk(plain, { tools: correct });
    await call.says('Ana');
    expect(call.said).toEqual(['Who?', '{"ok":true,"result":"Ana!"}']);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'done' } });
  });
});
