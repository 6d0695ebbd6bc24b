import { expect, it } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/store.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, end, handoff, say, tool } from '../../src/flow/document/generator-yields.ts';
import { generatorGraph } from '../../src/flow/graph/generator-graph.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import type { Lease } from '../../src/model/ports/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { noon, withoutTables } from '../kernel/session.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { type Talk, talk } from './generator-rig.ts';

const tutor = defineFlow(async function* tutor(ctx) {
  const name = yield* ask({ key: 'name', text: 'Who?' });
  const began = ctx.now();
  for (let lesson = 1; lesson <= 2; lesson += 1) {
    const sentence = yield* ask({ key: `sentence ${lesson}`, text: `A sentence, ${name}?` });
    const kept = yield* tool<string>({ name: 'keep', args: { sentence, began, lesson } });
    yield* say(kept.ok ? kept.result : kept.error);
  }
  yield* handoff('reminder', { name });
});
const reminder = defineFlow(async function* reminder(ctx) {
  const { name } = ctx.input as { name: string };
  const hours = yield* ask({ key: 'hours', text: `In how many hours, ${name}?`, type: 'integer' });
  yield* tool({ name: 'keep', args: { hours, at: ctx.now() } });
  yield* say('Done.');
  yield* end('scheduled');
});
const words: Readonly<Record<string, string>> = {
  name: 'Ana',
  'sentence 1': 'I go',
  'sentence 2': 'I went',
  hours: 'three',
};

interface Point {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** A store whose process dies at a point: after it, nothing is done and nothing is answered. */
function mortal(store: MemoryStore, point: Point | null) {
  let writes = 0;
  let isDead = false;
  let die = (): void => undefined;
  let lease: Lease | null = null;
  const died = new Promise<'died'>((resolve) => (die = () => resolve('died')));
  const never = new Promise<never>(() => undefined);
  const mayDie = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    writes += 1;
    const isLast = writes === point?.write;
    const result = isLast && point?.when === 'before' ? null : await work();
    if (!isLast) return result as Result;
    isDead = true;
    die();
    return await never;
  };
  const dying: MemoryStore = {
    ...store,
    get transactions() {
      return store.transactions;
    },
    leases: {
      ...store.leases,
      async acquire(...given) {
        if (isDead) return await never;
        lease = await store.leases.acquire(...given);
        return lease;
      },
    },
    steps: { ...store.steps, create: (commit) => mayDie(() => store.steps.create(commit)) },
    graphs: { ...store.graphs, save: (...given) => mayDie(() => store.graphs.save(...given)) },
  };
  return { dying, died, writes: () => writes, lease: () => lease };
}

/** Plays the whole conversation, or up to the death of the process, and then resumes from the stored state. */
async function play(point: Point | null) {
  const clock = createVirtualClock(noon);
  const store = createMemoryStore({ clock });
  const ledger = new Map<string, string>();
  const tools = {
    keep: {
      // Done once for each key, as the systems around a real agent must do it too.
      run: (args: unknown, key: string) => {
        ledger.set(key, JSON.stringify(args));
        return `Kept ${ledger.size}.`;
      },
    },
  };
  const begin = (on: MemoryStore): Promise<Talk> => talk(tutor, { store: on, clock, tools, flows: { reminder } });
  const converse = async (on: MemoryStore): Promise<'over'> => {
    const call = await begin(on);
    for (;;) {
      const { status } = call.engine.state;
      const { pendingAskKey } = call.engine.state.dialogue;
      if (status !== 'active' || pendingAskKey === null) break;
      const outcome = await call.says(words[pendingAskKey] ?? '', `ev ${pendingAskKey}`);
      if (outcome !== 'taken') throw new Error(`${pendingAskKey} is ${outcome}`);
    }
    await call.engine.close(null);
    return 'over';
  };
  const first = mortal(store, point);
  const outcome = await Promise.race([converse(first.dying), first.died]);
  const crashed = outcome === 'died';
  const lease = first.lease();
  if (crashed && lease !== null) await store.leases.release(lease);
  const kept = crashed ? await store.sessions.get('s') : null;
  // A session that had ended before the process died needs no second process.
  const isOver = kept !== null && (kept.state as { status?: string }).status === 'ended';
  if (crashed && !isOver) await converse(store);
  return { store, ledger: [...ledger.values()], crashed, writes: first.writes() };
}

/** Returns the folded state of a session's log. */
async function fold(store: MemoryStore): Promise<unknown> {
  let graph = generatorGraph('tutor', { language: languageOf(defaultLanguage), languageOf });
  let state = newSession('s');
  for (const { signal } of await store.steps.list('s')) {
    if (signal.type === 'flow:handed-off')
      graph = generatorGraph(signal.flow.id, { language: languageOf(defaultLanguage), languageOf });
    state = step(withoutTables(graph), state, signal).state;
  }
  return JSON.parse(JSON.stringify(state));
}

it('a crash before or after any write ends in the same conversation, with everything done once', async () => {
  const whole = await play(null);
  expect(whole.crashed).toBe(false);
  expect(whole.ledger).toHaveLength(3);
  const end = (await whole.store.sessions.get('s'))?.state;
  const ended = { status: 'ended', knowledge: { variables: { hours: 3 } } };
  expect(end).toMatchObject(ended);
  let points = 0;
  for (let write = 1; write <= whole.writes; write += 1)
    for (const when of ['before', 'after'] as const) {
      const at = `${when} write ${write}`;
      const { store, ledger, crashed } = await play({ write, when });
      expect(crashed, at).toBe(true);
      const kept = await store.sessions.get('s');
      expect(kept?.state, at).toMatchObject({ ...ended, position: { flow: { id: 'reminder' } } });
      expect(ledger, at).toEqual(whole.ledger);
      expect(await fold(store), at).toEqual(kept?.state);
      points += 1;
    }
  console.log(`generators: ${points} crash points, 0 divergences`);
  expect(points).toBeGreaterThan(15);
});
