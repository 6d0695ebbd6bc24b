import { sameValue } from '../../src/flow/expression/same-value.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { ask, say, tool } from '../../src/flow/document/generator-yields.ts';
import { generatorGraph } from '../../src/flow/graph/generator-graph.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { ScriptedReply, ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { createChance } from './chance.ts';
import { differences, foldLog } from './fold-log.ts';
import {
  firstWords,
  type InterruptedCall,
  interruptedCall,
  type InterruptionFault,
  secondWords,
} from './interrupted-call.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { createWatch, type Finding, type Watch } from './watch.ts';

/** Returns the findings of all seeds. With a fault, stops at the first seed that finds the invariant. */
export async function interruptAll(
  seeds: number,
  fault: InterruptionFault = {},
  until?: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let next = 1;
  const walkOn = async (): Promise<void> => {
    while (next <= seeds && !findings.some(({ invariant }) => invariant === until)) {
      const seed = next;
      next += 1;
      const finding = await interrupt(seed, fault);
      if (finding !== null) findings.push(finding);
    }
  };
  // A session mostly waits for LiveKit's timers.
  await Promise.all(Array.from({ length: 12 }, walkOn));
  return findings;
}

/**
 * Interrupts at a random await of a turn, in a flow of nodes or a generator. The next words must be answered at the
 * node that the completed work leads to, and each function runs at most once. Returns null if this holds.
 */
async function interrupt(seed: number, fault: InterruptionFault): Promise<Finding | null> {
  return seed % 3 === 0 ? await interruptGenerator(seed, fault) : await interruptDesk(seed, fault);
}

const task = (content: string) => [{ role: 'system' as const, content }];

/** A node with all kinds of functions: some lead to other nodes, some do not. */
const desk: ConversationFlow = {
  initialNode: 'desk',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: {
    desk: {
      say: 'Welcome to the desk, what can we do for you?',
      taskMessages: task('Place: desk.'),
      functions: [
        { name: 'look', transitionTo: 'shown' },
        { name: 'book', effect: 'write', transitionTo: 'booked' },
        { name: 'note', effect: 'write' },
        { name: 'go', transitionTo: 'shown' },
        { name: 'order', transitionTo: 'size' },
      ],
    },
    shown: { taskMessages: task('Place: shown.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
    booked: {
      say: 'It is booked.',
      taskMessages: task('Place: booked.'),
      functions: [{ name: 'more', transitionTo: 'desk' }],
    },
    size: { collect: ['size'], taskMessages: task('Place: size.'), defaultTransition: 'booked' },
  },
};

/** The model's calls in the interrupted turn. */
const turns = [
  [],
  ['look'],
  ['book'],
  ['note'],
  ['go'],
  ['order'],
  ['look', 'book'],
  ['note', 'book'],
  ['book', 'go'],
] as const;

async function interruptDesk(seed: number, fault: InterruptionFault): Promise<Finding | null> {
  const chance = createChance(seed);
  const called = chance.any(turns) ?? [];
  const watch = createWatch(seed, `desk, ${called.join(' and ') || 'talk'}`);
  const answers: { readonly place: string; readonly items: readonly string[] }[] = [];
  const reply = ({ userText, instructions, items }: ScriptedRequest): ScriptedReply => {
    const place = /Place: (\w+)\./.exec(instructions)?.[1] ?? '';
    if (userText === secondWords) {
      answers.push({ place, items });
      return { text: `Now you are at ${place}.` };
    }
    if (userText !== firstWords) return { text: `You are at ${place}, and this is what you can do.` };
    const text = called.length === 0 || chance.often(0.5) ? 'One moment, I will see what I can do for you.' : '';
    const calls = called.map((name) => ({ name }));
    return { text, calls, delayMs: chance.pick([0, 200, 900]), wordMs: chance.pick([0, 30]) };
  };
  const tools = ['look', 'book', 'note'];
  const call = await interruptedCall({ flow: desk, tools, reply, chance, watch, fault, overtakes: true });
  const { after, nodeAtTurn, done } = call;
  const [answer, ...more] = answers;
  if (answer === undefined || more.length > 0)
    watch.broken('the next words are answered once', `they were ${answers.length} times`);
  else {
    if (!after.some((line) => line.includes(`at ${answer.place}`)))
      watch.broken('the answer is heard', after.join(' | '));
    if (answer.place !== nodeAtTurn)
      watch.broken('the answer is of the right node', `${answer.place}, not ${nodeAtTurn}`);
    for (const name of ['book', 'note'])
      if (done.includes(name) && !answer.items.some((item) => item.startsWith(`output: ${name}`)))
        watch.broken('what was done is told to the model', name);
  }
  // If two moves are due, the flow takes the one of the earlier call.
  const earned = done.includes('look') ? ['booked', 'shown'] : ['booked'];
  if (done.includes('book') && !earned.includes(nodeAtTurn)) watch.broken('what was earned is kept', nodeAtTurn);
  const { graph } = checkFlow(desk, { catalog: builtinCatalog, functions: new Set(tools) });
  if (graph === null) throw new Error('The flow of the desk does not compile.');
  checkEffects(watch, call, ['book', 'note'], graph);
  return watch.finding;
}

const booking = defineFlow(async function* booking() {
  const name = yield* ask({ key: 'name', text: 'Welcome. What is your name, please?' });
  yield* tool({ name: 'book', args: { name }, effect: 'write' });
  yield* say('It is booked for you now.');
  const more = yield* ask({ key: 'more', text: 'Is there anything else?' });
  yield* say(`You said ${more}`);
  yield* ask({ key: 'last', text: 'What else?' });
});

async function interruptGenerator(seed: number, fault: InterruptionFault): Promise<Finding | null> {
  const chance = createChance(seed);
  const watch = createWatch(seed, 'booking');
  const reply = (): ScriptedReply => {
    watch.broken('a generator asks no model', 'it was asked');
    return { text: 'Hm.' };
  };
  const call = await interruptedCall({ flow: booking, tools: ['book'], reply, chance, watch, fault, overtakes: false });
  const { before, after } = call;
  const heardOf = (line: string): boolean => before.some(({ text }) => text.includes(line));
  // If any of the second question was heard, the words that interrupted it are its answer. Otherwise the first words
  // are.
  const expected = heardOf('Is there anything else?') ? `You said ${secondWords}` : '';
  const answered = after.some((line) => /Is there anything else\?|You said|What is your name/.test(line));
  if (!answered || !after.join(' ').includes(expected))
    watch.broken('the next words are answered', `${JSON.stringify(before)}, then ${after.join(' | ')}`);
  checkEffects(
    watch,
    call,
    ['book'],
    generatorGraph('booking', {
      language: languageOf(defaultLanguage),
      languageOf,
      declared: new Map(),
      fallback: null,
    }),
  );
  return watch.finding;
}

function checkEffects(
  watch: Watch,
  { done, log, runner }: InterruptedCall,
  writes: readonly string[],
  graph: Graph,
): void {
  for (const name of writes) {
    const kept = log.flatMap(({ signal }) =>
      signal.type === 'batch:settled' ? signal.calls.filter((call) => call.name === name && call.state === 'done') : [],
    );
    const times = done.filter((one) => one === name).length;
    if (times > 1) watch.broken('nothing is done twice', name);
    if (times !== kept.length) watch.broken('what was done is kept', `${name}: done ${times}, kept ${kept.length}`);
  }
  const folded = foldLog(watch, new Map(), graph, log);
  if (!sameValue(folded, runner.state)) watch.broken('the log folds to the state', differences(folded, runner.state));
}
