import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectFolder } from '../cli/run-cli.ts';
import { type ChatAnswer, type ChatRequest, openaiServer, type OpenaiServer } from '../providers/openai-server.ts';
import { commandsOf } from './shown-commands.ts';

const folder = join(projectFolder, 'examples/live');
const scripts = readdirSync(folder).filter((name) => name.endsWith('-live.ts'));
const shown = commandsOf(readFileSync(join(folder, 'README.md'), 'utf8'));

let server: OpenaiServer;
beforeAll(async () => {
  server = await openaiServer({ chat: answer });
  vi.stubEnv('OPENAI_API_KEY', 'sk-secret');
  vi.stubEnv('OPENAI_BASE_URL', server.url);
  vi.stubEnv('OPENAI_MODEL', 'gpt-test');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test('there are the five scripts, each shown with its command', () => {
  const named = ['agent-nodes', 'edge-routing', 'loader', 'policy', 'runtime'];
  expect(scripts).toEqual(named.map((name) => `flow-${name}-live.ts`));
  expect(shown.map(({ command }) => command).toSorted()).toEqual(
    scripts.map((script) => `npx tsx examples/live/${script}`),
  );
});

describe('against a local server of OpenAI’s protocol', () => {
  test.each(shown)('$command prints what it says', async ({ command, output }) => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    const before = server.chats.length;
    await import(join(projectFolder, command.split(' ').at(-1) ?? ''));
    expect(lines).toEqual(output.trim().split('\n'));
    expect(process.exitCode).toBeUndefined();
    expect(server.chats.length).toBeGreaterThan(before);
    expect(new Set(server.chats.map((request) => request.model))).toEqual(new Set(['gpt-test']));
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer sk-secret')).toBe(true);
  });
});

test('without a key a script says in one line what is missing, and ends with a code of its own', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  const told = vi.spyOn(console, 'error').mockReturnValue();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  // The query makes it another module than the one that the scripts have in common.
  await expect(import(join(folder, 'live.ts?without-a-key'))).rejects.toThrow('exit');
  expect(exit).toHaveBeenCalledWith(2);
  expect(told.mock.calls).toEqual([
    ['Set OPENAI_API_KEY, and OPENAI_BASE_URL and OPENAI_MODEL where the server is not that of OpenAI.'],
  ]);
});

/** What a model of good will says to what the scripts ask. */
function answer({ messages }: ChatRequest): ChatAnswer {
  const told = messages.find(({ role }) => role === 'system')?.content ?? '';
  const last = messages.at(-1);
  const said = last?.content ?? '';
  if (told.includes('steps')) return { text: '{"steps": ["Take the wheel off.", "Mend the tube."]}' };
  if (told.includes('class of the input')) return { text: /broken|flat/.test(said) ? 'repair' : 'billing' };
  if (told.includes('fenced block')) return { text: '```ts\nconst add = (a: number, b: number) => a + b;\n```' };
  if (told.includes('Review')) return { text: '{"approved": true, "comments": []}' };
  if (told.includes('Summarise')) return { text: 'A new tyre costs 15 euros.' };
  if (said.includes('tyre cost')) return { calls: [{ name: 'find_price', arguments: '{"repair": "tyre"}' }] };
  if (last?.role === 'tool') return { text: 'It costs 15 euros.' };
  return { text: 'An apple.' };
}
