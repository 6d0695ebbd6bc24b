import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { joinRoom } from '../../src/testing/caller.ts';
import { createRoomAgent } from '../../src/testing/room-agent.ts';
import { openVenue } from './stage.ts';

const venue = openVenue();

const long = 'This is the line of the bank, which is open all day and all night for every caller who has an account.';
const flow: ConversationFlow = {
  initialNode: 'menu',
  slots: {
    pin: { type: 'text', ask: `Please enter your PIN. ${long}`, pii: true, dtmf: { digits: 4, timeoutMs: 20_000 } },
  },
  nodes: {
    menu: { say: `Press 1. ${long}`, keys: { 1: 'identify' }, taskMessages: [{ role: 'system', content: 'Help.' }] },
    identify: { collect: ['pin'], defaultTransition: 'dial' },
    dial: { say: 'I am dialling.', postActions: [{ type: 'send_keys', keys: '2w34#' }], defaultTransition: 'done' },
    done: { say: 'Goodbye.', end: 'dialled' },
  },
};

test('keys interrupt the agent, only keys of the caller count, and the agent presses keys itself', async () => {
  const agent = await createRoomAgent(flow, { server: venue.server, model: () => ({ text: 'Yes?' }) });
  const { runner } = agent;
  const [caller, other] = [
    await joinRoom(venue.server, 'keys', 'caller'),
    await joinRoom(venue.server, 'keys', 'other'),
  ];
  await agent.begin('keys', 'caller');
  await caller.until(() => caller.sound().firstLoudAt > 0, 'the menu');
  await other.press('1');
  const spoken: string[] = [];
  runner.onSpeech((text, interrupted) => void spoken.push(`${interrupted ? 'cut' : 'whole'}: ${text.trim()}`));
  await caller.until(() => caller.hearing().split(' ').length > 4, 'some words of the menu');
  expect(runner.currentNode).toBe('menu');
  await caller.press('1');
  await caller.until(() => caller.hearing().startsWith('Please enter'), 'the question for the PIN');
  expect(spoken).toEqual([expect.stringMatching(/^cut: Press 1\./)]);
  // The first digit interrupts the question, which does not continue while digits are entered.
  await caller.press('12');
  await caller.until(() => caller.agentAttributes()['lk.agent.state'] === 'listening', 'the agent to fall silent');
  await caller.press('34');
  await caller.until(() => caller.heard().includes('I am dialling.'), 'the next line');
  expect(spoken[1]).toMatch(/^cut: Please/);
  expect(runner.state.knowledge.slots['pin']?.value).toMatch(/^sealed:/);
  await caller.until(() => caller.pressed().includes('#'), 'the keys of the agent');
  // The 1 is of the other participant.
  expect(caller.pressed()).toBe('1234#');
  await agent.close();
  await Promise.all([caller.leave(), other.leave()]);
}, 240_000);
