import { expect, it } from 'vitest';
import { wrappedStore } from '../durable/wrapped-store.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { openWorld } from '../../src/flowtest/play/scenario-world.ts';
import { createScriptedReplies } from '../../src/flowtest/play/scripted-replies.ts';
import { withDirectNotifications } from '../../src/flowtest/play/direct-notifications.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

/** Longer than a settled event loop takes, in milliseconds of the machine. */
const slowMs = 10;

/** A store that answers as late as a disk or a network under load. */
function slowed(store: Store): Store {
  return wrappedStore(store, (name, method) => {
    const slow = async (...given: never[]): Promise<unknown> => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      return await method(...given);
    };
    return name.endsWith('watch') ? method : slow;
  });
}

// oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
const deadline = { after: '3m', then: 'go_to', node: 'late' };

const approval: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: { type: 'interrupt.escalate', input: { to: 'desk', question: 'May they?', say: 'One moment.', deadline } },
    decided: { say: 'You may.', end: 'decided' },
    late: { say: 'We call you back.', end: 'late' },
  },
  edges: [{ from: 'approve', to: 'decided' }],
};

/** A conversation that waits for a person, kept in a store. */
async function waiting(openStore: (clock: Clock) => Store) {
  const replies = createScriptedReplies({});
  const world = await openWorld({
    sessionId: 's',
    startAt: Date.UTC(2030, 0, 7, 9),
    openStore: (clock) => Promise.resolve(openStore(clock)),
    runner: { flow: approval, timeZone: 'UTC' },
    code: { tools: [], handlers: [], realTools: [], realHandlers: {}, writing: new Set() },
    schedules: [],
    clerkLooksEveryMs: 3_600_000,
    standIns: {},
    replies,
    modelOn: (clock) => new ScriptedModel((request) => replies.answer(request), { clock }),
    wordMs: () => 0,
    graceMs: 5_000,
    crash: null,
    isLive: false,
  });
  const { store, clock } = world;
  await world.start();
  await world.rest();
  return {
    world,
    async decide(): Promise<string> {
      const [wait] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
      if (wait === undefined) return 'over';
      const answer = { key: wait.effect.key, resolution: { decision: 'approve' }, actor: { id: 'ada' } };
      return (await resolveWait({ store, clock, authority: null }, answer)).outcome;
    },
  };
}

it('no time of a test passes while its store works: what a person decides comes before the deadline', async () => {
  const { world, decide } = await waiting((clock) => slowed(createMemoryStore({ clock })));
  await world.hangUp();
  await world.pass(6_000);
  await world.pass(1_000);
  const leftAt = world.clock.now();
  let decidedAt = 0;
  const decideNow = async (): Promise<string> => {
    const outcome = await decide();
    decidedAt = world.clock.now();
    return outcome;
  };
  expect(await world.outside(decideNow)).toBe('posted');
  expect(decidedAt).toBe(leftAt);
  expect(world.state.position.node).toBe('decided');
  await world.close();
});

it('a decision is taken at once in a store whose own notice comes too late', async () => {
  const never = (): (() => void) => () => undefined;
  const { world, decide } = await waiting((clock) =>
    withDirectNotifications({
      ...createMemoryStore({ clock }),
      watch: never,
      inbox: { ...createMemoryStore({ clock }).inbox, watch: never },
    }),
  );
  expect(await world.outside(decide)).toBe('posted');
  await world.rest();
  expect(world.state.position.node).toBe('decided');
  await world.close();
});
