import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { prompt, replies, tool } from './desk-functions.ts';
import { live } from './live.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: { say: 'Hello.', taskMessages: prompt('Help.'), functions: [{ name: 'look', description: 'Looks.' }] },
  },
};
const look = { calls: [{ name: 'look' }] };
const tools = () => [tool('look', () => 'a table')];
const spoken = (heard: readonly string[]) => heard.slice(1).join(' ').replaceAll(/\s+/g, ' ').trim();

describe('a model that says only that it needs a moment', () => {
  it('is asked at once for the promised answer', async () => {
    const script = replies({ text: 'One moment, please.' }, look, { text: 'There is a table.' });
    const { runner, heard, model } = await live(desk, script, { tools: tools() });
    await runner.send('is there a table?');
    expect(spoken(heard)).toBe('One moment, please. There is a table.');
    expect(model.requests[1]?.instructions).toContain('You have just said: "One moment, please."');
  });

  it('may also continue in words', async () => {
    const script = replies({ text: 'Just a moment.' }, { text: 'There is a table.' });
    const { runner, heard } = await live(desk, script, { tools: tools() });
    await runner.send('is there a table?');
    expect(spoken(heard)).toBe('Just a moment. There is a table.');
  });

  it('is heard once if it repeats itself, and is not asked a third time', async () => {
    const { runner, heard, model } = await live(desk, () => ({ text: 'One moment, please.' }), { tools: tools() });
    await runner.send('is there a table?');
    expect(spoken(heard).match(/One moment/g)).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
  });

  it('is not asked again if it has made a call', async () => {
    const script = replies({ text: 'One moment, please.', ...look }, { text: 'There is a table.' });
    const { runner, model } = await live(desk, script, { tools: tools() });
    await runner.send('is there a table?');
    expect(model.requests).toHaveLength(2);
  });
});
