import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createTools as clinicTools } from '../../../flows/clinic-intake/tools.ts';
import { createTools as restaurantTools } from '../../../flows/restaurant-booking/tools.ts';
import { createTools as supportTools } from '../../../flows/support-triage/tools.ts';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import { checkFlow } from '../../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../../src/flow/nodes/builtin.ts';
import { FlowRunner } from '../../../src/runner/flow-runner.ts';
import { createSharedFlows, type SharedFlows } from '../../../src/runner/shared-flows.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { declarationsOf, type FunctionTool } from '../../../src/livekit/tools/function-tool.ts';
import { createCountingIds } from '../../../src/testing/counting-ids.ts';
import { OpenMicrophone } from '../../../src/testing/open-microphone.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { createChance } from '../chance.ts';
import { differences, foldLog } from '../fold-log.ts';
import { createWatch, type Finding } from '../watch.ts';
import type { Caller } from './callers.ts';
import { type Flaw, replyOf } from './flaws.ts';
import { inOtherForm, type Noise, noiseOf, slipOf, withAnotherFact } from './noise.ts';
import { type ModelKind, sessionOf } from './session.ts';
import { type Meaning, type Said, said, sentences } from './said.ts';

/** A conversation to be held. */
export interface Talk {
  readonly seed: number;
  readonly caller: Caller;
  /** The noises before each answer of the caller. */
  readonly noise: (turn: number) => readonly Noise[];
  /** How the caller gives each answer; absent where plainly. */
  readonly manner?: (turn: number) => Manner | null;
  readonly flaw: Flaw;
  /** How many turns this caller needs where nobody errs. */
  readonly cleanTurns: number;
  /** What answers in place of a pipeline model of `flaw`: the offline brain, or a realtime model of the same flaw. */
  readonly model?: ModelKind;
}

/** A yes in other words, two facts in one answer, or a slip of the tongue that is corrected in the next turn. */
export const manners = ['otherwise', 'both', 'slip'] as const;
export type Manner = (typeof manners)[number];

export interface Outcome {
  readonly finding: Finding | null;
  readonly end: string | null;
  /** How often the caller spoke. */
  readonly turns: number;
  readonly transcript: readonly string[];
  readonly requests: number;
}

export const today = '2026-11-21';
/** How long a caller says nothing who says nothing: long enough to be asked once. */
const silenceMs = 8_000;
/** The same of a caller who has asked for time. */
const patienceMs = 60_000;
/** No conversation takes so many turns of its caller. */
const most = 60;

export type Tools = Record<string, (args: unknown, call: { readonly key: string }) => Promise<unknown>>;

export function toolsOf(flow: Caller['flow']): Tools {
  switch (flow) {
    case 'clinic-intake':
      return clinicTools({ today: () => today });
    case 'restaurant-booking':
      return restaurantTools({ today: () => today });
    case 'support-triage':
      return supportTools({
        today: () => today,
        accounts: [
          {
            phone: '+14155552671',
            name: 'Maria Delgado',
            area: 'north',
            termEnds: '2027-03-31',
            invoice: { dollars: 80, day: '2026-11-01' },
          },
        ],
      });
    case 'bike-service':
      return { book_service: (args) => Promise.resolve({ booked: args }) };
  }
}

/** The source of a caller's flow: a folder of `flows/`, or the flow that the README shows first. */
export function sourceOf(flow: Caller['flow']): string {
  if (flow !== 'bike-service') return join(import.meta.dirname, '../../../flows', flow, 'flow.yaml');
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, document] = /```yaml[^\n]*\n(name: bike-service\n[\s\S]*?)```/.exec(readme) ?? [];
  if (document === undefined) throw new Error('README.md shows no flow named bike-service.');
  return document;
}

const graphs = new Map<Caller['flow'], Graph>();

/** The flow of a caller, read and compiled once for all talks. */
function graphOf(flow: Caller['flow'], tools: readonly FunctionTool[]): Graph {
  const known = graphs.get(flow);
  if (known !== undefined) return known;
  const declared = declarationsOf(tools);
  const names = new Set(declared.keys());
  const { graph } = checkFlow(sourceOf(flow), {
    catalog: builtinCatalog,
    functions: names,
    handlers: names,
    declared,
  });
  if (graph === null) throw new Error(`${flow} does not compile`);
  graphs.set(flow, graph);
  return graph;
}

const sharedFlows = new Map<Caller['flow'], SharedFlows>();

/** What the talks of one flow share, as the calls of a worker do. */
function sharedOf(flow: Caller['flow']): SharedFlows {
  const known = sharedFlows.get(flow) ?? createSharedFlows();
  sharedFlows.set(flow, known);
  return known;
}

interface Ran {
  readonly name: string;
  readonly args: JsonObject;
}

/** Holds one conversation on a real AgentSession under virtual time, and tells the first law that it breaks. */
export async function holdTalk(talk: Talk): Promise<Outcome> {
  const { caller, seed } = talk;
  const chance = createChance(seed);
  const watch = createWatch(seed, `${caller.flow}: ${caller.name}`);
  const clock = createVirtualClock(Date.parse(`${today}T09:00:00Z`), settleLiveKit);
  const transcript: string[] = [];
  const note = (line: string): void => {
    transcript.push(line);
    watch.note(line, clock.now());
  };
  const ran: Ran[] = [];
  const desk = toolsOf(caller.flow);
  const handlers = Object.keys(desk);
  const tools = handlers.map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: async (input, { key }) => {
        ran.push({ name, args: input as JsonObject }); // Arguments of a call are JSON.
        note(`        (${name} ${JSON.stringify(input)})`);
        if (name === caller.write?.name && lastWords.means.wants !== 'agree')
          watch.broken('law 2: nothing is written without a yes', `${name} after "${lastWords.text}"`);
        return await desk[name]?.(input, { key });
      },
    }),
  );
  const graph = graphOf(caller.flow, tools);
  const meantEnds = authorsEnds(graph);
  const troubleEnd = graph.onTrouble === null ? null : (graph.nodes.get(graph.onTrouble)?.end ?? null);
  const meanings = new Map<string, Meaning>();
  /** What the model has said by itself: its own words may come twice. */
  const own = new Set<string>();
  let requests = 0;
  /** Whether the model's last reply called anything. */
  let hasCalled = false;
  const reply = (request: ScriptedRequest): ScriptedReply => {
    requests += 1;
    const made = replyOf(request, { graph, state: runner.state, meanings }, talk.flaw, chance);
    hasCalled = (made.calls ?? []).length > 0;
    for (const one of [made.text ?? '', ...sentences(made.text ?? '')]) own.add(one);
    note(
      `        [${(made.calls ?? []).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args ?? {})}`).join(', ')}${made.text ? ` "${made.text}"` : ''}]`,
    );
    return made;
  };
  const session = sessionOf(talk.model, reply, clock);
  // Words come as text, and silence is that of a caller by voice.
  session.input.audio = new OpenMicrophone();
  const store = createMemoryStore({ clock });
  const runner = new FlowRunner({
    session,
    // As a store keeps it: the document is plain JSON.
    flow: graph.document,
    shared: sharedOf(caller.flow),
    sessionId: 's',
    timeZone: 'UTC',
    tools,
    handlers: Object.fromEntries(
      handlers.map((name) => [
        name,
        async (data: JsonObject, { key }: { key: string }) => void (await desk[name]?.(data, { key })),
      ]),
    ),
    store,
    clock,
    ids: createCountingIds(),
  });
  let ended: string | null = null;
  void runner.ended.then((reason) => (ended = reason));
  let lines: string[] = [];
  let lastWords = said('');
  let before = '';
  let askedToRepeat = false;
  runner.onSpeech((text) => void lines.push(text));
  runner.hub.subscribe('*', (event) => {
    if (event.type === 'transition:taken') note(`        -> ${event.data.to}`);
    if (event.type === 'response:failed' && event.data.stage === 'turn')
      watch.broken('nothing of a turn throws', event.data.reason);
  });

  /** Lets the agent speak until it has nothing more to say, and tells what was heard. */
  const listen = async (ms = 3_000): Promise<string> => {
    await clock.advance(ms);
    const heard = lines.join(' ').trim();
    lines = [];
    note(`agent   ${heard}`);
    return heard;
  };
  const speak = async (words: Said): Promise<string> => {
    lastWords = words;
    meanings.set(words.text, words.means);
    note(`caller  ${words.text}`);
    askedToRepeat = /repeat|again|^(what|sorry|pardon)\?/i.test(words.text);
    turns += 1;
    const sent = runner.send(words.text, { eventId: `turn_${turns}` });
    await clock.advance(0);
    const heard = await listen();
    if (ended === null) await sent;
    else await sent.catch(() => undefined);
    return heard;
  };
  const checkTurn = (heard: string): void => {
    if (ended !== null || runner.state.status !== 'active') return;
    if (heard === '') watch.broken('law 1: no turn of the agent is silent', `in ${runner.currentNode}`);
    else if (!asksSomething(heard) && !isWaiting && !/take your time|I will wait/i.test(heard))
      watch.broken('law 1: whoever has the word was asked something', `"${heard}" in ${runner.currentNode}`);
    if (heard === before && heard.includes('?') && !askedToRepeat && !own.has(heard))
      watch.broken('law 2: no question comes twice in the same words', `"${heard}" in ${runner.currentNode}`);
    for (const one of new Set(sentences(heard)))
      // What the model repeats is its own.
      if (!own.has(one) && sentences(heard).filter((other) => other === one).length > 1)
        watch.broken('law 2: no sentence is said twice in one turn', `"${one}" in ${runner.currentNode}`);
    const question = lastQuestion(heard);
    const isLed = sentences(heard).some((one) => one !== question && !sentences(before).includes(one));
    if (question !== '' && question === lastQuestion(before) && !isLed && !askedToRepeat && !own.has(question))
      watch.broken('law 2: no question is put twice in the same words', `"${heard}" in ${runner.currentNode}`);
    before = heard;
  };

  let turns = 0;
  let answers = 0;
  /** The last question that this caller has understood. */
  let open: string | null = null;
  /** What the agent said since the caller last answered: a question that is put again is shorter. */
  let remembered = '';
  let extra = 0;
  let isWaiting = false;
  let refused = false;
  let mayDecline = false;
  void runner.start();
  let heard = await listen();
  checkTurn(heard);
  /** Questions that the caller has made a noise at: each once, so that a patient caller comes to an end. */
  const disturbed = new Set<string>();
  while (ended === null && watch.finding === null && turns < most) {
    if (answerTo(caller, heard, remembered) !== null) open = heard;
    const asked = lastQuestion(heard) || heard;
    if (!disturbed.has(asked) && !/shall we go on\?/i.test(asked)) {
      const planned = talk.noise(answers);
      if (planned.length > 0) disturbed.add(asked);
      for (const noise of planned) if (ended === null && watch.finding === null) await makeNoise(noise, planned.length);
      if (ended !== null || watch.finding !== null) break;
    }
    // Whoever is asked what they mean says again what they have answered, or answers what was asked before.
    const answer = answerTo(caller, heard, remembered) ?? (open === null ? null : answerTo(caller, open, remembered));
    if (answer === null) {
      watch.broken('the caller knows what is asked', `"${heard}" in ${runner.currentNode}`);
      break;
    }
    const manner = talk.manner?.(answers) ?? null;
    answers += 1;
    const heardBefore = heard;
    const slipped = manner === 'slip' ? slipOf(answer, caller.facts) : null;
    if (slipped !== null) {
      checkTurn(await speak(slipped.slip));
      extra += 1;
      if (ended !== null || watch.finding !== null) break;
    }
    heard = await speak(slipped?.correction ?? inManner(manner, answer));
    remembered = isPutAgain(graph, heard) ? `${remembered} ${heardBefore}` : '';
    checkTurn(heard);
  }
  if (ended === null && watch.finding === null)
    watch.broken('every talk ends', `after ${turns} turns in ${runner.currentNode}`);
  if (watch.finding === null) judge();
  void runner.stop('explored').catch(() => undefined);
  void session.close().catch(() => undefined);
  for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
  if (watch.finding === null) {
    const folded = foldLog(watch, new Map([[graph.hash, graph]]), graph, await store.readLog('s'));
    if (!sameValue(folded, runner.state)) watch.broken('the log folds to the state', differences(folded, runner.state));
  }
  note(`        end: ${ended ?? 'none'}, ${turns} turns, ${extra} of them noise, ${requests} requests`);
  return { finding: watch.finding, end: ended, turns, transcript, requests };

  async function makeNoise(noise: Noise, of: number): Promise<void> {
    const words = noiseOf(noise, caller, heard, chance);
    if (words === undefined) return;
    if (words === null) {
      note('caller  (says nothing)');
      // Whoever has asked for time has a minute of it.
      const more = await listen(runner.state.patience ? patienceMs : silenceMs);
      if (more === '') watch.broken('law 4: a silent caller is asked again', `in ${runner.currentNode}`);
      checkTurn(more);
      // Silence at an optional question, once more after something else, leaves it out as well.
      if (of > 1) mayDecline = true;
      remembered = `${remembered} ${heard}`;
      if (more !== '') heard = more;
      return;
    }
    isWaiting = noise === 'wait';
    refused ||= noise === 'no' || noise === 'goodbye';
    // Whoever leaves an optional question unanswered twice may have left it out.
    if (of > 1) mayDecline = true;
    const next = await speak(words);
    extra += 1;
    checkTurn(next);
    isWaiting = false;
    remembered = `${remembered} ${heard}`;
    if (next !== '') heard = noise === 'wait' && !next.includes('?') ? heard : next;
  }

  function inManner(manner: Manner | null, words: Said): Said {
    if (manner === 'otherwise') return inOtherForm(words, chance, talk.model === 'brain');
    return manner === 'both' ? withAnotherFact(words, caller.facts, chance) : words;
  }

  /** What must be true at the end of a talk. */
  function judge(): void {
    // Who says no in between may be taken by their word: any end that the author wrote is right then.
    const isMeant = refused && ended !== caller.ends && meantEnds.has(ended ?? '');
    // A caller who always says no, or a model that calls nothing again and again, is where every ladder ends: in the
    // node that the author names for it, or at once.
    const isStuck = (talk.flaw === 'empty' || talk.flaw === 'wordy') && !hasCalled;
    const isLadder = (refused && ended === 'refused') || (isStuck && (ended === 'no-match' || ended === troubleEnd));
    if (ended !== caller.ends && !isMeant && !isLadder)
      watch.broken('every talk reaches its end', `ended "${ended}" instead of "${caller.ends}"`);
    const writes = ran.filter(({ name }) => name === caller.write?.name);
    if (writes.length > 1) watch.broken('a write is done once', `${writes.length} times`);
    const [write] = writes;
    // Whoever is taken by a no goes another way, which may be longer.
    const spare = (talk.flaw === 'none' ? 0 : talk.cleanTurns) + (isMeant ? talk.cleanTurns : 0);
    if (turns > talk.cleanTurns + 2 * extra + spare)
      watch.broken(
        'a talk takes no more turns than it must',
        `${turns}, ${extra} of them noise, clean ${talk.cleanTurns}`,
      );
    if (caller.write !== undefined && ended === caller.ends && write === undefined && !refused)
      watch.broken('the write of the call is done', caller.write.name);
    const { declined } = runner.state;
    const expected = Object.fromEntries(
      Object.entries(caller.write?.args ?? {}).filter(
        ([name]) => !((mayDecline || refused) && declined.includes(name)),
      ),
    );
    if (write !== undefined && !sameValue(write.args, expected))
      watch.broken(
        'a write gets the right facts',
        `${JSON.stringify(write.args)} instead of ${JSON.stringify(expected)}`,
      );
    // A no in between is the answer to a question of yes or no.
    if (refused) return;
    for (const [name, { value, confirmed, grounded }] of Object.entries(runner.state.slots)) {
      // What was found nowhere and nothing has hung on is known to be unsure.
      if (grounded === false && !confirmed && write?.args[name] === undefined) continue;
      const known = caller.facts[name];
      if (known === undefined ? write !== undefined && write.args[name] !== undefined : !sameValue(known.value, value))
        watch.broken('what is known at the end is true', `${name}: ${JSON.stringify(value)}`);
    }
  }
}

/** Whether what was said puts a question again, without the facts that it is about. */
function isPutAgain({ speech }: Graph, heard: string): boolean {
  const { putAgain, againQuestion } = speech.lines;
  const leads = [...putAgain, ...againQuestion].map((line) => line.split('{question}')[0] ?? '');
  return (
    /sorry|again|pardon|still|so,|then\?|once more/i.test(heard) ||
    leads.some((lead) => lead !== '' && heard.includes(lead))
  );
}

export function authorsEnds(graph: Graph): ReadonlySet<string> {
  return new Set([...graph.nodes.values()].flatMap(({ end }) => (end === null ? [] : [end])));
}

export function lastQuestion(text: string): string {
  return sentences(text).findLast((one) => one.endsWith('?')) ?? '';
}

/** Whether the caller was asked something or told what to do: the last sentence is a question, or one shortly before it is. */
function asksSomething(text: string): boolean {
  return sentences(text)
    .slice(-2)
    .some((one) => one.endsWith('?'));
}

/** What this caller says to what was heard, who remembers what was said shortly `before`. */
function answerTo({ answers, facts }: Caller, heard: string, before: string): Said | null {
  const question = lastQuestion(heard) || heard;
  for (const answer of answers) {
    const words = answer(question, `${before} ${heard}`, facts);
    if (words !== null) return words;
  }
  return null;
}
