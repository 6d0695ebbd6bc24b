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
import { createRunner } from '../../../src/runner/flow-runner.ts';
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

/** A conversation to play. */
export interface Talk {
  readonly seed: number;
  readonly caller: Caller;
  /** The noises before each answer of the caller. */
  readonly noise: (turn: number) => readonly Noise[];
  /** The manner of each answer; plain if absent. */
  readonly manner?: (turn: number) => Manner | null;
  readonly flaw: Flaw;
  /** Caller turns in the same talk without noise or flaw. */
  readonly cleanTurns: number;
  /** Replaces the pipeline model of `flaw`: the offline brain, or a realtime model with the same flaw. */
  readonly model?: ModelKind;
}

/** A yes in other words, two facts in one answer, or a slip of the tongue that the next turn corrects. */
export const manners = ['otherwise', 'both', 'slip'] as const;
export type Manner = (typeof manners)[number];

export interface Outcome {
  readonly finding: Finding | null;
  readonly end: string | null;
  /** Number of the caller's turns. */
  readonly turns: number;
  readonly transcript: readonly string[];
  readonly requests: number;
}

export const today = '2026-11-21';
/** How long a silent caller stays silent: long enough to be prompted once. */
const silenceMs = 8_000;
/** The same for a caller who asked for time. */
const patienceMs = 60_000;
/** Maximum caller turns in a talk. */
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

/** Returns the source of a caller's flow: a folder of `flows/`, or the first flow in the README. */
export function sourceOf(flow: Caller['flow']): string {
  if (flow !== 'bike-service') return join(import.meta.dirname, '../../../flows', flow, 'flow.yaml');
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, document] = /```yaml[^\n]*\n(name: bike-service\n[\s\S]*?)```/.exec(readme) ?? [];
  if (document === undefined) throw new Error('README.md shows no flow named bike-service.');
  return document;
}

const graphs = new Map<Caller['flow'], Graph>();

/** Returns a caller's flow, compiled once for all talks. */
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

/** The parts that the talks of one flow share, like the calls of a worker. */
function sharedOf(flow: Caller['flow']): SharedFlows {
  const known = sharedFlows.get(flow) ?? createSharedFlows();
  sharedFlows.set(flow, known);
  return known;
}

interface Ran {
  readonly name: string;
  readonly args: JsonObject;
}

/** Plays one conversation on a real AgentSession under virtual time and returns the first broken law. */
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
  /** The model's own words, which may be repeated. */
  const own = new Set<string>();
  let requests = 0;
  /** Whether the model's last reply contained a call. */
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
  // Words arrive as text. Silence is measured as for a caller by voice.
  session.input.audio = new OpenMicrophone();
  const store = createMemoryStore({ clock });
  const runner = createRunner({
    session,
    // The document is plain JSON, as in a store.
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

  /** Lets the agent speak until it is idle. Returns what was heard. */
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
      // The model may repeat its own words.
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
  /** The last question that the caller has understood. */
  let open: string | null = null;
  /** The agent's words since the caller's last answer. A repeated question is shorter than the first. */
  let remembered = '';
  let extra = 0;
  let isWaiting = false;
  let refused = false;
  let mayDecline = false;
  void runner.start();
  let heard = await listen();
  checkTurn(heard);
  /** Questions that the caller has disturbed. Each is disturbed once, so that the talk can end. */
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
    // If asked for the meaning, the caller repeats the last answer or answers the previous question.
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
    const folded = foldLog(watch, new Map([[graph.hash, graph]]), graph, await store.steps.list('s'));
    if (!sameValue(folded, runner.state)) watch.broken('the log folds to the state', differences(folded, runner.state));
  }
  note(`        end: ${ended ?? 'none'}, ${turns} turns, ${extra} of them noise, ${requests} requests`);
  return { finding: watch.finding, end: ended, turns, transcript, requests };

  async function makeNoise(noise: Noise, of: number): Promise<void> {
    const words = noiseOf(noise, caller, heard, chance);
    if (words === undefined) return;
    if (words === null) {
      note('caller  (says nothing)');
      // A caller who asked for time gets a minute.
      const more = await listen(runner.state.dialogue.patience ? patienceMs : silenceMs);
      if (more === '') watch.broken('law 4: a silent caller is asked again', `in ${runner.currentNode}`);
      checkTurn(more);
      // A second silence at an optional question also skips it.
      if (of > 1) mayDecline = true;
      remembered = `${remembered} ${heard}`;
      if (more !== '') heard = more;
      return;
    }
    isWaiting = noise === 'wait';
    refused ||= noise === 'no' || noise === 'goodbye';
    // An optional question that is left unanswered twice may be skipped.
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

  /** Checks the laws for the end of a talk. */
  function judge(): void {
    // A no in between may be taken literally. Then any end that the author wrote is correct.
    const isMeant = refused && ended !== caller.ends && meantEnds.has(ended ?? '');
    // If the caller always says no, or the model never calls a function, every ladder ends: at the node that the author
    // names, or at once.
    const isStuck = (talk.flaw === 'empty' || talk.flaw === 'wordy') && !hasCalled;
    const isLadder = (refused && ended === 'refused') || (isStuck && (ended === 'no-match' || ended === troubleEnd));
    if (ended !== caller.ends && !isMeant && !isLadder)
      watch.broken('every talk reaches its end', `ended "${ended}" instead of "${caller.ends}"`);
    const writes = ran.filter(({ name }) => name === caller.write?.name);
    if (writes.length > 1) watch.broken('a write is done once', `${writes.length} times`);
    const [write] = writes;
    // A caller whose no was taken literally goes another way, which may be longer.
    const spare = (talk.flaw === 'none' ? 0 : talk.cleanTurns) + (isMeant ? talk.cleanTurns : 0);
    if (turns > talk.cleanTurns + 2 * extra + spare)
      watch.broken(
        'a talk takes no more turns than it must',
        `${turns}, ${extra} of them noise, clean ${talk.cleanTurns}`,
      );
    if (caller.write !== undefined && ended === caller.ends && write === undefined && !refused)
      watch.broken('the write of the call is done', caller.write.name);
    const { declined } = runner.state.knowledge;
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
    // A no in between answers a yes-or-no question.
    if (refused) return;
    for (const [name, { value, confirmed, grounded }] of Object.entries(runner.state.knowledge.slots)) {
      // A value without evidence that nothing depends on is known to be unsure.
      if (grounded === false && !confirmed && write?.args[name] === undefined) continue;
      const known = caller.facts[name];
      if (known === undefined ? write !== undefined && write.args[name] !== undefined : !sameValue(known.value, value))
        watch.broken('what is known at the end is true', `${name}: ${JSON.stringify(value)}`);
    }
  }
}

/** Whether the words repeat a question without the facts that it is about. */
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

/** Whether the caller has a question or an instruction to respond to: one of the last sentences is a question. */
function asksSomething(text: string): boolean {
  return sentences(text)
    .slice(-2)
    .some((one) => one.endsWith('?'));
}

/** Returns the caller's answer to what was heard. `before` is what was heard shortly before. */
function answerTo({ answers, facts }: Caller, heard: string, before: string): Said | null {
  const question = lastQuestion(heard) || heard;
  for (const answer of answers) {
    const words = answer(question, `${before} ${heard}`, facts);
    if (words !== null) return words;
  }
  return null;
}
