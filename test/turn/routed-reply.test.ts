import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { classicFlow } from '../../src/flow/document/classic.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { conversation, graphOf, noon } from '../kernel/session.ts';
import { createGate } from '../livekit/gate.ts';

const classic = graphOf(classicFlow({ prompt: 'Be helpful.', functions: [] }), [], [], true);
const sizes: ConversationFlow = {
  name: 'order',
  initialNode: 'size',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'It is ordered.', end: true } },
};
const order = graphOf(sizes);
const routed = { type: 'reply:routed', at: noon, to: 'order' } as const;
const words = { eventId: 'e2', text: 'a large one', via: 'text' } as const;

/** An engine on the classic path whose flows load only when the test resolves `found`. */
async function classicEngine(found: Promise<void>): Promise<{ engine: Engine; told: () => Promise<string[]> }> {
  const clock = createVirtualClock(noon);
  const ids = createCountingIds();
  const store = createMemoryStore({ clock });
  const engine = await createEngine({
    graph: classic,
    sessionId: 's',
    store,
    executor: { execute: () => Promise.reject(new Error('Nothing is called.')) },
    hub: createHub({ clock, ids }),
    clock,
    civilTime: systemCivilTime,
    ids,
    timeZone: 'UTC',
    writeCapMs: 10_000,
    generators: {
      random: createSeededRandom(1),
      generatorOf: () => Promise.resolve(null),
      resolve: async (to) => {
        await found;
        return to === 'order' ? order : null;
      },
    },
  });
  await engine.start({});
  await engine.receive({ eventId: 'e1', text: 'I want one', via: 'text' });
  engine.dispatch({ signal: routed });
  const told = async (): Promise<string[]> => {
    await engine.keep();
    return (await store.steps.list('s')).map(({ signal }) => signal.type);
  };
  return { engine, told };
}

describe('a reply that leads to a flow', () => {
  // The first question of the flow was not said before the caller spoke.
  const begun = ['reply:routed', 'effect:settled', 'flow:called', 'speech:settled', 'user:turn'];
  const inOrder = ['session:started', 'user:turn', ...begun];

  it('begins it before the words that come next, which are for the flow', async () => {
    const { engine, told } = await classicEngine(Promise.resolve());
    await engine.receive(words);
    expect(await told()).toEqual(inOrder);
    expect(engine.state.position.flow.id).toBe('order');
  });

  it('lets the words that come while it begins wait for it', async () => {
    const found = createGate();
    const { engine, told } = await classicEngine(found.opened);
    const [effect] = engine.outbox.drop(({ kind }) => kind === 'handoff');
    if (effect?.kind !== 'handoff') throw new Error('It leads nowhere.');
    const beginning = engine.handOff(effect);
    const taken = engine.receive(words);
    found.open();
    await Promise.all([beginning, taken]);
    expect(await told()).toEqual(inOrder);
  });
});

describe('the kernel', () => {
  it('leads to one flow at a time', () => {
    const call = conversation(classic);
    call.start();
    call.send(routed);
    expect(call.effects).toMatchObject([{ kind: 'handoff', payload: { to: 'order', routed: true } }]);
    call.send({ ...routed, to: 'other' });
    expect(call.facts).toEqual([{ type: 'signal:ignored', data: { signal: 'reply:routed', reason: 'stale' } }]);
  });

  it('leads there after a crash too, and the model is not asked for anything else', () => {
    const call = conversation(classic);
    call.start();
    call.turn('I want one');
    call.batch([], 'With pleasure.');
    call.send(routed);
    call.send({ type: 'session:resumed', at: noon });
    expect(call.effects.map(({ kind }) => kind)).toEqual(['say', 'handoff']);
  });

  it('changes nothing where the flow cannot be had', () => {
    const call = conversation(classic);
    call.start();
    call.send(routed);
    const key = call.effects[0]?.key ?? '';
    call.send({ type: 'effect:settled', at: noon, key, state: 'failed', error: 'flow-unknown' });
    expect(call.outcome).toEqual([]);
    expect(call.state).toMatchObject({ status: 'active', position: { node: 'classic' }, effects: {} });
  });
});
