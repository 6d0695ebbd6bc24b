import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { replay } from '../../src/store/replay.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { FlowMove } from '../../src/flow/document/move.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock as clock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { expectRefusal } from './refusal.ts';
import { readOldSignal } from '../../src/runner/read-old-signal.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { readState } from '../../src/kernel/state/upgrade.ts';
import { asVersion2 } from '../kernel/older-state.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flow: ConversationFlow = {
  initialNode: 'talk',
  nodes: {
    talk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [{ name: 'book', transitionTo: 'booked' }],
    },
    booked: {
      taskMessages: [{ role: 'system', content: 'Say that it is booked.' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};
const changed: ConversationFlow = { ...flow, nodes: { ...flow.nodes, bye: { say: 'Farewell.', end: 'done' } } };

/** The flow with renamed nodes. */
const renamed = {
  name: 'renamed',
  initialNode: 'talk',
  nodes: {
    talk: { say: 'Hello.', functions: [{ name: 'book', transitionTo: 'held' }] },
    held: {
      taskMessages: [{ role: 'system', content: 'Say that it is held.' }],
      functions: [{ name: 'part', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
} satisfies ConversationFlow;

function compiled(document: object): Graph {
  const { graph } = checkFlow(document, { catalog: builtinCatalog });
  if (graph === null) throw new Error('the flow does not compile');
  return graph;
}
const hashOfFlow = compiled(flow).hash;

async function hashKept(address: string): Promise<string> {
  const store = await openStore(address, { clock });
  const { graphHash = '' } = (await store.sessions.get('s')) ?? {};
  await store.close();
  return graphHash;
}

/** A runner on a store's address, with its heard lines and model. */
function runnerOn(
  store: string,
  running: ConversationFlow = flow,
  moves: FlowMove[] = [],
  functions: readonly string[] = [],
) {
  const model = new ScriptedModel(({ userText, tools }) => {
    if (userText === 'book it') return { calls: [{ name: 'book' }] };
    const [leave = 'leave'] = tools;
    return userText === 'bye' ? { calls: [{ name: leave }] } : { text: 'Gladly.' };
  });
  const session = createTextSession(model);
  const parameters = z.object({});
  const tools = functions.map((name) => flowTool({ name, description: name, parameters, execute: () => null }));
  const runner = createRunner({ session, flow: running, moves, tools, store, sessionId: 's', timeZone: 'UTC' });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  return { runner, heard, model };
}

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'a runner on the address of a store', () => {
  const left = async (name: string, running = flow, functions: readonly string[] = []): Promise<string> => {
    const store = `sqlite:${join(folder, name)}`;
    const { runner } = runnerOn(store, running, [], functions);
    await runner.start();
    await runner.idle();
    await runner.send('book it');
    await runner.leave();
    return store;
  };

  test('resumes where another process left, and shows the model the earlier words and calls', async () => {
    const store = await left('goes-on.db');
    const { runner, heard, model } = runnerOn(store);
    await runner.start();
    await runner.idle();
    expect(runner.currentNode).toBe('booked');
    expect(heard).toEqual(['Sorry, I was gone for a moment. Gladly.']);
    expect(model.requests[0]?.items).toEqual([
      'assistant: Hello.',
      'user: book it',
      'call: book',
      expect.stringMatching(/^output: book /),
      'assistant: Gladly.',
    ]);
    await runner.stop();
  });

  test('C4: resumes with the flow that the conversation began with, even if the files have changed', async () => {
    const store = await left('old-flow.db');
    const { runner, heard } = runnerOn(store, changed);
    await runner.start();
    await runner.idle();
    await runner.send('bye');
    expect(await runner.ended).toBe('done');
    expect(heard.at(-1)).toBe('Goodbye.');
  });

  test('does not restart a conversation that has ended', async () => {
    const store = await left('ended.db');
    const { runner } = runnerOn(store);
    await runner.start();
    await runner.idle();
    await runner.stop();
    expect(await expectRefusal('session-over', runnerOn(store).runner.start())).toMatch(/Start a new one/);
  });

  test('does not touch a conversation that another process owns', async () => {
    const address = `sqlite:${join(folder, 'owned.db')}`;
    const store = await openStore(address, { clock });
    await store.leases.acquire({ sessionId: 's', owner: 'another', ttlMs: 60_000 });
    await expectRefusal('session-taken', runnerOn(address).runner.start());
    await store.close();
  });

  test('C4: moves to a changed flow if a move is declared, at the node that replaces the old one', async () => {
    const store = await left('moves.db');
    const { runner, heard, model } = runnerOn(store, renamed, [
      { from: hashOfFlow, to: renamed.name, nodes: { booked: 'held' } },
    ]);
    await runner.start();
    await runner.idle();
    expect(runner.currentNode).toBe('held');
    expect(heard).toEqual(['Sorry, I was gone for a moment. Gladly.']);
    expect(model.requests[0]?.tools).toEqual(['part']);
    await runner.leave();
    // From now on it is a session of the new version and needs no move.
    const { runner: next } = runnerOn(store, renamed);
    await next.start();
    await next.idle();
    await next.send('bye');
    expect(await next.ended).toBe('done');
    const kept = await openStore(store, { clock });
    const compile = (document: Json): Promise<Graph> => Promise.resolve(compiled(document as object));
    expect(await replay(kept, 's', { compile, read: readOldSignal })).toMatchObject({ isKept: true });
    await kept.close();
  });

  test('with fewer members than this release knows still folds to its stored state', async () => {
    const kept = await openStore(await left('less.db'), { clock });
    const lessOf = async (key: string): Promise<Store> => {
      const snapshot = await kept.sessions.get('s');
      if (snapshot === null) throw new Error('nothing is kept');
      const { [key]: _missing, ...state } = asVersion2(readState(snapshot.state)) as JsonObject;
      return { ...kept, sessions: { ...kept.sessions, get: () => Promise.resolve({ ...snapshot, state }) } };
    };
    expect(await replaySession(await lessOf('origin'), 's')).toMatchObject({ isKept: true });
    // A state without a member that every release writes is damaged.
    expect(await replaySession(await lessOf('slots'), 's')).toMatchObject({ isKept: false });
    await kept.close();
  });

  test('moves even if the functions of the old flow are gone, and repeats its open work', async () => {
    const store = await left('functions-gone.db', { ...flow, functions: [{ name: 'gone', effect: 'read' }] }, ['gone']);
    expect(await expectRefusal('flow-version-missing', runnerOn(store, renamed).runner.start())).toMatch(
      /"gone"[^]*under moves in agent\.config\.ts/,
    );
    const from = await hashKept(store);
    const { runner, heard } = runnerOn(store, renamed, [{ from, to: renamed.name, nodes: { '*': 'talk' } }]);
    await runner.start();
    await runner.idle();
    expect(heard).toEqual(['Sorry, I was gone for a moment. Hello.']);
    expect(runner.currentNode).toBe('talk');
    await runner.stop();
  });

  test.each<[string, FlowMove[], RegExp]>([
    ['to a flow that there is not', [{ from: hashOfFlow, to: 'nowhere' }], /flow "nowhere", which is not among/],
    [
      'to a node that there is not',
      [{ from: hashOfFlow, to: 'renamed', nodes: { booked: 'gone' } }],
      /"gone", which is not in flow "renamed"/,
    ],
    [
      'twice',
      [
        { from: hashOfFlow, to: 'renamed' },
        { from: hashOfFlow, to: 'renamed' },
      ],
      /declared twice/,
    ],
    ['to itself', [{ from: compiled(renamed).hash, to: 'renamed' }], /leads to that very version/],
  ])('is refused before anything is kept or said where a move is declared %s', async (_what, moves, message) => {
    const store = await left(`${_what}.db`);
    expect(await expectRefusal('move-invalid', runnerOn(store, renamed, moves).runner.start())).toMatch(message);
  });

  test('stays unchanged if the declared move lacks its node', async () => {
    const store = await left('incomplete.db');
    const moves = [{ from: hashOfFlow, to: 'renamed' }];
    expect(await expectRefusal('move-incomplete', runnerOn(store, renamed, moves).runner.start())).toMatch(
      /in node "booked"/,
    );
    const { runner } = runnerOn(store, flow);
    await runner.start();
    expect(runner.currentNode).toBe('booked');
    await runner.stop();
  });

  test('C4: parks a conversation whose flow is no longer available, and changes nothing', async () => {
    const address = await left('gone.db');
    const store = await openStore(address, { clock });
    const before = await store.sessions.get('s');
    const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 60_000 });
    if (lease === null || before === null) throw new Error('the session was not left');
    const { seq: baseSeq, state, stateVersion } = before;
    const commit = { lease, baseSeq, inputKeys: [], signals: [], state, stateVersion, effects: [], events: () => [] };
    await store.steps.create({ ...commit, graphHash: 'unknown' });
    await store.leases.release(lease);
    await expectRefusal('flow-version-missing', runnerOn(address).runner.start());
    expect((await store.steps.list('s')).length).toBe(baseSeq);
    // The lease is free for a release that has the flow.
    expect(await store.leases.acquire({ sessionId: 's', owner: 'another', ttlMs: 1 })).not.toBeNull();
    await store.close();
  });
});
