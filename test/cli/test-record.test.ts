import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { recordSession } from '../../src/flowtest/record/record-session.ts';
import { testFileOf } from '../../src/flowtest/record/write-test.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { next } from '../../src/livekit/tools/next.ts';
import type { Handler } from '../../src/livekit/tools/run-function.ts';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const flow = `name: ring
initial_node: who
role_messages: [{ role: system, content: Take the name. }]
slots:
  name: { type: name, ask: "Who is calling?", pii: true }
nodes:
  who: { collect: [name], default_transition: keep }
  keep:
    call: keep_name
    functions:
      - name: keep_name
        description: Keep it.
        parameters: { type: object, properties: { name: { type: string } }, required: [name] }
        transition_to: { field: status, cases: { kept: done }, default: sorry }
  done: { say: "Thank you, {{ name }}.", end: kept }
  sorry: { say: Sorry., end: sorry }
`;

test('a stored conversation becomes a test that passes, and holds nothing that was personal', async () => {
  const folder = folderOf({ 'flow.yaml': flow });
  const store = createMemoryStore({ clock: systemClock });
  const model = new ScriptedModel(({ userText }) =>
    userText === '' ? { text: 'Well.' } : { calls: [{ name: 'record', arguments: { name: 'Sigrun Thorvald' } }] },
  );
  const session = createTextSession(model);
  const keep = flowTool({
    name: 'keep_name',
    description: 'Keep it.',
    execute: (given) => ({ status: 'kept', ...given }),
  });
  const runner = createRunner({
    session,
    flow: join(folder, 'flow.yaml'),
    tools: [keep],
    store,
    sessionId: 'call-1',
  });
  await runner.start();
  await runner.idle();
  await runner.send('This is Sigrun Thorvald speaking');
  expect(await runner.ended).toBe('kept');

  const { scenario, notes } = await recordSession(store, 'call-1');
  expect(notes).toEqual([]);
  const file = join(folder, 'recorded.flowtest.yaml');
  writeFileSync(file, testFileOf(file, join(folder, 'flow.yaml'), 'Recorded.', [scenario]));
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/Sigrun|Thorvald/);
  expect(text).toContain('Alex Example');
  const { code, out } = await roomflowHere(['test', 'recorded.flowtest.yaml'], '', folder);
  expect(out).toContain('ok the conversation call-1');
  expect(code).toBe(0);
});

const shop = `name: shop
initial_node: ask
slots:
  colour: { type: text, ask: Which colour? }
nodes:
  ask: { collect: [colour], default_transition: mix }
  mix:
    pre_actions: [{ type: function, handler: look_up_price }]
    call: mix_paint
    functions:
      - { name: mix_paint, description: Mixes it., handler: mixer, transition_to: lost }
      - { name: ask_again, description: Asks again., transition_callback: choose }
  shelf:
    say: "It costs {{ price }} and stands on shelf {{ shelf }}. Anything else?"
    functions: [{ name: nothing, description: Nothing else., transition_callback: choose }]
  thanks: { say: "Thank you for {{ price }}.", end: mixed }
  lost: { say: Sorry., end: lost }
`;

/** Code that must not run in a test in which everything has stand-ins. */
const shopConfig = `import { flowTool } from '${join(projectFolder, 'dist/livekit.js')}';
const never = (name) => () => { console.log(name + ' has run'); };
const mixer = flowTool({ name: 'mixer', description: 'Mixes it.', register: false, execute: never('mixer') });
export default {
  flows: { shop: 'flow.yaml' },
  tools: [mixer],
  handlers: { look_up_price: never('look_up_price'), choose: never('choose') },
};
`;

test('what handlers have returned, set and led to is part of the test, with a configuration whose code has nothing to do', async () => {
  const folder = folderOf({ 'flow.yaml': shop, 'agent.config.mjs': shopConfig });
  const store = createMemoryStore({ clock: systemClock });
  const model = new ScriptedModel(({ tools }) =>
    tools.includes('nothing')
      ? { calls: [{ name: 'nothing', arguments: {} }] }
      : { calls: [{ name: 'record', arguments: { colour: 'red' } }] },
  );
  const mixer = flowTool({
    ...{ name: 'mixer', description: 'Mixes it.', register: false },
    execute: (_args, { set }) => {
      set('shelf', 4);
      return next('ok', 'shelf');
    },
  });
  const handlers: Readonly<Record<string, Handler>> = {
    look_up_price: (_data, { set }) => set('price', 12),
    choose(_args, { set }) {
      set('price', 13);
      return 'thanks';
    },
  };
  const runner = createRunner({
    ...{ session: createTextSession(model), store, sessionId: 'call-3', flow: join(folder, 'flow.yaml') },
    ...{ tools: [mixer], handlers },
  });
  await runner.start();
  await runner.idle();
  await runner.send('red, please');
  await runner.send('nothing else');
  expect(await runner.ended).toBe('mixed');

  const { scenario, notes, needsConfig } = await recordSession(store, 'call-3');
  expect([notes, needsConfig]).toEqual([[], false]);
  expect(scenario.tools).toEqual({
    look_up_price: { sets: { price: 12 } },
    mixer: { returns: 'ok', sets: { shelf: 4 }, next: 'shelf' },
    choose: { sets: { price: 13 }, next: 'thanks' },
  });
  for (const [name, config] of [['alone'], ['whole', join(folder, 'agent.config.mjs')]]) {
    const file = join(folder, `${name}.flowtest.yaml`);
    writeFileSync(file, testFileOf(file, join(folder, 'flow.yaml'), 'Recorded.', [scenario], config));
    const { code, out } = await roomflowHere(['test', `${name}.flowtest.yaml`], '', folder);
    expect([code, out]).toEqual([0, expect.stringContaining('1 scenario: 1 passed')]);
    expect(out).not.toContain('has run');
  }
});

test('a stand-in leads no other way: a choice that conditions look at stays, a number changes on its side of them', async () => {
  const triage = `name: triage
initial_node: what
slots:
  who: { type: name, ask: "Who is calling?", pii: true }
  reason: { type: enum, ask: "What is it?", pii: true, values: { checkup: [], pain: [] } }
  level: { type: integer, ask: "How bad?", pii: true, minimum: 0, maximum: 10 }
nodes:
  what: { collect: [who, reason, level] }
  nurse: { say: A nurse calls you., end: nurse }
  visit: { say: Come by., end: visit }
edges:
  - { from: what, to: nurse, when: { all: [{ equals: { var: reason, value: pain } }, { greater: { var: level, value: 7 } }] } }
  - { from: what, to: visit }
`;
  const folder = folderOf({ 'flow.yaml': triage });
  const store = createMemoryStore({ clock: systemClock });
  const said = { who: 'Sigrun Thorvald', reason: 'pain', level: 9 };
  const model = new ScriptedModel(({ userText }) =>
    userText === '' ? { text: 'Well.' } : { calls: [{ name: 'record', arguments: said }] },
  );
  const runner = createRunner({
    session: createTextSession(model),
    flow: join(folder, 'flow.yaml'),
    store,
    sessionId: 'call-2',
  });
  await runner.start();
  await runner.idle();
  await runner.send('Sigrun Thorvald, it is pain, a 9.');
  expect(await runner.ended).toBe('nurse');

  const { scenario, notes } = await recordSession(store, 'call-2');
  expect(notes).toEqual([expect.stringMatching(/^slot reason is as it was/)]);
  const [turn] = scenario.turns ?? [];
  expect(turn).toMatchObject({
    model: { record: { who: 'Alex Example', reason: 'pain', level: 8 } },
    expect: { node: 'nurse' },
  });
  expect(JSON.stringify(scenario)).not.toMatch(/Sigrun|Thorvald|\b9\b/);
  const file = join(folder, 'recorded.flowtest.yaml');
  writeFileSync(file, testFileOf(file, join(folder, 'flow.yaml'), 'Recorded.', [scenario]));
  expect((await roomflowHere(['test', 'recorded.flowtest.yaml'], '', folder)).code).toBe(0);
});

const desk = `name: desk
initial_node: ask
slots:
  city: { type: text, ask: Which city? }
functions:
  - { name: parking, description: Asks about parking., digression: true, transition_to: parking }
nodes:
  ask: { collect: [city], default_transition: done }
  parking: { say: Behind the house., default_transition: $return }
  hours: { say: From nine to five., default_transition: $return }
  done: { say: Thank you., end: done }
`;

/** Records a call to the desk in which the caller asks where to park. */
async function whoAsksToPark(sessionId: string) {
  const folder = folderOf({ 'flow.yaml': desk });
  const store = createMemoryStore({ clock: systemClock });
  const session = createTextSession(new ScriptedModel(() => ({ calls: [{ name: 'parking', arguments: {} }] })));
  const runner = createRunner({ session, flow: join(folder, 'flow.yaml'), store, sessionId });
  await runner.start();
  await runner.send('Where can I park?');
  return { folder, store, runner };
}

test('a way that only leads back is part of the test: it fails at its turn, with the line that leads elsewhere', async () => {
  const { folder, store, runner } = await whoAsksToPark('call-4');
  await runner.send('Where exactly?');
  await runner.stop('quit');

  const { scenario } = await recordSession(store, 'call-4');
  const file = join(folder, 'recorded.flowtest.yaml');
  writeFileSync(file, testFileOf(file, join(folder, 'flow.yaml'), 'Recorded.', [scenario]));
  const sound = await roomflowHere(['test', 'recorded.flowtest.yaml'], '', folder);
  expect([sound.code, sound.out]).toEqual([0, expect.stringContaining('1 passed')]);

  writeFileSync(join(folder, 'flow.yaml'), desk.replace('transition_to: parking', 'transition_to: hours'));
  const broken = await roomflowHere(['test', 'recorded.flowtest.yaml'], '', folder);
  expect(broken.code).toBe(1);
  expect(broken.out).toContain('turn 1, expect.path: another way through the flow');
  expect(broken.out).toContain('the flow: flow.yaml:6');
});

test('a flow that was changed in mid-call: of what was said before only where it led is part of the test', async () => {
  const { folder, store, runner } = await whoAsksToPark('call-5');
  writeFileSync(join(folder, 'flow.yaml'), desk.replace('transition_to: parking', 'transition_to: hours'));
  expect(await runner.reviseFlow(join(folder, 'flow.yaml'))).toBe('revised');
  await runner.send('And now?');
  await runner.stop('quit');

  const { scenario } = await recordSession(store, 'call-5');
  expect(scenario.turns?.map(({ expect: expected }) => expected)).toEqual([
    { node: 'ask' },
    { path: ['hours', 'ask'] },
  ]);
  const file = join(folder, 'recorded.flowtest.yaml');
  writeFileSync(file, testFileOf(file, join(folder, 'flow.yaml'), 'Recorded.', [scenario]));
  const { code, out } = await roomflowHere(['test', 'recorded.flowtest.yaml'], '', folder);
  expect([code, out]).toEqual([0, expect.stringContaining('1 passed')]);
});

test('where a way that was gone is the one that was changed, it is the new one that a recorded test expects', async () => {
  const folder = folderOf({ 'flow.yaml': desk });
  const store = await openSqliteStore(join(folder, 'calls.db'), { clock: systemClock });
  const session = createTextSession(new ScriptedModel(() => ({ calls: [{ name: 'parking', arguments: {} }] })));
  const runner = createRunner({ session, flow: join(folder, 'flow.yaml'), store, sessionId: '+1 202 555 0143' });
  await runner.start();
  await runner.send('Where can I park?');
  writeFileSync(
    join(folder, 'flow.yaml'),
    desk.replace('Behind the house., default_transition: $return', 'There., default_transition: hours'),
  );
  expect(await runner.reviseFlow(join(folder, 'flow.yaml'))).toBe('revised');
  await runner.send('Where, please?');
  await runner.stop('quit');
  await store.close();

  const args = [
    'test',
    'record',
    '+1 202 555 0143',
    'flow.yaml',
    '--store',
    'sqlite:calls.db',
    '--write',
    'kept.flowtest.yaml',
  ];
  writeFileSync(
    join(folder, 'task.yaml'),
    'flow: { name: task }\nnodes: { a: { type: control.wait, input: { ms: 0 } } }\n',
  );
  writeFileSync(join(folder, 'broken.yaml'), desk.replace('transition_to: parking', 'transition_to: parkin'));
  const misnamed = (other: string) => roomflowHere(args.with(3, other), '', folder);
  expect(await misnamed('task.yaml')).toMatchObject({ code: 2, errors: expect.stringContaining('is a task flow') });
  expect(await misnamed('broken.yaml')).toMatchObject({
    code: 2,
    out: expect.stringContaining('Did you mean "parking"?'),
  });
  expect(existsSync(join(folder, 'kept.flowtest.yaml'))).toBe(false);
  const { out } = await roomflowHere(args, '', folder);
  expect(out).toContain('turn 1 led to ask before the change, and leads to parking now: that is expected');
  expect(out).toContain('written: kept.flowtest.yaml, which passes');
  expect(readFileSync(join(folder, 'kept.flowtest.yaml'), 'utf8')).not.toContain('555');
});

test('a walk by chance finds a node that gets stuck, and writes a test that fails for it', async () => {
  const broken = flow
    .replace('default_transition: keep }', 'default_transition: fork }')
    .replace('  done:', '  fork: { type: control.fail, input: { message: no way on } }\n  done:');
  const folder = folderOf({ 'flow.yaml': broken });
  const explored = await roomflowHere(['test', 'explore', 'flow.yaml', '--seeds', '10'], '', folder);
  expect(explored.out).toContain('the flow got stuck');
  expect(explored.code).toBe(1);
  const { code, out } = await roomflowHere(['test', 'flow.found.flowtest.yaml'], '', folder);
  expect(out).toContain('flow:stuck was reported');
  expect(code).toBe(1);
});

test('walks through a flow that holds find nothing, and are written as tests that come through it', async () => {
  const folder = folderOf({ 'flow.yaml': flow });
  const args = ['test', 'explore', 'flow.yaml', '--seeds', '60', '--cover'];
  // Further walks would find nothing new and are not made.
  expect((await roomflowHere(args, '', folder)).out).toMatch(
    /^\d+ walks through flow.yaml, which cover all of it: nothing found$/m,
  );
  const { code, out } = await roomflowHere(['test', '--coverage', '--min-nodes', '100'], '', folder);
  expect(out).toContain('flow.yaml  4/4 100 %');
  expect(code).toBe(0);
});

test('walks end with the time that they are given, and say how many there were', async () => {
  const clinic = join(projectFolder, 'flows/clinic-intake/flow.yaml');
  const { code, out } = await roomflowHere(['test', 'explore', clinic, '--seeds', '1000000', '--seconds', '1']);
  const [, walks] = /^(\d+) walks through .*: nothing found$/m.exec(out) ?? [];
  expect(Number(walks)).toBeGreaterThan(0);
  expect(Number(walks)).toBeLessThan(1_000_000);
  expect(code).toBe(0);
});

test('a conversation that is not kept, and one that is not named, are told with what to do', async () => {
  const folder = folderOf({ 'flow.yaml': flow });
  const args = ['test', 'record', 'call-9', 'flow.yaml', '--store'];
  const missing = await roomflowHere([...args, 'memory'], '', folder);
  expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining('session-unknown')]);
  const misspelt = await roomflowHere([...args, 'sqlite:cals.db'], '', folder);
  expect([misspelt.code, misspelt.errors]).toEqual([2, expect.stringContaining('store-absent')]);
  expect(existsSync(join(folder, 'cals.db'))).toBe(false);
  const empty = await roomflowHere(['test', 'record'], '', folder);
  expect(empty.errors).toContain('roomflow test record SESSION FLOW');
});
