import { RoomServiceClient } from 'livekit-server-sdk';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { type Caller, joinRoom } from './caller.ts';
import type { Leashed } from './leashed.ts';
import { hold, ledgerVariables, readLedger } from './ledger.ts';
import { findLivekitServer, freePort } from './livekit-server.ts';
import { linesOf, movesOf } from './log-lines.ts';
import { sayUntil } from './say-until.ts';
import { greetingMs, hasEars, openVenue, roomflowWorker } from './stage.ts';
import {
  type CalledTelephone,
  type HandedOver,
  openTelephoneNetwork,
  type TelephoneNetwork,
} from './telephone-network.ts';
import { secondsHeard, toneOf } from './tones.ts';

const venue = openVenue();
const noSqlite = whyNoSqlite();
/** Long enough for a busy machine. */
const limitMs = 60_000;

/** A worker with a server for people, on a LiveKit server with telephones. */
let worker: Leashed;
let network: TelephoneNetwork;
let httpPort = 0;
beforeAll(async () => {
  if (noSqlite !== null || findLivekitServer() === null) return;
  network = await openTelephoneNetwork(venue.server);
  httpPort = await freePort();
  const start = roomflowWorker('people.config.ts', (its) => ({
    ...ledgerVariables(its),
    ...(hasEars ? { TEST_EARS: 'offline' } : {}),
    LIVEKIT_URL: network.url,
    TEST_HTTP_PORT: String(httpPort),
    ROOMFLOW_STORE: `sqlite:${join(its.folder, 'calls.db')}`,
  }));
  worker = start(venue);
  await worker.hasSaid(/registered worker/);
  await worker.hasSaid(/http:listening/);
}, 120_000);
beforeEach((context) => {
  context.skip(noSqlite !== null, noSqlite ?? '');
  context.onTestFailed(() => console.log(worker.output().match(/^.*(?:"event":|job request|"level":50).*$/gm)));
});
afterAll(async () => {
  await worker?.stop(30_000);
  network?.close();
}, 60_000);

/** Sends a request to the server for people, as the desk. */
async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { Authorization: 'Bearer desk-token', 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`http://127.0.0.1:${httpPort}${path}`, { method, headers, ...sent });
  expect(answer.status, path).toBeLessThan(300);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

/** Returns the successful and denied actions of people on a session. */
async function auditOf(sessionId: string): Promise<readonly { action: string; outcome: string; actor: object }[]> {
  const { records } = (await ask('GET', `/audit?sessionId=${sessionId}`)) as {
    records: Awaited<ReturnType<typeof auditOf>>;
  };
  return records;
}

/** Waits until the worker has logged an event of a session the given number of times. */
function told(sessionId: string, event: string, times = 1): Promise<void> {
  const [of, is] = [`"sessionId":"${sessionId}"`, `"event":"${event}"`];
  return worker.hasSaid(new RegExp(`(?:(?:${of},${is}|${is},${of})[^]*){${times}}`), limitMs);
}

/** Approves the open wait of a session. */
async function approve(sessionId: string): Promise<void> {
  const { waits } = (await ask('GET', '/waits')) as { waits: { key: string; sessionId: string; factsHash: string }[] };
  const wait = waits.find((one) => one.sessionId === sessionId);
  const resolution = { decision: 'approve' };
  await ask('POST', `/waits/${encodeURIComponent(wait?.key ?? '')}/resolve`, {
    resolution,
    factsHash: wait?.factsHash,
  });
}

describe.concurrent('people and calls', () => {
  test('the agent asks a person, keeps the caller company, and continues with the decision; a caller who has hung up is called back', async (context) => {
    const caller = await venue.join(context, 'stays');
    // By telephone: that number is called back.
    const attributes = { 'sip.phoneNumber': '+49 407' };
    const other = await joinRoom(venue.server, 'leaves', 'telephone', undefined, { attributes, kind: 'sip' });
    context.onTestFinished(() => other.leave());
    for (const room of ['stays', 'leaves']) await venue.dispatchTo('people', room, { sessionId: room });
    for (const one of [caller, other])
      await one.until(() => one.heard().includes('Let me check that'), 'the agent to ask', greetingMs);
    await other.leave();
    await caller.until(() => caller.heard().includes('Still checking.'), 'company', limitMs);
    await approve('stays');
    await caller.until(() => caller.heard().includes('It is approved.'), 'the decision', limitMs);

    await told('leaves', 'call:waiting');
    await approve('leaves');
    const called = () => network.called.filter((one) => one.number === '+49407');
    await context.expect
      .poll(called, { timeout: limitMs })
      .toMatchObject([{ trunk: 'ST_test', from: '+49301', identity: 'caller' }]);
    const [telephone] = called();
    if (telephone === undefined) throw new Error('Nobody was called.');
    const back = await network.pickUp(telephone);
    context.onTestFinished(() => back.leave());
    await back.until(() => back.heard().includes('It is approved.'), 'the news', greetingMs);
    expect(back.heard()).toMatch(/^Hello again\.\s+It is approved\.$/);
    expect(called()).toHaveLength(1);
    expect(
      readLedger(venue.folder)
        .filter(({ did, session }) => did === 'refunded' && (session === 'stays' || session === 'leaves'))
        .map(({ session }) => session),
    ).toEqual(['stays', 'leaves']);
  }, 300_000);

  test('a caller who calls while a clerk carries out the decision is kept company and hears the result', async (context) => {
    const caller = await venue.join(context, 'busy');
    await venue.dispatchTo('people', 'busy', { sessionId: 'busy' });
    await caller.until(() => caller.heard().includes('Let me check that'), 'the agent to ask', greetingMs);
    await caller.leave();
    await told('busy', 'call:waiting');
    const letGo = hold(venue.folder, 'busy');
    context.onTestFinished(letGo);
    await approve('busy');
    const isAtIt = async (): Promise<unknown> => (await ask('GET', '/sessions/busy'))['open'];
    await context.expect.poll(isAtIt, { timeout: limitMs }).toMatchObject([{ kind: 'tool' }]);
    const again = await venue.join(context, 'busy-2');
    await venue.dispatchTo('people', 'busy-2', { sessionId: 'busy' });
    await again.until(() => again.heard().includes('One moment, please.'), 'company', greetingMs);
    letGo();
    await again.until(() => again.heard().includes('It is approved.'), 'the news', limitMs);
  }, 300_000);

  test('a caller who calls while their telephone rings hears the news in that call, and the ringing stops', async (context) => {
    const number = '+49 408';
    const first = await joinRoom(venue.server, 'crossed', 'telephone', undefined, {
      attributes: { 'sip.phoneNumber': number },
      kind: 'sip',
    });
    context.onTestFinished(() => first.leave());
    await venue.dispatchTo('people', 'crossed', { sessionId: 'crossed' });
    await first.until(() => first.heard().includes('Let me check that'), 'the agent to ask', greetingMs);
    await first.leave();
    await told('crossed', 'call:waiting');
    await approve('crossed');
    const rung = (): boolean => network.called.some((one) => one.number === '+49408');
    await context.expect.poll(rung, { timeout: limitMs }).toBe(true);
    const [telephone] = network.called.filter((one) => one.number === '+49408');
    if (telephone === undefined) throw new Error('Nobody was called.');
    const ringing = await network.ring(telephone);
    context.onTestFinished(() => ringing.leave());
    await ringing.until(() => ringing.isAgentThere(), 'an agent where it rings', greetingMs);

    const own = await venue.join(context, 'crossed-2');
    await venue.dispatchTo('people', 'crossed-2', { sessionId: 'crossed' });
    await own.until(() => own.heard().includes('It is approved.'), 'the news', greetingMs);
    const { url, apiKey, apiSecret } = venue.server;
    const rooms = new RoomServiceClient(url.replace(/^ws/, 'http'), apiKey, apiSecret);
    const isOpen = async (): Promise<boolean> => (await rooms.listRooms([telephone.room])).length > 0;
    await context.expect.poll(isOpen, { timeout: limitMs }).toBe(false);
    expect(ringing.heard()).toBe('');
  }, 300_000);

  test('only an authorized operator can take over: the agent falls silent, records the conversation, speaks the operator’s words, and resumes at the chosen node', async (context) => {
    const caller = await venue.join(context, 'house');
    await venue.dispatchTo('people', 'house', { sessionId: 'house', flow: 'house' });
    await caller.until(() => caller.heard().includes('Welcome to the house.'), 'the greeting', greetingMs);
    const stranger = await joinRoom(venue.server, 'house', 'stranger', undefined, {
      attributes: { 'roomflow.operator': 'eve' },
    });
    context.onTestFinished(() => stranger.leave());
    const actsThat = async (end: string): Promise<string[]> =>
      (await auditOf('house')).filter(({ outcome }) => outcome === end).map(({ action }) => action);
    await context.expect.poll(() => actsThat('denied'), { timeout: limitMs }).toEqual(['takeover:start']);
    await stranger.type('Say this.');
    await caller.type('hello');
    await caller.until(() => caller.heard().includes('The note is not there.'), 'the agent to answer', limitMs);
    expect(linesOf(worker, 'house').filter(({ event }) => event === 'takeover:started')).toEqual([]);
    expect(caller.heard()).not.toContain('Say this.');

    await caller.type('tell me the story');
    await caller.until(() => caller.hearing().includes('Room 1'), 'the story to begin', limitMs);

    const operator = await joinRoom(venue.server, 'house', 'operator-1', undefined, {
      attributes: { 'roomflow.operator': 'ada' },
    });
    context.onTestFinished(() => operator.leave());
    await told('house', 'takeover:started');
    expect(caller.heard()).not.toContain('Room 30');
    // Reported before the store answers.
    const state = (): Promise<unknown> => ask('GET', '/sessions/house');
    await context.expect.poll(state, { timeout: limitMs }).toMatchObject({
      hitlState: 'live_takeover',
      escalationId: expect.stringMatching(/^house\/\d+\/takeover$/) as unknown,
    });
    await operator.type('This is Ada from the desk.');
    await caller.until(() => caller.heard().includes('This is Ada from the desk.'), 'typed words', limitMs);
    const before = caller.heard();
    await caller.type('may I ask you something?');
    if (hasEars) {
      const isHeard = (): boolean => linesOf(worker, 'house').some(({ event }) => event === 'takeover:heard');
      await sayUntil(operator, 'I would like to say goodbye now.', isHeard);
    }
    expect(caller.heard()).toBe(before);
    await operator.type('/end paid It was paid by hand.');
    await caller.until(() => caller.heard().includes('The note is there.'), 'the agent to go on', limitMs);
    expect(movesOf(worker, 'house')).toEqual(['hello -> paid']);
    await operator.type('This is not said.');

    await operator.type('/take');
    await told('house', 'takeover:started', 2);
    await operator.leave();
    await told('house', 'takeover:ended', 2);
    await caller.type('goodbye');
    await caller.until(() => caller.heard().includes('Goodbye.'), 'the end', limitMs);
    expect(caller.heard()).not.toContain('This is not said.');
    expect(await actsThat('allowed')).toEqual([
      'takeover:start',
      'takeover:say',
      'takeover:end',
      'takeover:start',
      'takeover:end',
    ]);
    const actors = (await auditOf('house')).map(({ actor, outcome }) => `${outcome} ${JSON.stringify(actor)}`);
    expect(new Set(actors)).toEqual(new Set(['denied {"id":"eve"}', 'allowed {"id":"ada"}']));
    expect(readLedger(venue.folder).map(({ text }) => text)).toContain('may I ask you something?');
  }, 300_000);
});

describe('transfers', () => {
  const [callerHz, personHz] = [1_150, 1_750] as const;

  /** A caller by telephone who asks for somebody. */
  async function ask(context: TestContext, room: string, words: string): Promise<Caller> {
    context.onTestFailed(() => console.log(linesOf(worker, room)));
    const attributes = { 'sip.phoneNumber': '+49 409', 'sip.callID': 'SCL_0', 'sip.callStatus': 'active' };
    const caller = await joinRoom(venue.server, room, 'telephone', undefined, { attributes, kind: 'sip' });
    context.onTestFinished(() => caller.leave());
    await venue.dispatchTo('people', room, { sessionId: room, flow: 'pharmacy' });
    await caller.until(() => caller.heard().includes('This is the pharmacy.'), 'the greeting', greetingMs);
    await caller.type(words);
    return caller;
  }

  /** The request to hand the caller of a room over to the front desk. */
  async function handedOver(context: TestContext, room: string): Promise<HandedOver> {
    const asked = (): HandedOver | undefined => network.handedOver.find((one) => one.room === room);
    await context.expect.poll(asked, { timeout: limitMs }).toMatchObject({ to: 'tel:+4930300', identity: 'telephone' });
    const one = asked();
    if (one === undefined) throw new Error('No call was handed over.');
    return one;
  }

  /** The person who is dialed into a room. */
  async function dialed(context: TestContext, room: string): Promise<CalledTelephone> {
    const rung = (): CalledTelephone | undefined => network.called.find((one) => one.room === room);
    await context.expect.poll(rung, { timeout: limitMs }).toMatchObject({ trunk: 'ST_test', number: '+4930200' });
    const telephone = rung();
    if (telephone === undefined) throw new Error('Nobody was called.');
    return telephone;
  }

  test('warm: the person is briefed unheard by the caller, both are connected, and the flow goes on when the person leaves; cold: the call ends', async (context) => {
    const caller = await ask(context, 'warm', 'the pharmacist');
    await caller.until(() => caller.heard().includes('I am putting you through.'), 'the line', limitMs);
    const telephone = await dialed(context, 'warm');
    const heardBefore = caller.sound().loudSeconds;
    const [callersTone, personsTone] = [toneOf(callerHz, 1), toneOf(personHz, 1)];
    const person = await network.pickUp(telephone);
    context.onTestFinished(() => person.leave());
    await person.until(() => person.sound().loudSeconds > 0.5, 'the briefing', limitMs);
    await Promise.all([person.speak(personsTone), caller.speak(callersTone)]);
    expect(caller.sound().loudSeconds - heardBefore).toBeLessThan(0.2);
    expect([secondsHeard(caller, personHz), secondsHeard(person, callerHz)]).toEqual([0, 0]);
    await told('warm', 'takeover:started');
    while (secondsHeard(caller, personHz) < 0.5) await person.speak(personsTone);
    while (secondsHeard(person, callerHz) < 0.5) await caller.speak(callersTone);
    await caller.type('Can I take two of them?');
    await person.leave();
    await caller.until(() => caller.heard().includes('Is there anything else?'), 'the flow to go on', limitMs);
    expect(caller.heard()).toMatch(/putting you through\.\s+Is there anything else\?$/);
    expect(network.called.filter(({ room }) => room === 'warm')).toHaveLength(1);
    await caller.type('the front desk');
    network.answer(await handedOver(context, 'warm'), null);
    await told('warm', 'flow:ended');
    expect(linesOf(worker, 'warm')).toContainEqual(
      expect.objectContaining({ event: 'flow:ended', reason: 'transferred' }),
    );
  }, 300_000);

  test('a refused transfer returns to the question, and a busy person leads to the node of that outcome', async (context) => {
    const caller = await ask(context, 'refused', 'the front desk');
    network.answer(await handedOver(context, 'refused'), 603);
    await caller.until(() => caller.heard().includes('I could not reach anybody there.'), 'the outcome', limitMs);
    await caller.type('the pharmacist');
    network.hangUp(await dialed(context, 'refused'), 486);
    await caller.until(() => caller.heard().includes('They will call you back.'), 'the outcome', limitMs);
  }, 300_000);

  test('a caller who hangs up stops the ringing', async (context) => {
    const caller = await ask(context, 'gone', 'the pharmacist');
    const ringing = await network.ring(await dialed(context, 'gone'));
    context.onTestFinished(() => ringing.leave());
    await caller.leave();
    await ringing.until(() => !ringing.isAgentThere(), 'the end of the ringing', limitMs);
    expect(linesOf(worker, 'gone').map(({ event }) => event)).not.toContain('takeover:started');
  }, 300_000);
});
