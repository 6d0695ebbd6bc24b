import { describe, expect, test } from 'vitest';
import type { FlowError } from '../../src/errors.ts';
import type { EventType } from '../../src/events/event.ts';
import { createCatalog } from '../../src/graph/catalog.ts';
import { builtinCatalog } from '../../src/nodes/builtin.ts';
import { checkFlow } from '../../src/runner/check-flow.ts';
import { createFlowRun, createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { FlowRunOptions } from '../../src/runner/flow-run.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import type { FlowRunnerOptions } from '../../src/runner/options.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const tasks = { flow: {}, nodes: { a: { type: 'control.noop' } } };
const talk = { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true as const } } };

function refusalOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return (error as FlowError).message; // What is no error has no message, and the test fails.
  }
}

describe('what code that no compiler has seen gives is refused by a name', () => {
  const wrong: readonly [name: string, value: unknown][] = [
    ['store', 5],
    ['store', {}],
    ['clock', 5],
    ['tools', 5],
    ['tools', [null]],
    ['moves', 5],
    ['input', 5],
    ['input', [1]],
    ['flows', 5],
    ['sessionId', ''],
    ['sessionId', 5],
  ];
  const policies = [5, null, { concurrency: 0 }, { concurrency: 'x' }, { failFast: 'no' }, { fail_fast: false }];
  test.each([
    ...wrong,
    ['channels', 5] as const,
    ['channels', [null]] as const,
    ...policies.map((policy) => ['policy', policy] as const),
  ])('createFlowRun and createFlowRunner: %s %j', (name, value) => {
    const options = { [name]: value } as FlowRunOptions; // It is none.
    const refusal = new RegExp(`^config-invalid: ${name}: must be an? `);
    expect(refusalOf(() => createFlowRun(tasks, options))).toMatch(refusal);
    expect(refusalOf(() => createFlowRunner(tasks, builtinCatalog, options))).toMatch(refusal);
  });

  test.each([
    ...wrong,
    ['timeZone', 'Mars'] as const,
    ['language', 'Klingon'] as const,
    ['language', 5] as const,
    ['catalog', {}] as const,
    ['session', null] as const,
    ['session', {}] as const,
    ['user', 5] as const,
    ['resources', 'none'] as const,
  ])('FlowRunner: %s %j', (name, value) => {
    const session = createTextSession(new ScriptedModel({}));
    const options = { session, flow: talk, [name]: value } as FlowRunnerOptions; // It is none.
    expect(refusalOf(() => new FlowRunner(options))).toMatch(new RegExp(`^config-invalid: ${name}: must be a`));
  });

  test.each([
    ['hoks', 'hooks'],
    ['flowRouter', 'router'],
    ['beforeResponse', 'hooks.beforeResponse'],
    ['sessionID', 'sessionId'],
  ])('an option that is nearly called like one, or as elsewhere: %s', (name, meant) => {
    const session = createTextSession(new ScriptedModel({}));
    const told = `config-invalid: ${name}: there is no such option. Did you mean "${meant}"?`;
    const options = { session, flow: talk, [name]: {} };
    expect(refusalOf(() => new FlowRunner(options))).toBe(told);
    expect(refusalOf(() => createFlowRun(tasks, { [name]: {} }))).toBe(told);
    // What is spread over the options may be the caller's own.
    expect(
      refusalOf(() => new FlowRunner({ ...options, [name]: undefined, tenant: 5 } as FlowRunnerOptions)),
    ).not.toContain('tenant');
  });

  test.each([
    [{ callsPerTrun: 5 }, 'limits: there is no "callsPerTrun". Did you mean "callsPerTurn"?'],
    [{ replyMs: '9' }, 'limits.replyMs: must be a number, but it is text.'],
    [5, 'limits: must be an object, but it is a number.'],
  ])('limits %j', (limits, told) => {
    const session = createTextSession(new ScriptedModel({}));
    const options = { session, flow: talk, limits } as unknown as FlowRunnerOptions; // It is none.
    expect(refusalOf(() => new FlowRunner(options))).toBe(`config-invalid: ${told}`);
  });

  test('a listener to what is no event', () => {
    const runner = new FlowRunner({ session: createTextSession(new ScriptedModel({})), flow: talk });
    const listenTo = (type: string) => refusalOf(() => runner.on(type as EventType, () => undefined));
    expect(listenTo('transition:take')).toBe(
      'input-invalid: there is no event "transition:take" to listen to. Did you mean "transition:taken"?',
    );
    expect(listenTo('nope')).toMatch(
      /^input-invalid: there is no event "nope" to listen to\. There are .*turn:completed/,
    );
  });

  test.each([null, {}, new Map()])('a catalog %j', (given) => {
    const catalog = given as unknown as typeof builtinCatalog;
    expect(refusalOf(() => createFlowRunner(tasks, catalog))).toMatch(/^catalog-invalid: /);
    expect(refusalOf(() => createFlowRun(tasks, { catalog }))).toMatch(/^(config|catalog)-invalid: /);
    expect(refusalOf(() => checkFlow(talk, { catalog }))).toMatch(/^catalog-invalid: /);
  });

  test('a run that is to go on from nowhere', () => {
    expect(refusalOf(() => createFlowRun(tasks, { retry: true, sessionId: 'a' }))).toBe(
      'config-invalid: retry: needs store, where the run is kept that is to go on.',
    );
  });

  test('a member of the policy that is undefined is as one that is absent', async () => {
    const policy = { concurrency: undefined } as unknown as NonNullable<FlowRunOptions['policy']>; // As JavaScript has it.
    expect(await createFlowRun(tasks, { policy }).run()).toMatchObject({ status: 'complete' });
  });

  test('what makes no catalog', () => {
    const wrong = [5, null, {}].map((given) => given as unknown as []); // It is none.
    for (const types of wrong) expect(refusalOf(() => createCatalog(types))).toMatch(/^catalog-invalid: /);
    expect(refusalOf(() => createCatalog([], {} as unknown as Map<string, never>))).toMatch(/^catalog-invalid: /);
  });

  test.each([undefined, null, 5])('options that are %j', (given) => {
    expect(refusalOf(() => new FlowRunner(given as unknown as FlowRunnerOptions))).toMatch(/^config-invalid: /);
    expect(checkFlow(talk, given as unknown as object).diagnostics).toEqual([]);
  });
});
