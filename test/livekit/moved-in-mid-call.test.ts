import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';
import { notedWaits } from './noted-waits.ts';
import { until } from './until.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];
const flow = (effect: 'read' | 'write'): ConversationFlow => ({
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: prompt('Desk.'),
      functions: [{ name: 'work', effect, transitionTo: 'attic' }],
    },
    attic: { say: 'The attic.', taskMessages: prompt('Attic.'), functions: [{ name: 'leave', transitionTo: 'desk' }] },
    cellar: { say: 'New.', taskMessages: prompt('Cellar.'), functions: [{ name: 'leave', transitionTo: 'desk' }] },
  },
});
const script = { desk: [{ when: 'work', calls: [{ name: 'work' }] }] };

/** A call whose function has started and ends when the test says so. */
async function working(effect: 'read' | 'write') {
  const begun = createGate();
  const end = createGate();
  let aborted = false;
  const work = flowTool({
    name: 'work',
    description: 'Work.',
    parameters: z.object({}),
    async execute(_input, { signal }) {
      signal.addEventListener('abort', () => (aborted = true));
      begun.open();
      await Promise.race([
        end.opened,
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
      ]);
      return 'done';
    },
  });
  const { clock, waits } = notedWaits();
  const call = await live(flow(effect), script, { tools: [work], clock });
  const sent = call.runner.send('work');
  await begun.opened;
  return { ...call, sent, end, waits, isAborted: () => aborted };
}

describe('a conversation that is moved from outside while a function runs', () => {
  it.each<[string, (call: Awaited<ReturnType<typeof working>>) => Promise<void>]>([
    ['enter', ({ runner }) => runner.enter('cellar')],
    ['swapFlow', ({ runner }) => runner.swapFlow(flow('read'), { node: 'cellar' })],
  ])('%s aborts a read, and resolves when the new node was heard', async (_what, move) => {
    const call = await working('read');
    await move(call);
    expect(call.isAborted()).toBe(true);
    expect(call.heard.at(-1)).toBe('New.');
    expect(call.runner.currentNode).toBe('cellar');
    // After an interruption without words the flow would wait for 1.5 seconds.
    expect(call.waits.filter((ms) => ms >= 1_500)).toEqual([]);
    await call.sent;
  });

  it('does not wait for a write, which is stored: the new node is heard at once', async () => {
    const call = await working('write');
    await call.runner.enter('cellar');
    expect(call.heard.at(-1)).toBe('New.');
    expect(call.isAborted()).toBe(false);
    call.end.open();
    await call.sent;
    const settled = (): boolean =>
      call.events.some(({ type, data }) => type === 'tool:settled' && JSON.stringify(data).includes('"done"'));
    await until(settled, () => JSON.stringify(call.events.filter(({ type }) => type.startsWith('tool:'))));
    expect(call.runner.currentNode).toBe('cellar');
  });

  it('may be moved by the function itself, which then ends', async () => {
    const move: { run?: () => Promise<void> } = {};
    const work = flowTool({
      name: 'work',
      description: 'Work.',
      parameters: z.object({}),
      async execute() {
        await move.run?.();
        return 'done';
      },
    });
    const call = await live(flow('read'), script, { tools: [work] });
    move.run = () => call.runner.enter('cellar');
    await call.runner.send('work');
    await call.runner.idle();
    expect(call.heard.at(-1)).toBe('New.');
    expect(call.runner.currentNode).toBe('cellar');
  });
});

describe('a conversation that is moved from outside while the model thinks', () => {
  const next: ConversationFlow = {
    initialNode: 'desk',
    slots: { day: { type: 'date', ask: 'Which day?', after: 'today' } },
    nodes: {
      desk: {
        say: 'Hello.',
        taskMessages: prompt('Desk.'),
        functions: [{ name: 'leave', transitionTo: 'booking' }],
      },
      booking: {
        taskMessages: prompt('Booking.'),
        collect: ['day'],
        functions: [{ name: 'back', transitionTo: 'desk' }],
      },
    },
  };

  it.each<[string, (runner: Awaited<ReturnType<typeof live>>['runner']) => Promise<void>]>([
    ['enter', (runner) => runner.enter('booking')],
    ['swapFlow', (runner) => runner.swapFlow({ ...next, initialNode: 'booking' }, { node: 'booking' })],
  ])('%s passes the words of the caller, which nothing has answered, to the new node', async (_what, move) => {
    const thinking = createGate();
    const { runner, heard } = await live(next, ({ instructions }) => {
      if (instructions.includes('Booking.')) return { calls: [{ name: 'record', arguments: { day: '2098-12-01' } }] };
      thinking.open();
      return { text: 'Never heard.', delayMs: 500 };
    });
    const sent = runner.send('On the first of December 2098, please.');
    await thinking.opened;
    await move(runner);
    await sent;
    await runner.idle();
    expect(runner.currentNode).toBe('booking');
    expect(runner.state.knowledge.slots['day']).toMatchObject({ value: '2098-12-01', grounded: true });
    expect(heard.join(' ')).not.toContain('Never heard.');
  });
});
