import { describe, expect, test } from 'vitest';
import { agentOptions, callOptions, beginsClassic, openConfig } from '../src/config/config.ts';
import { defineConfig } from '../src/config/define-config.ts';
import { createTextSession } from '../src/livekit/agent/text-session.ts';
import { createRunner } from '../src/runner/flow-runner.ts';
import { ScriptedModel } from '../src/testing/scripted-model.ts';
import type { TaskFlow } from '../src/flow/document/task-document.ts';
import { folderOf } from './cli/run-cli.ts';

const order = { nodes: { bye: { say: 'Bye.', end: true } }, initialNode: 'bye' };
const asText = JSON.stringify(order);

async function read(text: string) {
  return await openConfig(`${folderOf({ 'agent.config.mjs': `export default ${text};` })}/agent.config.mjs`);
}

test('output without a required text `reply` is refused', async () => {
  const file = (fields: string): Promise<unknown> =>
    read(
      `(({ z }) => ({ prompt: 'x', output: z.object({ ${fields} }) }))(await import('${import.meta.resolve('zod')}'))`,
    );
  await expect(file('reply: z.string(), mood: z.string()')).resolves.toMatchObject({ prompt: 'x' });
  const message = 'must be a required string: z.string()';
  for (const fields of ['', 'reply: z.string().optional()', 'reply: z.number()'])
    await expect(file(fields)).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

test('of this repository: a conversation begins with each flow of it', async () => {
  const config = await openConfig('agent.config.ts');
  const flows = Object.entries(config.flows ?? {});
  expect(flows.length).toBeGreaterThan(2);
  for (const [name, flow] of flows) {
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Hello.' })));
    const runner = createRunner({ session, ...agentOptions(config), flow });
    await runner.start();
    expect(runner.state.position.flow.id).toBe(name);
    await runner.stop();
    await session.close();
  }
});

describe('agent.config.ts', () => {
  test('may say an agent of a prompt with router, commands and hooks, which the runner is given as they stand', async () => {
    const config = await read(`{
      prompt: 'You work at {{ place }}.', context: { place: 'the shop' }, flows: { order: ${asText} },
      router: { mode: 'rules', rules: { order: { patterns: ['order'] }, classic: { examples: ['hi'] } } },
      commands: { hours: () => 'Nine to five.', 'flow stop': false },
      hooks: { beforeLLM: async () => undefined, timeoutMs: 500, decideBy: 'sentence' },
    }`);
    expect(beginsClassic(config)).toBe(true);
    expect(agentOptions(config)).toMatchObject({
      prompt: 'You work at {{ place }}.',
      context: { place: 'the shop' },
      flows: { order },
      router: { mode: 'rules' },
      hooks: { timeoutMs: 500 },
    });
    const { hours } = agentOptions(config).commands ?? {};
    expect(hours === undefined || hours === false ? hours : hours('', { sessionId: '', activeFlow: null })).toBe(
      'Nine to five.',
    );
  });

  test('may say what hooks and generators are told of a caller, for all calls or of each', async () => {
    const call = { sessionId: 's1', room: 'desk', participant: 'ana', input: {} };
    const config = await read(`{
      prompt: 'Help.', resources: { shop: 'corner' },
      user: async ({ participant }) => ({ id: participant }), replyTarget: ({ room }) => 'room:' + room,
    }`);
    expect(await callOptions(config, call)).toEqual({
      user: { id: 'ana' },
      replyTarget: 'room:desk',
      resources: { shop: 'corner' },
    });
    expect(await callOptions(await read(`{ prompt: 'x', user: { id: 7 }, replyTarget: 'a' }`), call)).toEqual({
      user: { id: 7 },
      replyTarget: 'a',
    });
    expect(await callOptions(await read(`{ prompt: 'x' }`), call)).toEqual({});
  });

  test('takes task flows in TypeScript, as they are and by the file that exports them, and finds files from its own folder', async () => {
    const tasks: TaskFlow = { flow: { name: 'look' }, nodes: { a: { type: 'control.noop' } } };
    expect(defineConfig({ flows: { look: tasks, order } }).flows).toEqual({ look: tasks, order });
    const folder = folderOf({
      'look.mjs': `export default ${JSON.stringify(tasks)};`,
      'order.mjs': `export default ${asText};`,
      'broken.mjs': 'export default',
      'agent.config.mjs': `
        export default { flows: { look: 'look.mjs', order: 'order.mjs', broken: './broken.mjs', text: '{}' } };
      `,
    });
    expect(await openConfig(`${folder}/agent.config.mjs`)).toEqual({
      flows: { look: tasks, order: `${folder}/order.mjs`, broken: `${folder}/broken.mjs`, text: '{}' },
    });
  });

  test('allows node packs, whose types the runner is given beside the built-in ones', async () => {
    const pack = `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
      const name = 'shop.stock', description = 'Counts.', input = z.object({}), output = z.object({});
      export default [{ name, description, input, output, evaluate: () => ({ ok: true, output: {} }) }];`;
    const folder = folderOf({
      'pack.mjs': pack,
      'agent.config.mjs': "export default { nodePacks: ['./pack.mjs'] };",
      'wrong.config.mjs': "export default { nodePacks: ['./pakc.mjs', '../pack.mjs'] };",
    });
    const { catalog } = agentOptions(await openConfig(`${folder}/agent.config.mjs`));
    expect(catalog?.get('control.if')).toBeDefined();
    expect(catalog?.packs.get('./pack.mjs')?.map(({ name }) => name)).toEqual(['shop.stock']);
    await expect(openConfig(`${folder}/wrong.config.mjs`)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        /wrong\.config\.mjs\n {2}nodePacks\.0: .*"pack\.mjs"\?\n {2}nodePacks\.1: /,
      ) as string,
    });
  });

  test('says every fault of schedules and campaigns, each with its place and what to write instead', async () => {
    const faults = read(`{
      flows: { order: ${asText} }, timeZone: 'Europe/Berlin',
      schedules: {
        gap: { at: '2028-03-26T02:30', flow: 'order' },
        never: { cron: '0 0 31 2 *', flow: 'ordre' },
        round: { every: '1d', campaign: 'recal' },
      },
      campaigns: { recall: { flow: 'order', reach: 'message', channel: 'sms', segment: async function* () {} } },
    }`);
    for (const fault of [
      'schedules.gap.at: 2028-03-26T02:30 does not exist in Europe/Berlin',
      'schedules.never.cron: "0 0 31 2 *" never occurs',
      'schedules.never.flow: flow "ordre" is not among flows (order). Add it or name another.',
      'schedules.round.campaign: "recal" is not among campaigns (recall). Add it or name another.',
      'campaigns.recall.channel: "sms" is not there (there are none). Name one of channels.',
    ])
      await expect(faults).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringContaining(fault) });
  });

  test('with an initial flow begins there, prompt or not', async () => {
    const config = await read(`{ prompt: 'Help.', initialFlow: 'order', flows: { order: ${asText} } }`);
    expect(beginsClassic(config)).toBe(false);
  });

  test('names the flow that goes on where a generator cannot', async () => {
    const flows = `{ order: ${asText}, help: ${asText} }`;
    expect(agentOptions(await read(`{ flows: ${flows}, fallback: 'help' }`))).toMatchObject({ fallback: 'help' });
    expect(agentOptions(await read(`{ flows: ${flows} }`))).not.toHaveProperty('fallback');
  });

  test.each([
    [`{ prompt: ' ' }`, 'prompt: must say something'],
    [
      `{ flows: { order: ${asText} }, fallback: 'toString' }`,
      'fallback: flow "toString" is not among flows (order). Add it or name another.',
    ],
    [
      `{ flows: { order: ${asText} }, fallback: 'classic' }`,
      'fallback: flow "classic" is not among flows (order). Add it or name another.',
    ],
    [
      `{ prompt: 'x', http: {} }`,
      'http: without resolveActor, the server rejects every request. Add resolveActor and can.',
    ],
    [`{ prompt: 'x', resolveActor: () => null }`, 'resolveActor: without can, no actor may do anything. Add can.'],
    [`{ context: { place: 'x' } }`, 'context: its values are for the prompt, which is missing. Add a prompt.'],
    [`{ prompt: 'x', context: { now: () => 1 } }`, 'context.now: must be JSON.'],
    [`{ prompt: 'x', router: { mode: 'guess' } }`, 'router.mode: must be "detector", "schema_intent" or "rules"'],
    [
      `{ prompt: 'x', router: { mode: 'rules', rules: { tutr: {} } }, flows: { tutor: ${asText} } }`,
      'router.rules.tutr: flow "tutr" is not among flows (tutor). Add it or name another.',
    ],
    [
      `{ prompt: 'x', router: { mode: 'rules', rules: { classic: { patterns: ['(?=a)'] } } } }`,
      'router.rules.classic.patterns.0: A lookahead',
    ],
    [
      `{ prompt: 'x', router: { mode: 'detector', prompt: 'What?', outputSchema: {} } }`,
      'router.outputSchema: must be a zod schema.',
    ],
    [
      `{ prompt: 'x', router: { mode: 'schema_intent', field: 'intent', fallback: 'toString' } }`,
      'router.fallback: flow "toString" is not among flows (there are none).',
    ],
    [
      `{ router: { mode: 'schema_intent', field: 'intent' } }`,
      'router: it chooses for callers without a flow. Add a prompt for them, and remove initialFlow.',
    ],
    [`{ commands: { '/hours': () => 'x' } }`, 'commands./hours: must be one word in lower case, without the slash'],
    [`{ prompt: 'x', output: {} }`, 'output: must be a zod object'],
    [
      `{ prompt: 'x', router: { mode: 'schema_intent', field: 'intent' } }`,
      'router.field: "intent" is a field of output, and there is none. Add an output that has it.',
    ],
    [`{ commands: { hours: 'x' } }`, 'commands.hours: must be a function, or false to disable one'],
    [`{ hooks: { beforeLlm: () => {} } }`, 'hooks: there is no "beforeLlm". Did you mean "beforeLLM"?'],
    [`{ hooks: { timeoutMs: '2s' } }`, 'hooks.timeoutMs: must be a number, but it is text.'],
    [`{ hooks: { decideBy: 'word' } }`, 'hooks.decideBy: is not one of reply, sentence.'],
    [`{ prompt: 'x', router: { mode: 'detector' } }`, 'router.prompt: is missing: it must be text.'],
    [`{ flows: { order: 5 } }`, 'flows.order: must be a file, a flow in TypeScript, or a generator'],
    [`{ store: 5 }`, 'store: must be a store, or the address of one, such as sqlite:./data/calls.db.'],
    [`{ http: { port: 99999 } }`, 'http.port: must be at most 65535, but it is 99999.'],
    [`{ flowRouter: {} }`, '(config): there is no "flowRouter". Did you mean "router"?'],
    [`{ onResponse: () => undefined }`, '(config): there is no "onResponse". Did you mean "hooks.onResponse"?'],
    [`{ prices: { mini: { input: -1, output: 2 } } }`, 'prices.mini.input: must be at least 0, but it is -1.'],
    [`{ prices: { mini: { input: 1 } } }`, 'prices.mini.output: is missing: it must be a number.'],
    [`{ prices: { mini: { input: '1', output: 2 } } }`, 'prices.mini.input: must be a number, but it is text.'],
    [
      `{ prices: { mini: { input: 1, output: 2, cachd: 1 } } }`,
      'prices.mini: there is no "cachd". Did you mean "cached"?',
    ],
    [`{ prices: { mini: 2 } }`, 'prices.mini: must be an object, but it is a number.'],
    [`{ prices: { mini: { input: Infinity, output: 2 } } }`, 'prices.mini.input: must be a number'],
    [`{ prices: [] }`, 'prices: must be an object, but it is a list.'],
    [`{ timeZone: 'Mars' }`, 'timeZone: must be an IANA time zone, such as Europe/Paris.'],
    [`5`, '(config): must be an object, but it is a number.'],
    [`() => ({})`, '(config): must be an object, but it is a function.'],
    [`{ toolz: [] }`, '(config): there is no "toolz". Did you mean "tools"?'],
    [`{ hooks: { onResponse: true } }`, 'hooks.onResponse: must be a function'],
    [`{ hooks: { timeoutMs: 0 } }`, 'hooks.timeoutMs: '],
    [
      `{ flows: { classic: ${asText} } }`,
      'flows.classic: the name is reserved for the prompt. Give the flow another name.',
    ],
    [`{ initialFlow: 'constructor' }`, 'initialFlow: flow "constructor" is not among flows (there are none).'],
    [
      `{ flows: { order: ${asText} }, tools: ['a', 'b'].map((description) => ({ type: 'function', name: 'book', description, parameters: {}, execute: async () => null })) }`,
      'tools[0] and tools[1] are both named "book" ("a" and "b"). Name one of them otherwise.',
    ],
  ])('that is wrong is told with the place, the fact and the remedy: %s', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(message),
    });
  });
});
