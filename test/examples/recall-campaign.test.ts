// What runs the tools of the example is of the package that has made them.
import { FlowRunner } from 'roomflow/livekit';
import { expect, it, onTestFinished } from 'vitest';
import config from '../../examples/recall-campaign/agent.config.ts';
import { patients } from '../../examples/recall-campaign/patients.ts';
import type { OpenedConfig } from '../../src/config/config.ts';
import { openTest } from '../../src/flowtest/open-test.ts';
import { runTests } from '../../src/flowtest/run-tests.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import type { OutgoingCall } from '../../src/people/calls/call-out.ts';
import { contactOf } from '../../src/people/channels/contact.ts';
import { listCampaigns } from '../../src/people/campaigns/keep-campaigns.ts';
import { createConfiguredClerk } from '../../src/runner/clerk-of-config.ts';
import { planParts, syncPlans } from '../../src/runner/plans.ts';
import { systemCivilTime as civil, systemIds as ids } from '../../src/system.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { failuresOf } from '../testing/flowtests.ts';

const flow = 'examples/recall-campaign/recall.yaml';

it('two weeks of calls: who does not answer is called again, nobody at night or against their will, each visit booked once', async () => {
  const given = patients.map((patient) => ({ ...patient }));
  onTestFinished(() => patients.forEach((patient, index) => Object.assign(patient, given[index])));
  // A Sunday evening in Berlin.
  const clock = createVirtualClock(Date.UTC(2030, 0, 6, 19));
  const store = createMemoryStore({ clock });
  const opened: OpenedConfig = { ...config, store };
  const parts = planParts(opened, { store, clock, ids });
  const called: string[] = [];
  const talks: Promise<void>[] = [];
  /** How many calls each patient lets ring before they answer; Cleo is away until the week after. */
  const misses = new Map([['Ben', 1], ['Cleo', 3]]); // prettier-ignore
  const telephone = async ({ sessionId, input, correlation }: OutgoingCall): Promise<void> => {
    const name = patients.find(({ phone }) => phone === contactOf(input)?.to)?.name ?? '';
    called.push(`${name} ${civil(clock.now(), 'Europe/Berlin').slice(5)}`);
    const left = misses.get(name) ?? 0;
    misses.set(name, left - 1);
    if (left <= 0) talks.push(talk(sessionId, input, correlation));
  };
  const talk = async (sessionId: string, input: OutgoingCall['input'], correlation: OutgoingCall['correlation']) => {
    const session = createTextSession(new OfflineBrain({ clock, timeZone: 'Europe/Berlin' }));
    const settings = { clock, timeZone: 'Europe/Berlin', onEnd: 'keep' } as const;
    const options = { tools: config.tools ?? [], session, flow, sessionId, input, store, settings };
    const runner = new FlowRunner({ ...options, host: { correlation } });
    await runner.start();
    await runner.send('February first.');
    await runner.ended;
  };
  await syncPlans(opened, parts);
  const troubles: unknown[] = [];
  const until = Date.UTC(2030, 0, 20, 19);
  // A worker is there whenever something is due; between these moments none has to be.
  for (;;) {
    const clerk = createConfiguredClerk({
      ...{ config: opened, store, clock, ids, placeCall: telephone },
      flowOf: () => Promise.resolve(flow),
      onFailed: (note) => void troubles.push(note),
      onError: (error) => void troubles.push(error),
    });
    await clerk.start();
    let under = 0;
    for (let waits = 0; waits < 12 || (under > 0 && waits < 3_000); waits += 1) {
      await clock.advance(200);
      // LiveKit has timers of its own.
      await new Promise((resolve) => setTimeout(resolve, 2));
      under += talks.length;
      for (const one of talks.splice(0)) void one.finally(() => (under -= 1));
    }
    expect(under).toBe(0);
    await clerk.stop();
    const [next] = await store.inbox.list({ state: 'open', dueAfter: clock.now(), limit: 1 });
    if (next === undefined || next.notBefore > until) break;
    await clock.advance(next.notBefore - clock.now());
  }

  expect(troubles).toEqual([]);
  expect(called.toSorted()).toEqual([
    'Ada 01-07T09:00',
    'Ben 01-07T09:00',
    'Ben 01-08T09:00',
    'Cleo 01-07T09:00',
    'Cleo 01-08T09:00',
    'Cleo 01-09T09:00',
    'Cleo 01-14T09:00',
    'Eve 01-07T15:00',
    'Finn 01-14T09:00',
  ]);
  const visits = Object.fromEntries(patients.map(({ name, visit }) => [name, visit]));
  const day = '2030-02-01';
  expect(visits).toEqual({ Ada: day, Ben: day, Cleo: day, Dan: null, Eve: day, Finn: day });
  expect(await listCampaigns(parts)).toMatchObject([{ status: 'done', round: { scheduleId: 'mondays' } }]);
});

it('people and machines answer the calls, and only people reach the flow', async () => {
  const { test } = await openTest('examples/recall-campaign/recall.flowtest.yaml');
  const results = await runTests(test === null ? [] : [test], {});
  expect(results.flatMap(({ scenarios }) => failuresOf(scenarios))).toEqual([]);
  expect(results.flatMap(({ scenarios }) => scenarios)).toHaveLength(16);
});
