import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { awkwardOfSeed, holdAllAwkward, reportAwkward } from './awkward/awkward.ts';
import { holdAwkward, type Script } from './awkward/hold.ts';
import { graphOf, type FlowFault } from './awkward/scene-graph.ts';
import { createLedger, type Law, type Ledger } from './awkward/ledger.ts';
import type { Quirk } from './awkward/quirks.ts';
import { englishInspection } from './awkward/scenes/inspection-english.ts';
import { pizza } from './awkward/scenes/pizza.ts';
import type { Scene } from './awkward/scene.ts';
import type { Stance, Utterance } from './awkward/utterance.ts';

/** Each scene once, and each flow in `own.ts` twice. `.ci/run` plays hundreds more. */
const seeds = 39;

it(
  'a caller who interrupts, hedges and corrects, and a model that agrees or invents, break no law',
  {
    timeout: 300_000,
  },
  async () => {
    const result = await holdAllAwkward(Array.from({ length: seeds }, (_, index) => awkwardOfSeed(index + 1)));
    expect(reportAwkward(result)).toBe('');
    expect(result.unexpected).toEqual([]);
    expect(result.held).toBe(seeds);
  },
);

const state = newSession('s');
const question =
  'So the inspector comes on Tuesday, December 1 and calls 4 1 5, 5 5 5, 2 6 7 1 from the gate. Shall I book it now?';
const args = { full_name: 'Anna Berg', phone: '+14155552671', day: '2026-12-01' };

function says(text: string, stance: Stance, states: Utterance['states'] = {}, isWeak = false): Utterance {
  return { text, act: 'answer', stance, isWeak, states, means: {} };
}

function ledgerOf(scene: Scene): Ledger {
  return createLedger(scene, graphOf(scene));
}

/** A call in which every value was given and read back. */
function informed(): Ledger {
  const ledger = ledgerOf(englishInspection);
  ledger.spoke(
    { heard: 'Who is calling, please?', isCut: false, utterance: says('Anna Berg.', 'neither', args) },
    state,
  );
  const readBack = 'I have Anna Berg, 4 1 5, 5 5 5, 2 6 7 1. Is that right?';
  ledger.spoke({ heard: readBack, isCut: false, utterance: says('Yes.', 'agrees') }, state);
  return ledger;
}

const lawsOf = (ledger: Ledger) => ledger.findings.map(({ law }) => law);

describe('the ledger of a call', () => {
  it('accepts a write whose complete question was agreed to', () => {
    const ledger = informed();
    ledger.spoke({ heard: question, isCut: false, utterance: says('Yes.', 'agrees') }, state);
    ledger.wrote('book', args);
    expect(lawsOf(ledger)).toEqual([]);
  });

  it.each<[string, string, boolean, Utterance, readonly string[]]>([
    [
      'a yes before the values were heard',
      'So the inspector comes on Tuesday,',
      true,
      says('Yes.', 'agrees'),
      ['consent'],
    ],
    ['a weak yes before the end', question.slice(0, -5), true, says('Okay.', 'agrees', {}, true), ['consent']],
    ['a yes with at most three words left', question.slice(0, -13), true, says('Yes.', 'agrees'), []],
    ['words that are no yes', question, false, says('My dog is barking.', 'neither'), ['consent']],
    ['a no', question, false, says('No, that is too much.', 'refuses'), ['refusal']],
    [
      'a yes to a question of the model',
      `${question} Are you still there?`,
      false,
      says('Yes.', 'agrees'),
      ['consent'],
    ],
    ['a yes to the last sentence alone', 'So: Shall I book it now?', false, says('Yes.', 'agrees'), ['consent']],
  ])('a write after %s', (_name, heard, isCut, utterance, broken) => {
    const ledger = informed();
    ledger.spoke({ heard, isCut, utterance }, state);
    ledger.wrote('book', args);
    expect(lawsOf(ledger)).toEqual(broken);
  });

  it('reports an unread correction, and a value that the caller never gave', () => {
    const ledger = informed();
    const correction = says('Oh, it is Robert Smith.', 'neither', { full_name: 'Robert Smith' });
    ledger.spoke({ heard: question, isCut: false, utterance: correction }, state);
    ledger.spoke({ heard: question, isCut: false, utterance: says('Yes.', 'agrees') }, state);
    ledger.wrote('book', { ...args, full_name: 'Robert Smith' });
    expect(lawsOf(ledger)).toEqual(['unread']);
    ledger.spoke({ heard: question, isCut: false, utterance: says('Yes.', 'agrees') }, state);
    ledger.wrote('book', { ...args, full_name: 'John Doe' });
    expect(lawsOf(ledger)).toContain('displaced');
  });

  it('reports a write decided by another value, and a question that is asked seven times', () => {
    const ledger = ledgerOf(pizza);
    ledger.wrote('prepare', { size: 'large', way: 'delivery', shop: 'north' });
    expect(lawsOf(ledger)).toContain('stale');
    for (let put = 1; put <= 6; put += 1) ledger.answered('Sorry. Which size would you like?', state);
    expect(lawsOf(ledger)).not.toContain('repeated');
    ledger.answered('So: Which size would you like?', state);
    expect(lawsOf(ledger)).toContain('repeated');
  });
});

type Node = Readonly<Record<string, unknown>>;

/** Changes one node of a flow. */
function withNode(id: string, change: (node: Node) => Node): FlowFault {
  return (flow) => {
    const nodes = flow.nodes as Readonly<Record<string, Node>>; // The scenes name their nodes in a map.
    return { ...flow, nodes: { ...nodes, [id]: change(nodes[id] ?? {}) } };
  };
}

/** The functions of a node without their questions. */
function unconfirmed({ functions }: Node): readonly Node[] {
  return (functions as readonly Node[]).map(({ confirm: _question, onRefuse: _way, ...one }) => one); // The scenes list their functions.
}

/** The slots of a flow without their read-backs. */
function unread({ slots = {} }: ConversationFlow): ConversationFlow['slots'] {
  return Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => [name, { ...slot, confirm: undefined, confirmText: undefined }]),
  );
}

/** Flows in which one thing is wrong, with the first scripted act that shows it. */
const faults: readonly (readonly [Law, Scene, Quirk, Script['act'], FlowFault])[] = [
  ['consent', pizza, 'none', 'answer', withNode('order_pickup', (node) => ({ ...node, functions: unconfirmed(node) }))],
  ['unread', englishInspection, 'none', 'answer', (flow) => ({ ...flow, slots: unread(flow) })],
  [
    'displaced',
    englishInspection,
    'none',
    'answer',
    withNode('book', (node) => ({
      functions: unconfirmed(node),
      call: 'book',
      input: { full_name: '{{ full_name }}', phone: '{{ phone }}', day: '2026-12-24' },
    })),
  ],
  ['stale', pizza, 'none', 'change_mind', withNode('start', (node) => ({ ...node, defaultTransition: 'shop' }))],
  ['repeated', { ...pizza, answers: [] }, 'mute', 'answer', (flow) => ({ ...flow, ladder: { attempts: 10 } })],
  ['end', pizza, 'none', 'answer', withNode('ordered', (node) => ({ ...node, end: 'elsewhere' }))],
];

describe('a fault of a flow is found in a call', () => {
  it.each(faults)('%s', { timeout: 60_000 }, async (law, scene, quirk, act, fault) => {
    const script = { act, at: 'line' } as const;
    const talk = { seed: 1, name: law, scene, quirk, awkwardness: 0, atConsent: false, script, fault };
    const { findings } = await holdAwkward(talk);
    expect(findings.map((one) => one.law)).toContain(law);
  });
});
