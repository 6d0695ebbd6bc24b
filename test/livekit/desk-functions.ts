import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool, type FlowToolContext } from '../../src/livekit/tools/flow-tool.ts';
import type { ScriptedReply } from '../../src/testing/scripted-model.ts';

export const prompt = (content: string) => [{ role: 'system' as const, content }];
export const nothing = z.object({});

export type Nodes = Extract<ConversationFlow['nodes'], Record<string, unknown>>;
type Functions = NonNullable<Nodes[string]['functions']>;

/** A desk with the given functions, and two rooms to go to. */
export const desk = (functions: Functions, more: Omit<Partial<ConversationFlow>, 'nodes'> = {}): ConversationFlow => ({
  initialNode: 'desk',
  ...more,
  nodes: {
    desk: { say: 'Hello.', taskMessages: prompt('Help.'), functions },
    tea: { taskMessages: prompt('Tea room.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
    garden: { taskMessages: prompt('Garden.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
  },
});

/** The replies of the model, in order. */
export const replies = (...list: ScriptedReply[]) => {
  let next = 0;
  return (): ScriptedReply => list[next++] ?? { text: 'Nothing more.' };
};
export const calls = (...names: string[]): ScriptedReply => ({ calls: names.map((name) => ({ name })) });

export const tool = (name: string, execute: (input: Record<string, unknown>, context: FlowToolContext) => unknown) =>
  flowTool({ name, description: `Does ${name}.`, parameters: z.looseObject({}), execute });

/** Returns the function outputs in the model's context. */
export const outputs = (items: readonly string[] = []) => items.filter((item) => item.startsWith('output:'));
