import { z } from 'zod';
import { defineFlow } from '../../../src/flow/document/define.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { ask, end, tool } from '../../../src/flow/document/generator-yields.ts';
import type { FunctionTool } from '../../../src/livekit/tools/function-tool.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';

/** The flows of the stored sessions. They must never change, because a stored session is bound to its flow by hash. */
export const desk: ConversationFlow = {
  name: 'desk',
  initialNode: 'guest',
  slots: {
    name: { type: 'text', description: 'The name of the guest.', ask: 'What is your name?' },
    party: { type: 'integer', minimum: 1, description: 'How many people come.', ask: 'For how many?' },
  },
  nodes: {
    guest: { collect: ['name', 'party'], defaultTransition: 'offer' },
    offer: {
      taskMessages: [{ role: 'system', content: 'Ask for the day, then book.' }],
      functions: [
        {
          name: 'book',
          effect: 'write',
          confirm: 'Shall I book for {{ name }}?',
          saveAs: 'booking',
          transitionTo: 'more',
        },
      ],
    },
    more: {
      taskMessages: [{ role: 'system', content: 'Ask whether there is anything else.' }],
      functions: [
        {
          name: 'note',
          effect: 'write',
          parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

export const lesson = defineFlow(async function* lesson(ctx) {
  const id = ctx.uuid();
  const name = yield* ask({ key: 'name', text: 'What is your name?' });
  const word = yield* ask({ key: 'word', text: `A word, ${name}?` });
  yield* tool({ name: 'note', args: { text: `${id} ${word}` } });
  yield* end('learned');
});

/** Returns the tools of both flows. `run` executes them. */
export function toolsOf(run: (name: string, key: string) => Promise<unknown>): readonly FunctionTool[] {
  return ['book', 'note'].map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (_args, { key }) => run(name, key),
    }),
  );
}

/** A model that knows only its context. */
export function script({ userText, tools, items }: ScriptedRequest): ScriptedReply {
  const said = /^note (.+)/.exec(userText)?.[1];
  if (said !== undefined) return { calls: [{ name: 'note', arguments: { text: said } }] };
  if (tools.includes('record') && userText.startsWith('I am'))
    return { calls: [{ name: 'record', arguments: { name: userText.slice(5) } }] };
  if (tools.includes('record') && /^\d+$/.test(userText))
    return { calls: [{ name: 'record', arguments: { party: Number(userText) } }] };
  if (tools.includes('book') && userText === 'tomorrow') return { calls: [{ name: 'book' }] };
  if (tools.includes('leave') && userText === 'bye') return { calls: [{ name: 'leave' }] };
  return { text: `I have seen ${items.length} items. Anything else?` };
}
