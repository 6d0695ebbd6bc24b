import { afterEach, expect, it, vi } from 'vitest';
import { openaiServer } from '../providers/openai-server.ts';
import { failuresOf, runScenarios } from './flowtests.ts';

afterEach(() => vi.unstubAllEnvs());

/** A local server of OpenAI's protocol that is the agent, the caller and the judge, each by what it is told. */
async function served(judge: string, caller: (lines: readonly string[]) => string) {
  const server = await openaiServer({
    chat({ messages, tools = [] }) {
      const [system] = messages;
      const told = system?.content ?? '';
      if (told.startsWith('You judge')) return { text: judge };
      if (told.startsWith('You play a caller'))
        return { text: caller(messages.slice(1).map(({ content }) => content ?? '')) };
      const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const offers = tools.some((tool) => tool.function.name === 'record');
      if (offers && messages.at(-1)?.role !== 'tool' && last.includes('tulips'))
        return { calls: [{ name: 'record', arguments: JSON.stringify({ flowers: 'tulips', count: 12 }) }] };
      return { text: 'Sure.' };
    },
  });
  vi.stubEnv('OPENAI_API_KEY', 'test');
  vi.stubEnv('OPENAI_BASE_URL', server.url);
  return server;
}

const persona = { who: 'Busy, and brief.', goal: 'Order twelve tulips.', facts: { flowers: 'tulips' } };
const tools = { place_order: { returns: { status: 'placed' } } };
const buys = (lines: readonly string[]): string =>
  lines.at(-1)?.includes('Shall I') === true
    ? 'Yes please.'
    : lines.at(-1)?.includes('Thank you') === true
      ? '[HANGS UP]'
      : 'Twelve tulips please.';

it('a simulated caller talks to a model until the order is placed, as often as is asked for', async () => {
  const server = await served('YES, it was kind.', buys);
  const [result] = await runScenarios([
    { name: 'buys', persona, tools, repeat: 2, criteria: ['The agent is kind.'], finally: { outcome: 'ordered' } },
  ]);
  await server.close();
  expect(failuresOf(result === undefined ? [] : [result])).toEqual([]);
  expect(result).toMatchObject({ status: 'passed', engine: 'live', repeats: { runs: 2, passed: 2, needed: 2 } });
  expect(result?.lines.map(({ text }) => text)).toContain('Twelve tulips please.');
});

it('a judge that says no fails what otherwise holds, and cannot rescue what does not', async () => {
  const server = await served('NO, it was rude.', buys);
  const results = await runScenarios([
    { name: 'rude', persona, tools, criteria: ['The agent is kind.'], finally: { outcome: 'ordered' } },
    { name: 'judged line', engine: 'live', turns: [{ expect: { said: { judge: 'It greets.' } } }] },
  ]);
  await server.close();
  expect(results.map(({ failures }) => failures.map(({ message, found }) => [message, found]))).toEqual([
    [['a judge says no', 'NO, it was rude.']],
    [['a judge says no', 'NO, it was rude.']],
  ]);
});

it('a caller who gets nowhere gives up', async () => {
  const server = await served('YES', () => 'Hm.');
  const [result] = await runScenarios([{ name: 'nowhere', persona, limits: { turns: 2 } }]);
  await server.close();
  expect(result?.failures[0]?.message).toBe('the caller gave up after 2 turns');
});

it('a model that cannot be had breaks the run, and is no failure of the test', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  const scenarios = [{ name: 'no key', engine: 'live' as const, turns: [{ user: 'hello' }] }];
  const [keyless] = await runScenarios(scenarios);
  expect(keyless).toMatchObject({ status: 'broken', failures: [] });
  expect(keyless?.reason).toContain('key-missing');
});

it('without a live model a persona is skipped, and a judge is counted as not asked', async () => {
  const [skipped, unchecked] = await runScenarios(
    [
      { name: 'persona', persona },
      { name: 'judge', turns: [{ expect: { said: { contains: 'Roses', judge: 'It is kind.' } } }] },
    ],
    {},
    { engine: 'scripted' },
  );
  expect(skipped).toMatchObject({ status: 'skipped', reason: 'a persona needs the live engine' });
  expect(unchecked).toMatchObject({ status: 'passed', unchecked: { judge: 1 } });
});
