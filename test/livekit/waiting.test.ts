import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { hitlOf } from '../../src/kernel/wait/hitl.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';

const flow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: {
      type: 'interrupt.escalate',
      input: {
        to: 'refunds',
        question: 'Refund 120?',
        say: 'Let me check that.',
        meanwhile: { say: 'Still checking.' },
        // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
        deadline: { after: '3m', then: 'go_to', node: 'later' },
      },
      defaultTransition: 'done',
    },
    done: { say: 'It is decided.', end: true },
    later: { say: 'We call you back.', end: true },
  },
};
const script = { approve: [{ text: 'About two minutes.' }] };

test('a caller who asks during a wait is answered, and the wait survives their hanging up', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const metas: unknown[] = [];
  const first = await live(flow, script, {
    store,
    sessionId: 'call-1',
    hooks: { onResponse: async (_reply, _context, meta) => void metas.push([meta?.hitlState, meta?.escalationId]) },
  });
  await first.runner.send('How long will it take?');
  expect(first.heard).toEqual(['Let me check that.', 'About two minutes. Still checking.']);
  const [wait] = await store.effects.listOpen({ kind: 'wait', limit: 10 });
  expect(wait?.effect).toMatchObject({ payload: { to: 'refunds', facts: { question: 'Refund 120?' } } });
  expect(wait?.effect.deadline).toBeGreaterThan(systemClock.now());
  expect(await store.effects.listOpen({ kind: 'message', limit: 10 })).toMatchObject([
    { effect: { state: 'intended', payload: { to: 'refunds', data: { key: wait?.effect.key } } } },
  ]);
  expect(metas.at(-1)).toEqual(['pending_admin_resolution', wait?.effect.key]);
  const sent = (await store.steps.listEvents('call-1')).find(({ type }) => type === 'response:sent');
  expect(sent).toMatchObject({
    escalationId: wait?.effect.key,
    data: { hitlState: 'pending_admin_resolution' },
  });
  await first.runner.stop('caller-left');

  const second = await live(flow, script, { store, sessionId: 'call-1' });
  expect(second.heard.at(-1)).toBe('Sorry, I was gone for a moment. Still checking.');
  expect(hitlOf(second.runner.state).escalationId).toBe(wait?.effect.key);
});
