import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TextAbout } from '../../src/lsp/text/text-about.ts';
import { foldLog, compileKept } from '../../src/studio/fold.ts';
import type { ConversationDocument } from '../../src/flow/document/document.ts';
import type { About } from '../../src/studio/protocol.ts';
import type { Comparison, Fork, SavedTest, SessionDoor } from '../../src/studio/protocol/acts.ts';
import type { FileText } from '../../src/studio/protocol/files.ts';
import type { NodeTests } from '../../src/studio/protocol/flow-news.ts';
import type { RequestShown } from '../../src/studio/protocol/turn-shown.ts';
import { roomflowHere } from '../cli/run-cli.ts';
import { etagOf } from '../../src/studio/dev/files.ts';
import { spanName } from '../../src/model/events/turn-trace.ts';
import { newChallenge, proofOf } from '../../src/studio/token.ts';
import { until } from '../livekit/until.ts';
import { descendantsOf, isAlive } from '../rooms/processes.ts';
import { projectOf, type RunningStudio, saidIn, startStudio } from './run-studio.ts';

const colours = `name: colours
initial_node: ask
slots:
  colour: { type: enum, ask: Red or blue?, values: { red: [crimson], blue: [azure] } }
  size: { type: integer, ask: Which size? }
nodes:
  ask:
    say: Welcome to the paint shop.
    collect: [colour]
  warm:
    say: Warm it is.
    collect: [size]
    default_transition: done
  cold:
    say: Cold it is.
    collect: [size]
    default_transition: done
  done: { say: Good bye., end: sold }
edges:
  - { from: ask, to: warm, when: { equals: { var: colour, value: red } } }
  - { from: ask, to: cold }
`;

/** A flow with a write. The tool ends its process if the file `die` exists. */
const shop = `name: shop
initial_node: ask
slots:
  colour: { type: enum, ask: Red or blue?, values: { red: [crimson], blue: [azure] } }
nodes:
  ask: { collect: [colour], default_transition: mix }
  mix:
    functions: [{ name: mix_paint, description: Mixes the paint., effect: write, save_as: mixed, transition_to: more }]
    call: mix_paint
  more: { say: "It is mixed. Anything else?", functions: [{ name: end_call, description: The caller says goodbye., transition_to: done }] }
  done: { say: Good bye., end: sold }
`;
const config = `import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { flowTool } from 'LIVEKIT';
const colour = { type: 'object', properties: { colour: { type: 'string' } } };
const mix = flowTool({
  name: 'mix_paint', description: 'Mixes the paint.', parameters: colour, register: false, effect: 'write',
  execute: ({ colour }) => {
    appendFileSync('mixed.txt', colour + '\\n');
    if (existsSync('die')) { rmSync('die'); process.exit(3); }
    return { tone: 'TONE' };
  },
});
export default { flows: { shop: 'flow.yaml', colours: 'colours.yaml' }, tools: [mix] };
`;

/** A shared studio for tests that change no file. Each studio starts two processes, which takes two seconds of CPU. */
let shared: RunningStudio;
const whenOver: (() => Promise<void> | void)[] = [];
const onOver = (work: () => Promise<void> | void): void => void whenOver.unshift(work);
const sharedOf = async (
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningStudio> =>
  await startStudio(['dev', ...args, '--port', '0'], projectOf(files, onOver), variables, onOver);
beforeAll(async () => {
  // The folder contains no weights.
  shared = await sharedOf({ 'flow.yaml': colours }, ['flow.yaml'], { ROOMFLOW_CACHE: projectOf({}, onOver) });
});
afterAll(async () => {
  for (const work of whenOver) await work();
});

/** A shared studio for tests that change the flow. Each test writes its own text and reads the events from there on. */
let changed: Promise<RunningStudio> | null = null;
async function changedStudio(flow = colours): Promise<{ readonly studio: RunningStudio; readonly about: About }> {
  const studio = await (changed ??= sharedOf({ 'flow.yaml': colours }, ['flow.yaml']));
  // Writing the same text would also emit an event.
  if (readFileSync(join(studio.folder, 'flow.yaml'), 'utf8') !== flow) studio.write('flow.yaml', flow);
  const about = async (): Promise<About> => await studio.get('/api/about');
  await expect.poll(async () => (await about()).flow, { timeout: 60_000 }).toMatchObject({ etag: etagOf(flow) });
  return { studio, about: await about() };
}

/** A shared studio for tests that restart the process of the sessions. */
let shopStudio: Promise<RunningStudio> | null = null;
const openShop = (): Promise<RunningStudio> =>
  (shopStudio ??= sharedOf({ 'flow.yaml': shop, 'colours.yaml': colours, 'agent.config.mjs': config }, [
    ...['--config', 'agent.config.mjs'],
  ]));

describe('roomflow dev', () => {
  test('runs a conversation with the real runner, and streams each step as the kernel folds it', async () => {
    const studio = shared;
    await until(() => /model {2}offline brain/.test(studio.printed()), studio.printed);
    const stream = studio.follow();
    const id = await studio.begin();
    expect(await studio.say(id, 'crimson, please')).toBe('taken');
    const detail = await studio.detail(id);
    expect(saidIn(detail).join(' ')).toBe('Welcome to the paint shop. Red or blue? Warm it is. Which size?');
    expect(detail.lines.find(({ who }) => who === 'caller')).toMatchObject({ text: 'crimson, please', via: 'typed' });
    expect(detail.session).toMatchObject({ live: 'typed', node: 'warm', status: 'active', flow: 'colours' });
    expect(detail.steps.flatMap(({ facts }) => facts).find(({ type }) => type === 'transition:taken')).toMatchObject({
      data: { from: 'ask', to: 'warm', edge: 0 },
    });
    // The page folds the log to the server's state.
    expect(detail.folds).toBe('page');
    const [flow] = Object.values(detail.flows);
    const graph = await compileKept(flow?.document as unknown as ConversationDocument);
    const fold = foldLog(id, (hash) => (hash === graph?.hash ? graph : null));
    for (const { seq, signal } of detail.steps) expect(fold.take({ seq, signal })).toBe(true);
    const withStates = await studio.get<typeof detail>(`/api/sessions/${id}?states=yes`);
    expect(withStates.steps.map(({ state }) => state)).toEqual(
      fold.positions.map(({ state }) => JSON.parse(JSON.stringify(state)) as unknown),
    );
    // The stream contains the same steps.
    await until(() => stream.events.filter(({ type }) => type === 'step').length === detail.steps.length, 'all steps');
    const steps = stream.events.flatMap((event) => (event.type === 'step' ? [event.data.seq] : []));
    expect(steps).toEqual(detail.steps.map(({ seq }) => seq));
    expect(stream.events.map(({ seq }) => seq)).toEqual(stream.events.map((_event, index) => index + 1));
    // The page receives the trace that spans, metrics and the log derive from.
    const turn = detail.turns.at(-1);
    const told = detail.events.findLast(({ type }) => type === 'turn:completed');
    expect(turn?.trace).toEqual(told?.data);
    const names = turn?.trace?.spans.map(spanName) ?? [];
    expect(names).toEqual(expect.arrayContaining(['flow.step', 'flow.commit', 'flow.speak']));
    expect(names.filter((name) => name.startsWith('chat '))).toHaveLength(turn?.trace?.inferences ?? 0);
    expect(turn?.trace?.moments).toMatchObject({ taken: expect.any(Number), heard: expect.any(Number) });
    expect(turn?.requests.map(({ span }) => names[span ?? -1])).toEqual(
      names.filter((name) => name.startsWith('chat ')),
    );
  });

  test('a file is saved only if it has not changed since, and only inside the project', async () => {
    const { studio, about } = await changedStudio();
    const stream = studio.follow(about.at);
    mkdirSync(join(studio.folder, 'secret'));
    const read = await studio.get<FileText>('/api/file?path=flow.yaml');
    expect(read.text).toBe(colours);
    const save = (text: string, etag: string) =>
      studio.ask('PUT', '/api/file?path=flow.yaml', { json: { text }, headers: { 'if-match': `"${etag}"` } });
    const text = colours.replace('Warm it is', 'So warm');
    const saved = await save(text, read.etag);
    expect([saved.status, readFileSync(join(studio.folder, 'flow.yaml'), 'utf8')]).toEqual([200, text]);
    // Only the save itself emits an event. The system's later notification for the file does not.
    const news = () => stream.events.flatMap((event) => (event.type === 'flow' ? [event.data] : []));
    studio.write('other.tmp', 'A prompt.');
    renameSync(join(studio.folder, 'other.tmp'), join(studio.folder, 'other.md'));
    await until(() => news().length >= 2, 'what the saving and the other file have changed');
    await studio.get('/api/about');
    expect(news().map(({ flow }) => flow?.hash === about.flow?.flow?.hash)).toEqual([false, false]);
    const late = await save(colours, read.etag);
    expect([late.status, JSON.parse(late.text)]).toMatchObject([412, { code: 'file-changed', current: { text } }]);
    for (const path of ['../flow.yaml', '/etc/passwd', 'secret', '.state/x', 'no.yaml', ''])
      expect((await studio.ask('GET', `/api/file?path=${encodeURIComponent(path)}`)).status).toBe(404);
  });

  test('shows the lines of nodes, edges, slots and problems in the file', async () => {
    const { studio, about } = await changedStudio();
    const { flow } = about;
    expect(flow).toMatchObject({ file: 'flow.yaml', isSound: true, problems: [] });
    const node = flow?.flow?.nodes.find(({ id }) => id === 'warm');
    expect(node).toMatchObject({ kind: 'ask', source: { file: 'flow.yaml', from: 10, to: 13 } });
    expect(flow?.flow?.arrows.find(({ edge }) => edge === 1)).toMatchObject({
      from: 'ask',
      to: 'cold',
      source: { from: 21, to: 21 },
    });
    expect(flow?.flow?.slots[1]).toMatchObject({ name: 'size', source: { from: 5, to: 5 } });
    // The tests that pass a node are played when the node is selected.
    studio.write(
      'flow.flowtest.yaml',
      'flow: flow.yaml\nscenarios:\n  - name: red is warm\n    turns: [{ user: red, model: { record: { colour: red } } }]\n' +
        '  - { name: asked of a real model, engine: live, turns: [{ user: red }] }\n',
    );
    const { nodes, why } = await studio.get<NodeTests>('/api/node-tests');
    const passing = { name: 'red is warm', file: 'flow.flowtest.yaml', line: 3, passes: true };
    expect([why, nodes]).toEqual([null, { ask: [passing], warm: [passing] }]);
    const stream = studio.follow(about.at);
    studio.write('flow.yaml', colours.replace('to: cold', 'to: colt'));
    const news = () => stream.events.flatMap((event) => (event.type === 'flow' ? [event.data] : []));
    await until(() => news().at(-1)?.isSound === false, 'news of the broken file');
    expect(news().at(-1)).toMatchObject({
      problems: [{ code: 'unknown-target', severity: 'error', line: 21, file: 'flow.yaml' }],
    });
    // The fix, as an editor offers it.
    const [fix] = news().at(-1)?.problems[0]?.fixes ?? [];
    const at = colours.indexOf('to: cold') + 'to: '.length;
    expect(fix).toMatchObject({
      title: 'Change to "cold"',
      edits: [{ from: at, to: at + 4, was: 'colt', text: 'cold' }],
    });
    // The last valid graph stays.
    expect(news().at(-1)?.flow?.hash).toBe(flow?.flow?.hash);
    const checked = await studio.post<{ problems: unknown[] }>('/api/check', {
      path: 'flow.yaml',
      text: colours.replace('say: Cold', 'sai: Cold'),
    });
    expect(checked.problems).toMatchObject([{ code: 'unknown-key', line: 15 }]);
    // The completions, as an editor offers them.
    const proposed = await studio.post<{ name: string }[]>('/api/complete', {
      ...{ path: 'flow.yaml', text: colours, offset: at + 'cold'.length },
    });
    expect(proposed).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'cold', from: at, to: at + 4 })]));
    // The hover text. It never reads files outside the folder of the flow.
    const hover = (text: string, offset: number) =>
      studio.post<TextAbout | null>('/api/hover', { path: 'flow.yaml', text, offset });
    expect(await hover(colours, at)).toMatchObject({
      ...{ name: 'cold', kind: 'node', from: at, to: at + 4 },
      parts: expect.arrayContaining([{ is: 'said', text: 'Cold it is.' }]),
    });
    expect(await hover(colours, colours.length)).toBeNull();
    const other = basename(projectOf({ 'note.md': 'Nobody reads this.' }));
    const outside = colours.replace('say: Cold it is.', `prompt_file: ../${other}/note.md`);
    const told = await hover(outside, outside.indexOf('to: cold') + 'to: '.length);
    expect(told).toMatchObject({ name: 'cold' });
    expect(JSON.stringify(told)).not.toContain('Nobody reads this');
  });

  test('a saved edge applies to the running conversation without repeating a word', async () => {
    const { studio, about } = await changedStudio();
    const stream = studio.follow(about.at);
    const id = await studio.begin();
    const before = saidIn(await studio.detail(id));
    studio.write('flow.yaml', colours.replace('to: warm', 'to: cold'));
    const swaps = () => stream.events.flatMap((event) => (event.type === 'swap' ? [event.data] : []));
    await until(() => swaps().length === 1, 'the swap');
    expect(swaps()[0]).toMatchObject({ sessionId: id, outcome: 'swapped', node: 'ask' });
    expect(saidIn(await studio.detail(id))).toEqual(before);
    await studio.say(id, 'red');
    expect(saidIn(await studio.detail(id)).join(' ')).toMatch(/Cold it is\. Which size\?$/);
    // The heard conversation becomes a test of the current file.
    const saved = await studio.post<SavedTest>(`/api/sessions/${id}/test`);
    expect(saved).toMatchObject({
      path: 'flow.saved.flowtest.yaml',
      command: 'npx roomflow test flow.saved.flowtest.yaml',
      outcome: { is: 'passes' },
    });
    expect((await roomflowHere(['test', saved.path], '', studio.folder)).code).toBe(0);
    expect((await studio.post<SavedTest>(`/api/sessions/${id}/test`)).path).toBe('flow.saved-2.flowtest.yaml');
    const named = await studio.post<SavedTest>(`/api/sessions/${id}/test`, { name: 'cold' });
    expect(readFileSync(join(studio.folder, 'cold.flowtest.yaml'), 'utf8')).toBe(named.text);
    const again = await studio.ask('POST', `/api/sessions/${id}/test`, { json: { name: 'cold' } });
    expect([again.status, JSON.parse(again.text)]).toMatchObject([409, { code: 'file-exists' }]);
    for (const name of ['../out', 'a/b', '', 'x.yaml'])
      expect((await studio.ask('POST', `/api/sessions/${id}/test`, { json: { name } })).status, name).toBe(400);
    // The page reports a removed node, and the conversation stays in its version.
    studio.write('flow.yaml', colours.replaceAll('cold', 'frosty'));
    await until(() => swaps().length === 2, 'the second swap');
    expect(swaps()[1]).toMatchObject({ outcome: 'kept', node: 'cold' });
    expect(swaps()[1]?.why).toMatch(/"cold" is not in the new version/);
    expect(await studio.say(id, 'four')).toBe('taken');
    expect((await studio.detail(id)).session).toMatchObject({ status: 'ended', live: 'over' });
    // The edge is removed, and the saved test fails at the line that used it.
    studio.write('flow.yaml', colours);
    const broken = await roomflowHere(['test', saved.path], '', studio.folder);
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/turn 1, .*another node[^]*expected {2}cold[^]*the flow: flow\.yaml:20\b/);
  });

  test('a fork continues from an earlier step without the later steps', async () => {
    const studio = shared;
    const id = await studio.begin();
    const asked = (await studio.detail(id)).steps.at(-1)?.seq ?? 0;
    await studio.say(id, 'red');
    await studio.say(id, 'seven');
    const original = await studio.detail(id);
    const fork = await studio.post<SessionDoor>(`/api/sessions/${id}/fork`, { seq: asked });
    expect(fork).toMatchObject({ seq: asked, voice: null });
    expect(saidIn(await studio.detail(fork.sessionId)).join(' ')).toBe('Welcome to the paint shop. Red or blue?');
    await studio.say(fork.sessionId, 'azure');
    const forked = await studio.detail(fork.sessionId);
    expect(saidIn(forked).join(' ')).toBe('Welcome to the paint shop. Red or blue? Cold it is. Which size?');
    expect(forked.session.from).toEqual({ sessionId: id, seq: asked });
    expect(await studio.detail(id)).toMatchObject({ steps: original.steps, lines: original.lines });
    const refused = await studio.ask('POST', `/api/sessions/${id}/fork`, { json: { seq: original.steps.length } });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { code: 'session-over' }]);
  });

  test('with the current file, it reports at which step and line an old call would diverge', async () => {
    const { studio, about } = await changedStudio();
    const id = await studio.begin();
    await studio.say(id, 'red');
    const same = await studio.post<Comparison>(`/api/sessions/${id}/against`);
    expect(same.parting).toBeNull();
    await studio.post(`/api/sessions/${id}/hang-up`);
    const stream = studio.follow(about.at);
    studio.write('flow.yaml', colours.replace('to: warm', 'to: cold'));
    const news = () => stream.events.flatMap((event) => (event.type === 'flow' ? [event.data] : []));
    await until(() => {
      const last = news().at(-1);
      return last?.isSound === true && last.flow?.hash !== about.flow?.flow?.hash;
    }, 'the new flow');
    const { parting, steps } = await studio.post<Comparison>(`/api/sessions/${id}/against`);
    expect(parting).toMatchObject({
      node: 'warm',
      otherNode: 'cold',
      source: { file: 'flow.yaml', from: 20 },
    });
    expect(steps.find(({ seq }) => seq === parting?.seq)).toMatchObject({ node: 'warm', otherNode: 'cold' });
  });

  test('a fork with the current file uses the edited lines, and a fork without it uses the old ones', async () => {
    const { studio, about } = await changedStudio();
    const id = await studio.begin();
    await studio.say(id, 'red');
    await studio.quiet(id);
    const { steps } = await studio.detail(id);
    const stream = studio.follow(about.at);
    studio.write('flow.yaml', colours.replace('Warm it is', 'So warm'));
    await until(() => stream.events.some(({ type }) => type === 'swap'), 'the swap');
    const expectAfter = async (fork: Fork, said: RegExp): Promise<void> => {
      const { sessionId } = await studio.post<SessionDoor>(`/api/sessions/${id}/fork`, fork);
      const after = async (): Promise<string> =>
        saidIn(await studio.detail(sessionId))
          .slice(2)
          .join(' ');
      await expect.poll(after, { timeout: 60_000 }).toMatch(said);
    };
    const seq = steps.find(({ signal }) => signal.type === 'user:turn')?.seq ?? 0;
    const last = steps.at(-1)?.seq ?? 0;
    await expectAfter({ seq }, /^Warm it is\. Which size\?$/);
    // The old line is not repeated beyond what was heard.
    await expectAfter({ seq, withTodaysFile: true }, /^So warm\. Which size\?$/);
    await expectAfter({ seq: last, withTodaysFile: true }, /^Warm it is\. Which size\? So warm\. .*Which size\?$/);
    // A version without the node of the step cannot resume there.
    studio.write('flow.yaml', colours.replaceAll('warm', 'hot'));
    await until(
      () =>
        stream.events.some(
          (event) => event.type === 'flow' && event.data.flow?.nodes.some((node) => node.id === 'hot'),
        ),
      'the version without the node',
    );
    const kept = await studio.post<SessionDoor>(`/api/sessions/${id}/fork`, {
      ...{ seq: last, withTodaysFile: true },
    });
    expect(kept.why).toMatch(/"warm" is not in the new version/);
  });

  test('a caller hangs up, calls back and hears where the conversation was; keys and interruptions reach it', async () => {
    const studio = shared;
    const id = await studio.begin();
    await studio.say(id, 'blue');
    await studio.post(`/api/sessions/${id}/hang-up`);
    expect((await studio.detail(id)).session.live).toBe('away');
    const refused = await studio.ask('POST', `/api/sessions/${id}/words`, { json: { text: 'hello?' } });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { code: 'session-over' }]);
    await studio.post(`/api/sessions/${id}/call-back`);
    await studio.quiet(id);
    await studio.post(`/api/sessions/${id}/interrupt`);
    expect(await studio.post(`/api/sessions/${id}/keys`, { digits: '7' })).toEqual({ outcome: 'taken' });
    const { lines, session } = await studio.detail(id);
    expect(lines.find(({ via }) => via === 'dtmf')).toMatchObject({ text: '7' });
    expect(lines.some(({ who, text }) => who === 'note' && text.includes('after a gap'))).toBe(true);
    expect(session).toMatchObject({ status: 'ended' });
  });

  test('a crash of the worker during a call is reported, and the call resumes from the store', async () => {
    const studio = await openShop();
    const stream = studio.follow();
    const id = await studio.begin();
    studio.write('die', '');
    const sent = await studio.ask('POST', `/api/sessions/${id}/words`, { json: { text: 'red' } });
    expect([sent.status, JSON.parse(sent.text)]).toMatchObject([503, { code: 'worker-gone' }]);
    const troubles = () => stream.events.flatMap((event) => (event.type === 'trouble' ? [event.data] : []));
    await until(() => troubles().length > 0, 'the news of the crash');
    expect(troubles()[0]).toMatchObject({ code: 'worker-gone' });
    expect(troubles()[0]?.message).toMatch(/exit code 3/);
    await studio.session(({ node, live }) => node === 'more' && live === 'typed');
    await studio.quiet(id);
    // The same call, under the same key, and no other.
    const detail = await studio.detail(id);
    expect(detail.lines.filter(({ call }) => call?.name === 'mix_paint')).toHaveLength(1);
    expect(readFileSync(join(studio.folder, 'mixed.txt'), 'utf8')).toBe('red\nred\n');
    expect(await studio.say(id, 'no, good bye')).toBe('taken');
    expect((await studio.detail(id)).session.status).toBe('ended');
  });

  test('saved code is reloaded, and the conversation continues with it', async () => {
    const studio = await openShop();
    const id = await studio.begin();
    const stream = studio.follow((await studio.get<About>('/api/about')).at);
    studio.write('agent.config.mjs', config.replace('TONE', 'LOUD'));
    await until(() => stream.events.some(({ type }) => type === 'flow'), 'the new code');
    await studio.session(({ live }) => live === 'typed');
    await studio.say(id, 'red');
    const { lines } = await studio.detail(id);
    expect(lines.find(({ call }) => call?.name === 'mix_paint')?.call).toMatchObject({
      name: 'mix_paint',
      result: { tone: 'LOUD' },
    });
    // Code that cannot be loaded is a problem that does not end the studio.
    studio.write('agent.config.mjs', 'export default {');
    const news = () => stream.events.flatMap((event) => (event.type === 'flow' ? [event.data] : []));
    const codes = (): string =>
      news()
        .map(({ problems }) => problems[0]?.code ?? 'sound')
        .join(', ');
    await until(
      () => news().at(-1)?.problems[0]?.code === 'file-broken',
      () => `the problem after ${codes()}`,
    );
    studio.write('agent.config.mjs', config);
    await until(() => news().at(-1)?.isSound === true, 'the mended code');
  });

  test('shows the graph, the problems and the file of another flow before a conversation in it begins', async () => {
    const studio = await openShop();
    const shown = async (): Promise<About['flow']> => (await studio.get<About>('/api/about')).flow;
    expect(await shown()).toMatchObject({ name: 'shop', file: 'flow.yaml' });
    expect(await studio.post('/api/show', { flow: 'colours' })).toEqual({ ok: true });
    expect(await shown()).toMatchObject({ name: 'colours', file: 'colours.yaml', isSound: true });
    expect((await shown())?.flow?.nodes.map(({ id }) => id)).toContain('warm');
    studio.write('colours.yaml', colours.replace('default_transition: done', 'default_transition: dnoe'));
    await expect
      .poll(async () => (await shown())?.problems, { timeout: 60_000 })
      .toMatchObject([{ code: 'unknown-target', file: 'colours.yaml' }]);
    const refused = await studio.ask('POST', '/api/show', { json: { flow: 'none' } });
    expect([refused.status, refused.text]).toEqual([expect.any(Number), expect.stringContaining('flow-unknown')]);
    await studio.post('/api/show', { flow: 'shop' });
    expect((await studio.get<About>('/api/about')).flows).toEqual(['shop', 'colours']);
  });

  test('shows the exact request to a model, and its answer', async () => {
    const flow = `name: colours\ninitial_node: talk\nnodes:\n  talk:\n    task_messages: [{ role: system, content: "Be kind, and sell paint." }]\n    functions: [{ name: end_call, description: The caller says goodbye., transition_to: bye }]\n  bye: { say: Bye., end: done }\n`;
    const { studio } = await changedStudio(flow);
    const id = await studio.begin();
    await studio.say(id, 'goodbye');
    const detail = await studio.detail(id);
    const requestId = detail.turns.flatMap(({ requests }) => requests).at(-1)?.id;
    const asked = await studio.get<RequestShown>(`/api/requests/${requestId}`);
    expect(asked.messages.map(({ text }) => text).join('\n')).toMatch(/Be kind, and sell paint\.[^]*goodbye/);
    expect(asked.tools.map(({ name }) => name)).toContain('end_call');
    expect(asked.answer.calls).toMatchObject([{ name: 'end_call' }]);
    expect(asked).toMatchObject({ sessionId: id, error: null });
  });
});

describe('access to the studio', () => {
  test('requires the token, refuses foreign pages and hosts, and removes the token from the address', async () => {
    const studio = shared;
    const { ask, url, token } = studio;
    const before = await studio.get('/api/sessions');
    const codeOf = async (path: string, headers: Record<string, string>, isStranger = false) => {
      const { status, text } = await ask('GET', path, { headers, isStranger });
      return `${status} ${(JSON.parse(text) as { code: string }).code}`;
    };
    expect(await codeOf('/api/about', { host: 'evil.example' })).toBe('421 host-foreign');
    expect(await codeOf('/api/about', { host: '127.0.0.1.evil.example' })).toBe('421 host-foreign');
    expect(await codeOf('/api/about', { origin: 'http://evil.example' })).toBe('403 origin-foreign');
    expect(await codeOf('/api/about', { origin: 'null' })).toBe('403 origin-foreign');
    expect(await codeOf('/api/about', {}, true)).toBe('401 actor-unknown');
    expect(await codeOf('/api/events', {}, true)).toBe('401 actor-unknown');
    expect(await codeOf('/assets/studio.js', {}, true)).toBe('401 actor-unknown');
    // A client with the token recognises this studio by its answer. A client without it learns nothing.
    const challenge = newChallenge();
    const proof = await ask('GET', `/api/proof?challenge=${challenge}`, { isStranger: true });
    expect([proof.status, proof.text]).toEqual([200, proofOf(token, challenge)]);
    expect((await ask('GET', '/api/proof?challenge=short', { isStranger: true })).status).toBe(400);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    expect((await ask('GET', '/api/lsp', { headers: upgrade, isStranger: true })).status).toBe(401);
    expect((await ask('GET', '/api/lsp', { headers: { ...upgrade, origin: 'http://evil.example' } })).status).toBe(403);
    expect((await ask('GET', '/?token=guess', { isStranger: true })).status).toBe(401);
    expect((await ask('GET', `/api/about?token=${token}`, { isStranger: true })).status).toBe(401);
    const entered = await ask('GET', `/?token=${token}`, { isStranger: true });
    expect([entered.status, entered.headers['location']]).toEqual([303, '/']);
    const [cookie = ''] = entered.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^roomflow-studio-${new URL(url).port}=${token}; HttpOnly; SameSite=Strict; Path=/`),
    );
    // A form of another site, sent without a preflight request.
    const form = await ask('POST', '/api/sessions', { raw: '{}', headers: { 'content-type': 'text/plain' } });
    expect(form.status).toBe(415);
    expect(
      (
        await ask('POST', '/api/sessions', {
          raw: Buffer.alloc(1_000_001, 32),
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(413);
    expect((await ask('POST', '/api/sessions', { json: { flow: 3 } })).status).toBe(400);
    const raw = '{"flow":"x","input":{"id":90071992547409931}}';
    const long = await ask('POST', '/api/sessions', { raw, headers: { 'content-type': 'application/json' } });
    expect(long.text).toContain('The body holds a number that would lose digits.');
    expect(await studio.get('/api/sessions')).toEqual(before);
  });

  test('the page has a strict policy with a fresh nonce, and only its own files are served', async () => {
    const { ask } = shared;
    const policies = await Promise.all(
      [ask('GET', '/'), ask('GET', '/')].map(async (asked) => String((await asked).headers['content-security-policy'])),
    );
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
    }
    expect(policies[0]).not.toBe(policies[1]);
    const page = await ask('GET', '/');
    const nonce = /'nonce-([\w-]+)'/.exec(String(page.headers['content-security-policy']))?.[1];
    if (page.status === 200) expect(page.text).toContain(`nonce="${nonce}"`);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    for (const path of [
      '/assets/../app.js',
      '/assets/%2e%2e%2fapp.js',
      '/assets/nothing.js',
      '/protocol.js',
      '/etc/passwd',
    ])
      expect((await ask('GET', path)).status).toBe(404);
  });
});

test('a killed studio leaves no process behind, even if the project’s code is still active', async () => {
  const kept = `setInterval(() => undefined, 1_000);\nexport default { flows: { paint: './flow.yaml' } };`;
  const folder = projectOf({ 'flow.yaml': colours, 'agent.config.mjs': kept });
  const studio = await startStudio(['dev', '--config', 'agent.config.mjs', '--port', '0'], folder);
  await studio.begin();
  const started = descendantsOf(studio.pid);
  onTestFinished(() => {
    for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
  });
  expect(started.length).toBeGreaterThan(0);
  await studio.signal('SIGKILL');
  await expect.poll(() => started.filter(isAlive), { timeout: 120_000, interval: 200 }).toEqual([]);
});

test('missing requirements of voice are reported', async () => {
  const { voice } = await shared.get<About>('/api/about');
  expect(voice.how).toContain('Offline speech recognition needs its weights: run `npx roomflow setup-speech`');
  expect(voice.how).not.toContain('speech-weights-missing');
});

describe('problems before the start', () => {
  test.each([
    ['a flow that is not there', ['nowhere.yaml'], /^file-not-found: nowhere\.yaml .*\n$/],
    ['no flow at all', [], /^flow-missing: .*\n$/],
    ['an option that does not exist', ['flow.yaml', '--prot=1'], /^option-unknown: .*Did you mean --port\?.*\n$/],
    ['a port that is none', ['flow.yaml', '--port', 'x'], /^option-invalid: .*\n$/],
  ])('%s is told in one line, with exit code 2', async (_what, args, expected) => {
    const folder = projectOf({ 'flow.yaml': colours });
    const run = await roomflowHere(['dev', '--no-open', ...args], '', folder);
    expect(run).toEqual({ code: 2, out: '', errors: expect.stringMatching(expected) });
  });

  test('a task flow is reported with the command that runs it', async () => {
    const folder = projectOf({ 'tasks.yaml': 'flow: {}\nnodes: { a: { type: control.noop } }\n' });
    await expect(startStudio(['dev', 'tasks.yaml'], folder)).rejects.toThrow(
      /is a task flow\. Run it: roomflow run tasks\.yaml/,
    );
  });

  test('a port in use is reported with the option that sets it', async () => {
    const studio = shared;
    const { port } = new URL(studio.url);
    const args = ['dev', 'flow.yaml', '--port', port, '--store', 'sqlite:./never.db'];
    await expect(startStudio(args, studio.folder)).rejects.toThrow(
      /port-taken: port \d+ on 127\.0\.0\.1 is taken\. Set --port/,
    );
    expect(existsSync(join(studio.folder, 'never.db')), 'it is told before anything is opened').toBe(false);
  });
});

// Last, because it ends the studio that the others share.
test('the token survives a restart in a file of its owner, so that an open page stays connected', async () => {
  const first = shared;
  const port = new URL(first.url).port;
  const file = join(first.folder, '.state/roomflow', `studio-${port}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe(first.token);
  expect(await first.signal('SIGINT')).toBe(0);
  const second = await startStudio(['dev', 'flow.yaml', '--port', port], first.folder);
  expect(second.token).toBe(first.token);
  // The page asks for events that the new process has never sent.
  const stream = second.follow();
  await until(() => stream.events.length > 0, 'the stream');
});
