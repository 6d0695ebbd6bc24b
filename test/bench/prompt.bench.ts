import { llm } from '@livekit/agents';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import type { Measure, Reading } from './measure.ts';

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** A form of eight fields. The caller fills one per turn. */
const form = {
  initialNode: 'greet',
  roleMessages: [{ role: 'system' as const, content: 'You answer the phone of a bike shop. Be brief.' }],
  slots: Object.fromEntries(names.map((name) => [name, { type: 'text' as const }])),
  nodes: {
    greet: {
      say: 'Hello, this is the bike shop. Shall we start?',
      functions: [{ name: 'start', description: 'The caller agrees.', transitionTo: 'ask' }],
    },
    ask: { collect: names, defaultTransition: 'bye' },
    bye: { say: 'Thank you.', end: 'done' },
  },
};

/** The caller's turns: a yes, which needs no model, then one field per turn. */
const turns = ['Yes, please.', ...names.map((name) => `${name} is known`)];

/** A model that records the functions and messages of its requests as text. */
class RecordingModel extends ScriptedModel {
  readonly sent: Promise<{ readonly tools: string; readonly messages: string }>[] = [];

  constructor() {
    super(({ userText }) => {
      const at = turns.indexOf(userText);
      const text = at < names.length ? `What is ${names[Math.max(at, 0)]}?` : '';
      const name = names[at - 1];
      return name === undefined ? { text } : { text, calls: [{ name: 'record', arguments: { [name]: userText } }] };
    });
  }

  override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
    const functions = options.toolCtx === undefined ? [] : llm.sortedToolEntries(llm.toToolContext(options.toolCtx));
    const tools = functions.map(([name, { description, parameters }]) =>
      JSON.stringify({ type: 'function', function: { name, description, parameters: llm.toJsonSchema(parameters) } }),
    );
    this.sent.push(
      options.chatCtx.toProviderFormat('openai').then((messages) => ({
        tools: tools.join(''),
        messages: (messages as unknown[]).map((message) => JSON.stringify(message)).join(''),
      })),
    );
    return super.chat(options);
  }
}

async function requests() {
  const model = new RecordingModel();
  const session = createTextSession(model);
  const runner = new FlowRunner({ session, flow: form, settings: { timeZone: 'UTC' } });
  await runner.start();
  await runner.idle();
  for (const words of turns) await runner.send(words);
  await runner.stop();
  void session.close();
  return await Promise.all(model.sent);
}

/** Returns the tokens of a call's requests that the previous request did not contain as a prefix, in characters / 4. */
async function recomputed(layout: 'tools-first' | 'messages-first'): Promise<Reading> {
  const sent = await requests();
  let before = '';
  let fresh = 0;
  for (const { tools, messages } of sent) {
    const text = layout === 'tools-first' ? tools + messages : messages + tools;
    let shared = 0;
    while (shared < before.length && before[shared] === text[shared]) shared += 1;
    fresh += text.length - shared;
    before = text;
  }
  return { value: Math.round(fresh / 4), baseline: `${sent.length} requests`, runs: 1 };
}

export const measures: Measure[] = (
  [
    ['tools-first', 1_600],
    ['messages-first', 2_400],
  ] as const
).map(([layout, limit]) => ({
  name: `prompt.recomputed_tokens/${layout}`,
  unit: 'tokens',
  better: 'lower',
  limit,
  run: () => recomputed(layout),
}));
