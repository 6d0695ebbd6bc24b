import type { JsonObject } from '../../../src/model/json.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { functionsIn } from '../../../src/kernel/move/offers.ts';
import { newSession } from '../../../src/kernel/state/state.ts';
import { viewOf, wholePrompt } from '../../../src/kernel/state/view.ts';
import { type BrainDecision } from '../../../src/offline/brain/choose/choose-calls.ts';
import {
  type Conversation,
  type ConversationItem,
  createConversation,
} from '../../../src/offline/brain/conversation.ts';
import { decide } from '../../../src/offline/brain/offline-brain.ts';
import type { BrainTool } from '../../../src/offline/brain/schema.ts';
import { graphOf, noonCivil } from '../../kernel/session.ts';

type Node = ConversationFlow['nodes'] extends infer Nodes ? Extract<Nodes, Record<string, unknown>>[string] : never;

/** A moment in a conversation: the node's functions, the known values, and the agent's last line. */
export interface Scene {
  readonly slots?: ConversationFlow['slots'];
  readonly functions?: readonly Offer[];
  readonly collect?: readonly string[];
  readonly task?: string;
  readonly known?: Readonly<Record<string, string | number | boolean>>;
  readonly unconfirmed?: readonly string[];
  readonly agent: string;
}

/** A function as a flow writes it. It is a tool if it is registered, else it only moves. */
export interface Offer {
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonObject;
  readonly isTool?: boolean;
}

/** The expected calls of a sentence by name with their arguments; `asks` if the caller must be asked. */
export type Expected = Readonly<Record<string, JsonObject>> | 'asks';

export interface Sentence {
  readonly say: string;
  readonly expect: Expected;
  /** Earlier words, with the agent's question to them. */
  readonly before?: readonly ConversationItem[];
}

/** Returns the functions that a scene's node offers, and the values that the brain knows there. */
function sceneOf(scene: Scene, items: readonly ConversationItem[]): { tools: BrainTool[]; conversation: Conversation } {
  const { slots = {}, functions = [], collect = [], task, known = {}, unconfirmed = [] } = scene;
  const node = {
    ...(collect.length > 0 ? { collect: [...collect], defaultTransition: 'there' } : {}),
    ...(task === undefined ? {} : { taskMessages: [{ role: 'system', content: task }] }),
    functions: functions.map(({ name, description, parameters, isTool }) => ({
      name,
      description,
      transitionTo: 'there',
      ...(parameters === undefined ? {} : { parameters }),
      ...(isTool === true ? { effect: 'read' } : {}),
    })),
  };
  const flow = {
    name: 'scene',
    initialNode: 'here',
    slots,
    nodes: { here: node as Node, there: { say: 'Goodbye.', end: true } },
  };
  const graph = graphOf(
    flow,
    functions.filter((each) => each.isTool === true).map((each) => each.name),
  );
  const state = newSession('s');
  const values = Object.entries(known).map(([name, value]) => [
    name,
    { value, confirmed: !unconfirmed.includes(name) },
  ]);
  const view = viewOf(
    graph,
    {
      ...state,
      position: { ...state.position, node: 'here' },
      knowledge: { ...state.knowledge, slots: Object.fromEntries(values) as typeof state.knowledge.slots },
    },
    noonCivil,
  );
  const here = graph.nodes.get('here');
  if (here === undefined) throw new Error('The scene has no node.');
  const tools = functionsIn(graph, here).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  return {
    tools,
    conversation: createConversation(wholePrompt(view), items, { now: '2026-11-21T12:00', region: 'US' }),
  };
}

/** Returns the brain's decision for a sentence in a scene. */
export function answerTo(scene: Scene, sentence: Pick<Sentence, 'say' | 'before'>): BrainDecision {
  const { before = [], say } = sentence;
  const { tools, conversation } = sceneOf(scene, [
    ...before,
    { type: 'agent', text: scene.agent },
    { type: 'caller', text: say },
  ]);
  return decide(tools, conversation);
}

export type Verdict = 'right' | 'safe' | 'wrong';

/** Right if all calls are as expected, safe if there are no unexpected calls (the flow asks again), else wrong. */
export function judge(decision: BrainDecision, expected: Expected): Verdict {
  const wanted = expected === 'asks' ? {} : expected;
  const calls = Object.fromEntries(decision.calls.map((call) => [call.name, call.arguments]));
  if (JSON.stringify(sorted(calls)) === JSON.stringify(sorted(wanted))) return 'right';
  const isWithin = Object.entries(calls).every(
    ([name, values]) =>
      Object.entries(values).every(([key, value]) => JSON.stringify(wanted[name]?.[key]) === JSON.stringify(value)) &&
      Object.hasOwn(wanted, name),
  );
  return isWithin ? 'safe' : 'wrong';
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
