import { z } from 'zod';
import type { OpenedConfig } from '../../../src/config/config.ts';
import type { OutsideSignal, Reach } from '../../../src/model/inbox.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/json.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import type { TaskFlow } from '../../../src/flow/document/task-document.ts';
import { createCatalog } from '../../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../../src/flow/graph/nodes/node-type.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { builtinCatalog } from '../../../src/flow/nodes/builtin.ts';
import { listCampaigns, startCampaign } from '../../../src/people/campaigns/keep-campaigns.ts';
import { receiveMessage } from '../../../src/people/messages/receive-message.ts';
import { resolveWait } from '../../../src/people/resolve-wait.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import { createRun } from '../../../src/runner/create-flow-run.ts';
import { createRunner, type FlowRunner } from '../../../src/runner/flow-runner.ts';
import { planParts, syncPlans } from '../../../src/runner/plans.ts';
import { systemIds as ids } from '../../../src/system.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import type { Outside, PeopleScene, Process } from './people-play.ts';

function toolsIn(outside: Outside) {
  return ['pay', 'bill'].map((name) =>
    flowTool({
      ...{ name, description: 'Pays.', effect: 'write', parameters: z.object({}) },
      execute: (_given, { key }) => {
        outside.paid.add(key);
        return { ok: true };
      },
    }),
  );
}

const pay = { name: 'pay', handler: 'pay', effect: 'write' } as const;

/** A refund that a person decides about, made once it is approved. */
function refund(more: JsonObject = {}): ConversationFlow {
  return {
    initialNode: 'approve',
    nodes: {
      approve: {
        type: 'interrupt.escalate',
        input: { to: 'refunds', question: 'Refund it?', say: 'One moment.', ...more },
      },
      refund: { call: 'pay', functions: [{ ...pay, transitionTo: 'done' }] },
      done: { say: 'It is approved.', end: 'refunded' },
      sorry: { say: 'It was refused.', end: 'refused' },
    },
    edges: [
      { from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } },
      { from: 'approve', to: 'sorry' },
    ],
  };
}

// oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
const deadline = { after: '20s', then: 'go_to', node: 'refund' };

/** Starts or resumes a call. Returns null if it is over. */
async function talk({ store, clock, outside }: Process, flow: ConversationFlow): Promise<FlowRunner | null> {
  if ((await statusOf(store)) === 'ended') return null;
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' }), { clock }));
  const tools = toolsIn(outside);
  const runner = createRunner({ session, flow, tools, store, sessionId: 's', clock, timeZone: 'UTC' });
  await runner.start();
  return runner;
}

/** A call whose caller hangs up during the wait. */
async function hangUp(process: Process, flow: ConversationFlow): Promise<void> {
  const runner = await talk(process, flow);
  await runner?.idle();
  await runner?.leave();
}

/** A person decides once they are notified, and again without a confirmation. */
async function decide({ store, clock, until }: Process): Promise<void> {
  const isAsked = async (): Promise<boolean> => (await store.effects.listOpen({ kind: 'wait', limit: 1 })).length > 0;
  await until(async () => (await isAsked()) || (await isThrough(store)));
  const [open] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
  if (open === undefined) return;
  const answer = { key: open.effect.key, resolution: { decision: 'approve' }, actor: { id: 'ada' } };
  await resolveWait({ store, clock, authority: null }, answer);
}

async function post({ store, clock }: Process, key: string, signal: OutsideSignal, reach: Reach = 'wait') {
  await store.inbox.post([{ key, sessionId: 's', dueAt: clock.now(), signal, reach, correlation: {}, actor: null }]);
}

async function stateIn(store: Store, sessionId = 's'): Promise<JsonObject> {
  const { state = null } = (await store.sessions.get(sessionId)) ?? {};
  return isJsonObject(state) ? state : {};
}

async function statusOf(store: Store, sessionId = 's'): Promise<Json> {
  return (await stateIn(store, sessionId))['status'] ?? null;
}

async function isThrough(store: Store): Promise<boolean> {
  const status = await statusOf(store);
  return status === 'ended' || status === 'ending' || status === 'complete';
}

/** Returns the node and the values of a session. */
async function standOf(store: Store, sessionId = 's'): Promise<Json> {
  const {
    status = null,
    node = null,
    slots = null,
    variables = null,
    outputs = null,
  } = await stateIn(store, sessionId);
  const slotValues = isJsonObject(slots)
    ? Object.entries(slots).map(([name, slot]) => [name, isJsonObject(slot) ? (slot['value'] ?? null) : null])
    : [];
  return { status, node, variables, outputs, slots: slotValues };
}

const refundFlow = refund();
const callingFlow = refund({ reach: 'call' });
const lateFlow = refund({ deadline });

/** Errands that are requested in sequence, each with a payment. */
const errands: ConversationFlow = {
  initialNode: 'idle',
  nodes: {
    idle: { taskMessages: [{ role: 'system', content: 'Wait.' }], respondImmediately: false, functions: [] },
    first: { call: 'pay', functions: [{ ...pay, transitionTo: 'between' }] },
    between: { taskMessages: [{ role: 'system', content: 'Wait.' }], respondImmediately: false, functions: [] },
    second: { call: 'bill', functions: [{ name: 'bill', handler: 'bill', effect: 'write', transitionTo: 'after' }] },
    after: { taskMessages: [{ role: 'system', content: 'Wait.' }], respondImmediately: false, functions: [] },
  },
};

const tasks: TaskFlow = {
  flow: { name: 'tasks' },
  nodes: [
    { id: 'ask', type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund it?' } },
    { id: 'pay', type: 'test.pay' },
  ],
  edges: [{ from: 'ask', to: 'pay' }],
};

/** The outside world of the current scene, because a node type is defined only once. */
let paidByTasks: Outside | null = null;
const payNode = defineNodeType({
  name: 'test.pay',
  description: 'Pays.',
  input: z.strictObject({}),
  output: z.strictObject({}),
  capabilities: { writes: true },
  run: (_input, { key }) => {
    paidByTasks?.paid.add(key);
    return Promise.resolve({});
  },
});
const catalog = createCatalog([...builtinCatalog.values(), payNode]);

/** A written conversation that pays once a day is chosen. */
const checkup: ConversationFlow = {
  initialNode: 'ask',
  slots: { day: { type: 'date', ask: 'Hello {{ name }}, which day suits you?' } },
  nodes: {
    ask: { collect: ['day'], defaultTransition: 'pay' },
    pay: { call: 'pay', functions: [{ ...pay, transitionTo: 'done' }] },
    done: { say: 'Thank you.', end: 'booked' },
  },
};

/** A text channel whose provider checks keys. */
function smsOf({ texts }: Outside): OpenedConfig['channels'] {
  return {
    sms: {
      send: (text, to, { key }) => void texts.set(to, (texts.get(to) ?? new Map<string, string>()).set(key, text)),
    },
  };
}

const people = ['1', '2', '3'];

function recallOf(outside: Outside): OpenedConfig {
  return {
    tools: toolsIn(outside),
    channels: smsOf(outside),
    flows: {},
    campaigns: {
      recall: {
        ...{ flow: 'checkup', reach: 'message', channel: 'sms', pageSize: 2 },
        async *segment(after) {
          for (const cursor of people.filter((one) => after === null || one > after))
            yield { id: `p${cursor}`, cursor, to: `+${cursor}`, input: { name: `Person ${cursor}` } };
        },
      },
    },
  };
}

const done: ConversationFlow = {
  initialNode: 'pay',
  nodes: {
    pay: { call: 'pay', functions: [{ ...pay, transitionTo: 'over' }] },
    over: { say: 'Paid.', end: 'paid' },
  },
};

export const peopleScenes: readonly PeopleScene[] = [
  {
    name: 'a decision that a live call takes',
    async act(process) {
      await Promise.all([talk(process, refundFlow), decide(process)]);
    },
    isDone: async (store) => (await statusOf(store)) === 'ended',
    outcome: (store) => standOf(store),
  },
  {
    name: 'a decision that a clerk takes',
    prepare: (process) => hangUp(process, refundFlow),
    async act(process) {
      await Promise.all([decide(process), process.startClerk({ tools: toolsIn(process.outside) }, refundFlow)]);
    },
    isDone: isThrough,
    outcome: (store) => standOf(store),
  },
  {
    name: 'a decision that a clerk takes, and that the caller is called about',
    prepare: (process) => hangUp(process, callingFlow),
    async act(process) {
      await Promise.all([decide(process), process.startClerk({ tools: toolsIn(process.outside) }, callingFlow)]);
    },
    isDone: async (store, { called }) => called.size > 0 && (await isThrough(store)),
    outcome: (store) => standOf(store),
  },
  {
    name: 'a decision for a run of a task flow',
    catalog,
    async prepare({ store, clock, outside }) {
      paidByTasks = outside;
      await createRun(tasks, { sessionId: 's', store, clock, catalog }).run();
    },
    async act(process) {
      await Promise.all([decide(process), process.startClerk({ flows: { tasks }, catalog }, refundFlow)]);
    },
    isDone: isThrough,
    outcome: async (store) => await statusOf(store),
  },
  {
    name: 'a deadline in a live call',
    async act(process) {
      await talk(process, lateFlow);
    },
    isDone: async (store) => (await statusOf(store)) === 'ended',
    outcome: (store) => standOf(store),
  },
  {
    name: 'a deadline that a clerk acts on',
    prepare: (process) => hangUp(process, lateFlow),
    act: (process) => process.startClerk({ tools: toolsIn(process.outside) }, lateFlow),
    isDone: isThrough,
    outcome: (store) => standOf(store),
  },
  {
    name: 'two errands, one behind the other',
    prepare: (process) => hangUp(process, errands),
    async act(process) {
      await post(process, 'errand 1', { type: 'node:requested', to: 'first' });
      await post(process, 'errand 2', { type: 'node:requested', to: 'second' });
      await process.startClerk({ tools: toolsIn(process.outside) }, errands);
    },
    isDone: (_store, { paid }) => Promise.resolve(paid.size === 2),
    outcome: (store) => standOf(store),
  },
  {
    name: 'a tick of a schedule, and the session that it begins',
    async act(process) {
      const { store, clock, outside } = process;
      const config: OpenedConfig = {
        tools: toolsIn(outside),
        flows: { done },
        schedules: { daily: { every: '1d', from: '2026-11-20T12:01:30Z', flow: 'done' } },
      };
      await syncPlans(config, planParts(config, { store, clock, ids }));
      await process.startClerk(config, done);
    },
    isDone: (_store, { paid }) => Promise.resolve(paid.size > 0),
    async outcome(store) {
      const runs = (await store.sessions.list({ limit: 9 })).filter(({ sessionId }) => /done|daily\//.test(sessionId));
      return await Promise.all(runs.map(async ({ sessionId }) => await standOf(store, sessionId)));
    },
  },
  {
    name: 'pages of a campaign, and those to whom it writes',
    async act(process) {
      const { store, clock, outside } = process;
      const config = { ...recallOf(outside), flows: { checkup } };
      if ((await listCampaigns({ store })).length === 0)
        await startCampaign(planParts(config, { store, clock, ids }), 'recall');
      await process.startClerk(config, checkup);
    },
    isDone: async (store, { texts }) =>
      texts.size === people.length &&
      (await store.inbox.list({ limit: 1 })).length === 0 &&
      (await store.effects.listOpen({ kind: 'message', limit: 1 })).length === 0,
    async outcome(store) {
      const [campaign] = await listCampaigns({ store });
      const sessions = (await store.sessions.list({ limit: 9, prefix: 'recipient/' })).map(
        ({ sessionId }) => sessionId,
      );
      const stands = await Promise.all(sessions.map(async (one) => await standOf(store, one)));
      return { status: campaign?.status ?? null, posted: campaign?.posted ?? null, stands };
    },
  },
  {
    name: 'an answer in writing',
    async act(process) {
      const { store, clock, outside, until } = process;
      await process.startClerk({ tools: toolsIn(outside), flows: { checkup }, channels: smsOf(outside) }, checkup);
      const contact = { channel: 'sms', to: '+1' };
      await post(
        process,
        'begin',
        { type: 'session:started', flow: 'checkup', input: { name: 'Ada', contact } },
        'message',
      );
      await until(() => outside.texts.size > 0);
      await receiveMessage({ store, clock }, { sessionId: 's', id: 'SM1', text: 'December first.', actor: null });
    },
    isDone: async (store) =>
      (await statusOf(store)) === 'ended' && (await store.effects.listOpen({ kind: 'message', limit: 1 })).length === 0,
    outcome: (store) => standOf(store),
  },
];
