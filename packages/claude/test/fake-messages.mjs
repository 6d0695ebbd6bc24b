// A fake of `POST /v1/messages` on 127.0.0.1: answers each request with the next line, as the API streams it.
import { createServer } from 'node:http';

/** Starts it. `requests` are the bodies that came. */
export async function fakeMessages(lines) {
  const requests = [];
  let answers = 0;
  const answer = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"type":"error"}');
      return;
    }
    const asked = JSON.parse(body);
    requests.push(asked);
    const text = lines[Math.min(answers++, lines.length - 1)];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${answers}`, type: 'message', role: 'assistant', model: asked.model, usage };
    if (asked.stream !== true) {
      const whole = { ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', stop_sequence: null };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type, more) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    for (const word of text.split(/(?<= )/))
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } });
    send('content_block_stop', { index: 0 });
    send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
    send('message_stop', {});
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  return { url, requests, close };
}

/** `query()` with streaming input over the same wire, for places where the SDK is not installed. */
export async function* wireQuery({ prompt, options }) {
  const messages = [];
  for await (const { message } of prompt) {
    messages.push(message);
    const body = JSON.stringify({
      model: options.model,
      system: options.systemPrompt,
      messages,
      stream: true,
      max_tokens: 99,
    });
    const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
      method: 'POST',
      body,
      signal: options.abortController.signal,
    });
    if (!response.ok) {
      yield { type: 'result', subtype: 'error_during_execution', is_error: true };
      return;
    }
    let result = '';
    for (const line of (await response.text()).split('\n').filter((one) => one.startsWith('data: '))) {
      const event = JSON.parse(line.slice('data: '.length));
      result += event.delta?.text ?? '';
      yield { type: 'stream_event', event, parent_tool_use_id: null };
    }
    messages.push({ role: 'assistant', content: result });
    yield { type: 'result', subtype: 'success', is_error: false, result };
  }
}
