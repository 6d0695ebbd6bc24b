import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, roomflow } from './run-cli.ts';

const flow = `initial_node: greet
role_messages: [{ role: system, content: You answer the phone. }]
nodes:
  greet:
    say: Hello. Shall we start?
    functions: [{ name: start, description: The caller agrees., transition_to: done }]
  done: { say: Here we go., end: done }
`;

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A server of the chat completions protocol: streams a call of `start` after a yes, else a sentence. */
async function chatServer(status = 200): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.url?.endsWith('/chat/completions') !== true || status !== 200) {
        response.writeHead(status === 200 ? 404 : status, { 'content-type': 'application/json' });
        response.end('{"error":{"message":"Incorrect API key: sk-secret","type":"invalid_request_error"}}');
        return;
      }
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (delta: object, finish: string | null = null): void => {
        const choices = [{ index: 0, delta, finish_reason: finish }];
        response.write(
          `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`,
        );
      };
      if (question.messages.at(-1)?.content === 'yes') {
        const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'start', arguments: '{}' } };
        send({ role: 'assistant', tool_calls: [call] });
        send({}, 'tool_calls');
      } else {
        for (const piece of ['Ta', 'ke ', 'your ti', 'me.']) send({ content: piece });
        send({}, 'stop');
      }
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

describe('with OPENAI_API_KEY set', () => {
  it('the same conversation runs on OpenAI, with the node’s prompt and functions', async () => {
    const { url, asked } = await chatServer();
    const keys = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: url };
    const run = await roomflow(
      ['chat', '--flow', 'flow.yaml'],
      'one moment\nyes\n',
      folderOf({ 'flow.yaml': flow }),
      keys,
    );
    expect(run).toMatchObject({ code: 0, errors: '' });
    expect(run.out).toMatch(/^model: OpenAI /);
    expect(run.out).toContain('agent  Take your time.\n');
    expect(run.out).toContain('greet -> done  (start)');
    expect(run.out).toContain('agent  Here we go.\n');
    expect(asked).toHaveLength(2);
    expect(asked[1]?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: You answer the phone.',
      'assistant: Hello. Shall we start?',
      'user: one moment',
      'assistant: Take your time.',
      'user: yes',
    ]);
    expect(asked[1]?.tools?.map((tool) => tool.function.name)).toEqual(['start']);
  });

  it('a wrong key is told by its status, never printed, and the caller hears a line', async () => {
    const { url } = await chatServer(401);
    const keys = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: url };
    const { code, out, errors } = await roomflow(
      ['chat', '--flow', 'flow.yaml'],
      'hello\n/quit\n',
      folderOf({ 'flow.yaml': flow }),
      keys,
    );
    expect(code).toBe(0);
    expect(out).toContain('failed: model  (APIStatusError 401)');
    expect(out).toContain('agent  Sorry, I did not get that.');
    expect(out + errors).not.toContain('sk-secret');
  });
});
