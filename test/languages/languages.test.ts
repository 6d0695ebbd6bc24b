import type { llm } from '@livekit/agents';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { openModel } from '../../src/livekit/plug-ins/models.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { type ChatRequest, openaiServer, type OpenaiServer } from '../providers/openai-server.ts';
import { callerOf, plainYes, type Words } from './callers.ts';
import { byModel, flows, type Tag, withRules } from './flows.ts';

/** What a flow comes to, in any language. */
const outcomes: Readonly<Record<string, object>> = {
  intake: { slots: { full_name: 'Maria Delgado', born: '1984-07-14', been_before: false } },
  booking: { slots: { day: '2098-11-27', guests: 4 }, booked: [{ day: '2098-11-27', guests: 4 }] },
  numbers: { slots: { hour: '15:30', nights: 3, room: 21 } },
  branch: { slots: { wish: 'repair', urgent: true } },
  generator: { said: { day: '2098-11-27', guests: 4, isUrgent: false } },
};

/** Holds a flow in a language on a real session; `asked` is how often the model was asked for what each turn said. */
async function hold(name: string, tag: Tag, model: llm.LLM, countRequests: () => number) {
  const booked: unknown[] = [];
  const heard: string[] = [];
  const flow = flows[name]?.(tag);
  if (flow === undefined) throw new Error(`there is no flow ${name}`);
  const tool = flowTool({
    name: 'book_table',
    description: 'Books the table.',
    parameters: z.object({ day: z.string(), guests: z.number() }),
    execute: (input) => void booked.push(input),
  });
  const session = createTextSession(model);
  const runner = createRunner({ session, flow, language: tag, timeZone: 'UTC', tools: [tool] });
  runner.onSpeech((text) => void heard.push(text));
  onTestFinished(async () => {
    await runner.stop();
    void session.close();
  });
  await runner.start();
  await runner.idle();
  const asked: Record<string, number> = {};
  for (const { says } of callerOf(name, tag)) {
    const before = countRequests();
    await runner.send(says);
    asked[says] = countRequests() - before;
  }
  await runner.ended;
  const slots = Object.fromEntries(
    Object.entries(runner.state.knowledge.slots).map(([slot, { value }]) => [slot, value]),
  );
  const told = heard.join(' ').match(/\{.*\}/)?.[0];
  const outcome = {
    ...(Object.keys(slots).length === 0 ? {} : { slots }),
    ...(booked.length === 0 ? {} : { booked }),
    ...(told === undefined ? {} : { said: JSON.parse(told) as Json }),
  };
  return { outcome, heard, asked };
}

describe.each(withRules)('in %s', (tag) => {
  it.each(Object.keys(flows))('%s is carried by rules, for a model that knows nothing', async (name) => {
    const model = new ScriptedModel(() => ({}));
    const { outcome, asked } = await hold(name, tag, model, () => model.requests.length);
    expect(outcome).toEqual(outcomes[name]);
    for (const says of plainYes(name, tag)) expect(asked[says]).toBe(0);
  });
});

describe('by the wire protocol', () => {
  let server: OpenaiServer;
  let book: ReadonlyMap<string, Json> = new Map();
  beforeAll(async () => {
    server = await openaiServer({ chat: (request) => understand(request, book) });
    return () => server.close();
  });

  it.each([...withRules, ...byModel].flatMap((tag) => Object.keys(flows).map((name) => [tag, name] as const)))(
    'in %s %s comes to the same, with a model that understands the language',
    async (tag, name) => {
      book = new Map(callerOf(name, tag).map(({ says, means }: Words) => [says, means]));
      const { model } = await openModel('openai', { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: server.url });
      const { outcome } = await hold(name, tag, model, () => server.chats.length);
      expect(outcome).toEqual(outcomes[name]);
    },
  );
});

/**
 * A model that understands each word by a book and knows no flow: which function it calls, and for which slot, it reads in
 * what it is shown.
 */
function understand({ messages, tools = [] }: ChatRequest, book: ReadonlyMap<string, Json>) {
  const last = messages.findLast(({ role }) => role !== 'system');
  const means = last?.role === 'user' ? book.get(last.content ?? '') : undefined;
  if (means === undefined) return { text: '' };
  const call = (name: string, args: JsonObject) => ({ calls: [{ name, arguments: JSON.stringify(args) }] });
  const answer = tools.find((one) => one.function.name === 'answer')?.function;
  const takes = Object.keys(propertiesOf(answer?.parameters));
  if (takes.includes('agrees') && typeof means === 'boolean') return call('answer', { agrees: means });
  if (takes.includes('value')) return call('answer', { value: means });
  const wanted = means === true ? /agrees\.$/ : /refuses\.$/;
  const meant = tools.find((one) => wanted.test(one.function.description ?? ''));
  if (typeof means === 'boolean' && meant !== undefined) return call(meant.function.name, {});
  const shown = messages.map(({ content }) => content ?? '').join('\n');
  const [, slot] = /Not known yet: (\w+)/.exec(shown) ?? [];
  return slot === undefined ? { text: '' } : call('record', { [slot]: means });
}

function propertiesOf(schema: object | undefined): object {
  const properties: unknown = schema === undefined ? undefined : Reflect.get(schema, 'properties');
  return typeof properties === 'object' && properties !== null ? properties : {};
}
