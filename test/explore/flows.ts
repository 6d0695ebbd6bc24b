import fc from 'fast-check';
import { join } from 'node:path';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { flowDocument } from '../kernel/random-flow.ts';

/** A flow to walk, with its compiled form. */
export interface ExploredFlow {
  readonly name: string;
  readonly source: string | ConversationFlow;
  readonly graph: Graph;
}

const task = [{ role: 'system' as const, content: 'Help.' }];
const amount = {
  type: 'object' as const,
  properties: { amount: { type: 'integer', minimum: 1, maximum: 50 } },
  required: ['amount'],
};

/** Small flows that concentrate the cases of large ones. */
const small: Record<string, ConversationFlow> = {
  writes: {
    initialNode: 'desk',
    fallback: 'Sorry, say that again?',
    filler: 'One moment.',
    nodes: {
      desk: {
        say: 'Welcome to the desk.',
        taskMessages: task,
        functions: [
          { name: 'pay', effect: 'write', parameters: amount, transitionTo: 'paid' },
          {
            name: 'order',
            effect: 'write',
            parameters: amount,
            confirm: true,
            saveAs: 'ordered',
            transitionTo: 'paid',
          },
          {
            name: 'look',
            handler: 'look',
            parameters: amount,
            saveAs: 'seen',
            retry: { maxAttempts: 2, backoffMs: 100 },
          },
          { name: 'aside', transitionTo: 'aside', digression: true },
        ],
      },
      aside: { say: 'We are open.', taskMessages: task, functions: [{ name: 'back', transitionTo: '$return' }] },
      paid: {
        taskMessages: task,
        contextStrategy: 'reset_with_summary',
        functions: [
          { name: 'more', transitionTo: 'desk' },
          { name: 'leave', transitionTo: 'bye' },
        ],
      },
      bye: { say: 'Goodbye.', end: 'done' },
    },
  },
  pair: {
    initialNode: 'pair',
    nodes: {
      pair: {
        taskMessages: task,
        functions: [
          { name: 'first', effect: 'write', parameters: amount, confirm: 'Shall I do {{ args.amount }}?' },
          { name: 'second', effect: 'write', parameters: amount, confirm: true, transitionTo: 'pair' },
          { name: 'third', effect: 'write', timeoutMs: 1_000, retry: { maxAttempts: 3, backoffMs: 50 } },
          { name: 'go', transitionTo: 'silent' },
        ],
      },
      silent: { respondImmediately: false, taskMessages: task, functions: [{ name: 'on', transitionTo: 'pair' }] },
    },
  },
  form: {
    initialNode: 'form',
    onError: 'help',
    replyTimeoutMs: 2_000,
    slots: {
      who: { type: 'name', ask: 'Who are you?', confirm: 'readback' },
      size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
      count: { type: 'integer', minimum: 1, maximum: 9, optional: true },
    },
    nodes: {
      form: {
        preActions: [{ type: 'tts_say', text: 'Well.' }],
        postActions: [{ type: 'note' }],
        collect: ['who', 'size'],
        functions: [{ name: 'skip', transitionTo: 'save' }],
        defaultTransition: 'save',
      },
      save: {
        taskMessages: task,
        preActions: [{ type: 'ring' }],
        functions: [
          {
            name: 'save',
            effect: 'write',
            transitionTo: { field: 'ok', cases: { true: 'bye', false: 'form' }, default: 'help' },
          },
          { name: 'make', handler: 'make' },
        ],
      },
      help: { say: 'Let me get someone.', taskMessages: task, functions: [{ name: 'again', transitionTo: 'form' }] },
      bye: { say: 'Goodbye.', end: true },
    },
  },
};

const shipped = ['clinic-intake', 'restaurant-booking', 'support-triage'];

/** The action handlers that the flows name. */
export const handlerNames = ['note', 'ring', 'note_consent', 'text_guest'];

const known: ExploredFlow[] = [];

/** The random flows of the first seeds, which the tests walk once for each fault. */
const byChance = new Map<number, ExploredFlow>();
const mostByChance = 64;

/** Returns the flow for a seed. Half of the seeds have a random flow. */
export function flowFor(seed: number): ExploredFlow {
  if (seed % 2 === 1) {
    const flow = byChance.get(seed) ?? randomFlow(seed);
    if (byChance.size < mostByChance) byChance.set(seed, flow);
    return flow;
  }
  return fixedFlows()[(seed / 2) % fixedFlows().length] ?? explored('pair', small['pair'] as ConversationFlow);
}

function randomFlow(seed: number): ExploredFlow {
  const [document] = fc.sample(flowDocument, { seed, numRuns: 1 });
  if (document === undefined) throw new Error('fast-check made no flow');
  return explored('by chance', document);
}

/** Returns the shipped and the small flows. */
export function fixedFlows(): readonly ExploredFlow[] {
  if (known.length > 0) return known;
  for (const [name, document] of Object.entries(small)) known.push(explored(name, document));
  for (const name of shipped) known.push(explored(name, join(import.meta.dirname, '../../flows', name, 'flow.yaml')));
  return known;
}

function explored(name: string, source: string | ConversationFlow): ExploredFlow {
  const { graph, diagnostics } = checkFlow(source, { catalog: builtinCatalog });
  if (graph === null) throw new Error(`${name}: ${diagnostics.map(({ message }) => message).join('\n')}`);
  return { name, source, graph };
}

/** Returns the functions that a graph's nodes name, so that a host can offer each. */
export function toolNames({ nodes, functions }: Graph): ReadonlySet<string> {
  const all = [...functions, ...[...nodes.values()].flatMap((node) => node.functions)];
  return new Set(all.filter(({ body }) => body === 'tool').map(({ handler }) => handler));
}
