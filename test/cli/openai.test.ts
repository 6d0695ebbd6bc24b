import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../providers/local-server.ts';
import { openaiServer, type OpenaiServer } from '../providers/openai-server.ts';
import { folderOf, roomflowHere } from './run-cli.ts';

const flow = `initial_node: greet
role_messages: [{ role: system, content: You answer the phone. }]
nodes:
  greet:
    say: Hello. Shall we start?
    functions: [{ name: start, description: The caller agrees., transition_to: done }]
  done: { say: Here we go., end: done }
`;

/** A server that calls `start` when the caller wants to begin, and otherwise says a sentence. */
async function chatServer(fault?: Fault): Promise<OpenaiServer> {
  const server = await openaiServer({
    chat: ({ messages }) =>
      fault ??
      (messages.findLast(({ role }) => role === 'user')?.content === 'let us begin'
        ? { calls: [{ name: 'start' }] }
        : { text: 'Take your time.' }),
  });
  onTestFinished(() => server.close());
  return server;
}

describe('with OPENAI_API_KEY set', () => {
  it('the same conversation runs on OpenAI, with the node’s prompt and functions', async () => {
    const { url, chats } = await chatServer();
    const keys = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: url };
    const run = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      'not so fast\nlet us begin\n',
      folderOf({ 'flow.yaml': flow }),
      keys,
    );
    expect(run).toMatchObject({ code: 0, errors: '' });
    expect(run.out).toMatch(/^model: OpenAI /);
    expect(run.out).toContain('agent  Take your time.\n');
    expect(run.out).toContain('greet -> done  (start)');
    expect(run.out).toContain('agent  Here we go.\n');
    expect(chats).toHaveLength(2);
    expect(chats[1]?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: You answer the phone.',
      'assistant: Hello. Shall we start?',
      'user: not so fast',
      'assistant: Take your time. So: Shall we start?',
      'user: let us begin',
      'system: The caller has just said: "let us begin". Call the function that fits; make nothing up. If none fits, answer in words.',
    ]);
    expect(chats[1]?.tools?.map((tool) => tool.function.name)).toEqual(['start']);
  });

  it('a wrong key is told by its status, never printed, and the caller hears a line', async () => {
    const { url } = await chatServer({ fault: 'status', status: 401 });
    const keys = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: url };
    const { code, out, errors } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      'hello\n/quit\n',
      folderOf({ 'flow.yaml': flow }),
      keys,
    );
    expect(code).toBe(0);
    expect(out).toContain('failed: model  (APIStatusError 401: the key was refused)');
    expect(out).toContain('agent  Sorry, I did not get that.');
    expect(out + errors).not.toContain('sk-secret');
  });
});
