import type { log } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { logEvents } from '../../src/worker/log-events.ts';
import { live } from './live.ts';

const desk: ConversationFlow = {
  initialNode: 'ask',
  slots: {
    name: { type: 'name', ask: 'Who is it?', confirm: 'readback', pii: true },
    birth: { type: 'date', ask: 'And the date of birth?', before: 'today', pii: true },
  },
  nodes: {
    ask: { collect: ['name', 'birth'], defaultTransition: 'look' },
    look: {
      taskMessages: [{ role: 'system', content: 'Look {{ name }} up.' }],
      functions: [{ name: 'look_up', effect: 'write', parameters: { type: 'object' }, transitionTo: 'done' }],
    },
    done: { say: 'Thank you, {{ name }}.', end: 'done' },
  },
};

it('the log and the events of a call contain no slot value: taken, refused, read back, passed on, or in an error', async () => {
  const record = (values: Readonly<Record<string, string>>) => ({ calls: [{ name: 'record', arguments: values }] });
  const replies = [
    record({ name: 'Zebedee Quill' }),
    record({ birth: '2999-01-31' }),
    { text: 'Which year was it?' },
    record({ birth: '1961-01-31' }),
    { calls: [{ name: 'look_up', arguments: { who: 'Zebedee Quill' } }] },
    { fails: 'error' as const },
    { fails: 'error' as const },
  ];
  let next = 0;
  const lookUp = flowTool({
    name: 'look_up',
    description: 'Look up.',
    parameters: z.looseObject({}),
    execute: ({ who }) => {
      throw new Error(`There is no ${String(who)}, born 1961-01-31.`);
    },
  });
  const { runner, events, heard } = await live(
    desk,
    () => replies[next++] ?? { text: 'I cannot find Zebedee Quill.' },
    {
      tools: [lookUp],
      onFlowError: () => undefined,
    },
  );
  const lines: string[] = [];
  const warned: string[] = [];
  const info = (entry: unknown, message: string): void => void lines.push(`${message} ${JSON.stringify(entry)}`);
  const warn = (entry: unknown, message: string): void => {
    info(entry, message);
    warned.push(message);
  };
  // Only these methods of a logger are called.
  onTestFinished(logEvents(runner, { info, warn } as unknown as ReturnType<typeof log>));
  for (const words of ['Zebedee Quill', 'yes', '31 January 2999', '31 January 1961', 'and now?'])
    await runner.send(words);
  expect(heard.join()).toContain('Zebedee Quill');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map((line) => line.split(' {')[0])).toContain('ask -> look');
  expect(warned).toContain('function look_up: failed (error)');
  const told = `${lines.join()}${JSON.stringify(events)}`;
  expect(told).not.toMatch(/zebedee|quill|1961-01|2999-01|january/i);
});
