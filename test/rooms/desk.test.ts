import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { startLeashed } from './leashed.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { linesOf, movesOf } from './log-lines.ts';
import { sayUntil } from './say-until.ts';
import { greetingMs, hasEars, noEars, openStage, roomflowWorker } from './stage.ts';

const stage = openStage(
  'desk',
  roomflowWorker('desk.config.ts', (its) => ({
    ...ledgerVariables(its),
    ...(hasEars ? { TEST_EARS: 'offline' } : {}),
  })),
);

describe.concurrent('a call at the desk', () => {
  test('the caller hangs up during a write: it settles and is recorded once', async (context) => {
    const caller = await greeted(await stage.call(context, 'hang-up', {}));
    await caller.type('save it');
    await context.expect.poll(() => didIn('hang-up'), { timeout: 120_000 }).toContain('save begun');
    await caller.leave();
    // The server closes an empty room at about the time when the agent gives up waiting.
    await stage.worker.hasSaid(
      /"sessionId":"hang-up","event":"flow:ended","reason":"(caller-left|room-closed)"/,
      90_000,
    );
    expect(didIn('hang-up')).toEqual(['save begun', 'save ended']);
    expect(linesOf(stage.worker, 'hang-up').filter(({ event }) => event === 'tool:settled')).toMatchObject([
      { function: 'save', state: 'done' },
    ]);
  }, 240_000);

  test('a caller whose machine dies and who returns in time resumes the call', async (context) => {
    const room = 'lost';
    const lost = startLeashed(execPath, ['--import', 'tsx', join(import.meta.dirname, 'lost-caller.ts'), room], {
      ...stage.server.variables,
    });
    context.onTestFinished(() => lost.kill());
    await lost.hasSaid(/joined/, 60_000);
    await stage.dispatch(room);
    await lost.hasSaid(/answered/, 150_000);
    await lost.kill();

    const back = await stage.join(context, room);
    await back.until(() => /gone for a moment.*Anything else\?/s.test(back.heard()), 'the question once more', 60_000);
    expect(back.agentAttributes()).toMatchObject({
      'flow.name': 'desk',
      'flow.node': 'saved',
      'flow.status': 'active',
    });
    await back.type('goodbye');
    await back.until(() => back.heard().includes('Goodbye from the desk.'), 'the answer', 60_000);
    expect(didIn(room)).toEqual(['save begun', 'save ended']);
  }, 300_000);

  test('the caller interrupts a reply, which stops; a read, which is aborted; and a write, which is kept: the words are answered once, at the current node', async (context) => {
    context.skip(!hasEars, noEars);
    const room = 'spoken-over';
    const caller = await greeted(await stage.call(context, room));
    await caller.type('tell me more');
    await caller.until(() => caller.hearing().includes('captain'), 'the story to begin', 60_000);
    await sayUntil(caller, 'I forgot my password.', answered(caller));
    expect(caller.heard()).toMatch(/The house was built by a captain/);
    expect(caller.heard()).not.toContain('Breakfast');

    await caller.type('look it up');
    await context.expect.poll(() => didIn(room), { timeout: 120_000 }).toEqual(['look begun']);
    await sayUntil(caller, 'I forgot my password.', answered(caller));
    expect(caller.agentAttributes()['flow.node']).toBe('hello');

    await caller.type('save it');
    await context.expect.poll(() => didIn(room), { timeout: 120_000 }).toContain('save begun');
    const isOver = (): boolean => caller.heard().includes('Goodbye from the desk.');
    // Words that the recogniser understands reliably, even if their beginning is cut off.
    await sayUntil(caller, 'I would like to say goodbye now.', isOver, 'You said');
    expect(didIn(room)).toEqual(['look begun', 'save begun', 'save ended']);
    expect(caller.heard().match(/Goodbye from the desk\./g)).toHaveLength(1);
    expect(caller.heard()).not.toContain('I have found it');
    expect(movesOf(stage.worker, room)).toEqual(['hello -> saved', 'saved -> bye']);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 300_000);

  test('two rooms run two flows at once; typed words and keys are turns; node and state are shown', async (context) => {
    const [desk, shop] = await Promise.all([
      stage.call(context, 'two-desk', { flow: 'desk' }),
      stage.call(context, 'two-shop', { flow: 'shop' }),
    ]);
    await Promise.all([greeted(desk), greeted(shop)]);
    expect(desk.heard()).toMatch(/^Welcome to the desk\./);
    expect(shop.heard()).toMatch(/^Welcome to the shop\./);
    expect(shop.agentAttributes()).toMatchObject({
      'flow.name': 'shop',
      'flow.node': 'hello',
      'flow.status': 'active',
    });
    await shop.press('12#');
    await desk.type('Good morning.');
    await shop.until(() => shop.heard().includes('You said 12#'), 'an answer to the keys');
    await desk.until(() => desk.heard().includes('You said Good morning.'), 'an answer to what was typed');
    await shop.until(() => shop.agentAttributes()['lk.agent.state'] === 'listening', 'the agent to listen');
    await shop.type('goodbye');
    await shop.until(() => shop.heard().includes('Goodbye from the shop.'), 'the end', 60_000);
    expect(movesOf(stage.worker, 'two-shop')).toEqual(['hello -> bye']);
    await shop.until(() => !shop.isAgentThere(), 'the agent to leave');
    // The caller who waited was meanwhile asked whether they are still there.
    expect(desk.heard()).not.toContain('shop');
    expect(shop.heard()).not.toContain('desk');
    expect(desk.isAgentThere()).toBe(true);
    expect(desk.agentAttributes()['flow.node']).toBe('hello');
  }, 300_000);
});

test('a room that is deleted at the start ends its call and frees the worker for the next, which resumes after a restart of the server', async (context) => {
  const early = await stage.call(context, 'deleted');
  await early.until(() => early.isAgentThere(), 'the agent', greetingMs);
  await stage.rooms.deleteRoom('deleted');
  const room = 'restart';
  const caller = await greeted(await stage.call(context, room));
  await caller.type('save it');
  await caller.until(() => caller.heard().includes('Anything else?'), 'the answer', 60_000);
  await stage.server.restart();
  await caller.until(() => caller.reconnects() > 0 && caller.isAgentThere(), 'caller and agent to be back', 60_000);
  // The caller sees an agent that is still reconnecting. Text typed before that is lost, so it is typed again.
  const typing = setInterval(() => void caller.type('still there').catch(() => undefined), 3_000);
  context.onTestFinished(() => clearInterval(typing));
  await caller.until(() => caller.heard().includes('You said still there'), 'the answer', 60_000);
  expect(caller.agentAttributes()['flow.node']).toBe('saved');
  expect(didIn(room)).toEqual(['save begun', 'save ended']);
}, 300_000);

async function greeted(caller: Caller): Promise<Caller> {
  await caller.until(() => caller.heard().includes('Welcome'), 'the greeting', greetingMs);
  return caller;
}

function didIn(session: string): readonly string[] {
  return readLedger(stage.folder).flatMap((entry) => (entry['session'] === session ? [entry.did] : []));
}

/** Returns whether the caller has heard an answer to their words since the call of this function. */
function answered(caller: Caller): () => boolean {
  const read = caller.heard().length;
  return () => caller.heard().slice(read).includes('You said');
}
