import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createTools as clinicTools } from '../../../flows/clinic-intake/tools.ts';
import { createTools as restaurantTools } from '../../../flows/restaurant-booking/tools.ts';
import { createTools as supportTools } from '../../../flows/support-triage/tools.ts';
import { createMemoryStore } from '../../../src/durable/memory-store.ts';
import type { JsonObject } from '../../../src/events/json.ts';
import { sameValue } from '../../../src/expression/same-value.ts';
import type { Graph } from '../../../src/graph/graph.ts';
import { checkFlow } from '../../../src/load/check-flow.ts';
import { builtinCatalog } from '../../../src/nodes/builtin.ts';
import { FlowRunner } from '../../../src/runner/flow-runner.ts';
import { OfflineBrain } from '../../../src/session/brain/offline-brain.ts';
import { createTextSession } from '../../../src/session/text-session.ts';
import { unregisteredTool } from '../../../src/session/tools/flow-tool.ts';
import { declarationsOf } from '../../../src/session/tools/function-tool.ts';
import { createCountingIds } from '../../../src/testing/counting-ids.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { createChance } from '../chance.ts';
import { differences, foldLog } from '../fold-log.ts';
import { createWatch, type Finding } from '../watch.ts';
import type { Caller } from './callers.ts';
import { type Flaw, replyOf } from './model.ts';
import { type Noise, noiseOf } from './noise.ts';
import { type Meaning, type Said, said } from './said.ts';

/** A conversation to be held. */
export interface Talk {
  readonly seed: number;
  readonly caller: Caller;
  /** The noise before each answer of the caller; null for none. */
  readonly noise: (turn: number) => Noise | null;
  readonly flaw: Flaw;
  /** How many turns this caller needs where nobody errs. */
  readonly cleanTurns: number;
  /** `brain` is the offline brain instead of the model of `flaw`. */
  readonly model?: 'brain';
}

export interface Outcome {
  readonly finding: Finding | null;
  readonly end: string | null;
  /** How often the caller spoke. */
  readonly turns: number;
  readonly transcript: readonly string[];
  readonly requests: number;
}

const today = '2026-11-21';
/** No conversation takes so many turns of its caller. */
const most = 60;

type Tools = Record<string, (args: unknown, call: { readonly key: string }) => Promise<unknown>>;

function toolsOf(flow: Caller['flow']): Tools {
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
function sourceOf(flow: Caller['flow']): string {
  if (flow !== 'bike-service') return join(import.meta.dirname, '../../../flows', flow, 'flow.yaml');
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, document] = /```yaml\n(name: bike-service\n[\s\S]*?)```/.exec(readme) ?? [];
  if (document === undefined) throw new Error('README.md shows no flow named bike-service.');
  return document;
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
    unregisteredTool({
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
  const source = sourceOf(caller.flow);
  const { graph } = checkFlow(source, {
    catalog: builtinCatalog,
    functions: new Set(handlers),
    handlers: new Set(handlers),
    declared: declarationsOf(tools),
  });
  if (graph === null) throw new Error(`${caller.flow} does not compile`);
  const meanings = new Map<string, Meaning>();
  /** What the model has said by itself: its own words may come twice. */
  const own = new Set<string>();
  const scripted = new ScriptedModel(
    (request) => {
      const reply = replyOf(request, { graph: graphNow(), state: runner.state, meanings }, talk.flaw, chance);
      if (reply.text !== undefined) own.add(reply.text);
      note(
        `        [${(reply.calls ?? []).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args ?? {})}`).join(', ')}${reply.text ? ` "${reply.text}"` : ''}]`,
      );
      return reply;
    },
    { clock },
  );
  const model = talk.model === 'brain' ? new OfflineBrain() : scripted;
  const session = createTextSession(model);
  const store = createMemoryStore({ clock });
  const runner = new FlowRunner({
    session,
    flow: source,
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
  const graphNow = (): Graph => graph;
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
  void runner.start();
  let heard = await listen();
  checkTurn(heard);
  /** Questions that the caller has made a noise at: each once, so that a patient caller comes to an end. */
  const disturbed = new Set<string>();
  while (ended === null && watch.finding === null && turns < most) {
    if (answerTo(caller, heard, remembered) !== null) open = heard;
    const noise = talk.noise(answers);
    const asked = lastQuestion(heard) || heard;
    if (noise !== null && !disturbed.has(asked) && !/shall we go on\?/i.test(asked)) {
      disturbed.add(asked);
      const words = noiseOf(noise, caller, heard, chance);
      if (words === null) {
        note('caller  (says nothing)');
        await clock.advance(20_000);
        const more = lines.length > 0 ? await listen() : heard;
        if (more !== '') heard = more;
      } else if (words !== undefined) {
        isWaiting = noise === 'wait';
        refused ||= noise === 'no';
        const next = await speak(words);
        extra += 1;
        checkTurn(next);
        isWaiting = false;
        if (ended !== null || watch.finding !== null) break;
        remembered = `${remembered} ${heard}`;
        if (next !== '') heard = noise === 'wait' && !next.includes('?') ? heard : next;
      }
      if (ended !== null) break;
    }
    // Whoever is asked what they mean says again what they have answered, or answers what was asked before.
    const answer = answerTo(caller, heard, remembered) ?? (open === null ? null : answerTo(caller, open, remembered));
    if (answer === null) {
      watch.broken('the caller knows what is asked', `"${heard}" in ${runner.currentNode}`);
      break;
    }
    answers += 1;
    const heardBefore = heard;
    heard = await speak(answer);
    remembered = isPutAgain(heard) ? `${remembered} ${heardBefore}` : '';
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
  note(`        end: ${ended ?? 'none'}, ${turns} turns, ${extra} of them noise, ${scripted.requests.length} requests`);
  return { finding: watch.finding, end: ended, turns, transcript, requests: scripted.requests.length };

  /** What must be true at the end of a talk. */
  function judge(): void {
    // Who says no in between may be taken by their word: any end that the author wrote is right then.
    if (ended !== caller.ends && !(refused && authorsEnds(graphNow()).has(ended ?? '')))
      watch.broken('every talk reaches its end', `ended "${ended}" instead of "${caller.ends}"`);
    const writes = ran.filter(({ name }) => name === caller.write?.name);
    if (writes.length > 1) watch.broken('a write is done once', `${writes.length} times`);
    const [write] = writes;
    if (turns > talk.cleanTurns + 2 * extra + (talk.flaw === 'none' ? 0 : talk.cleanTurns))
      watch.broken(
        'a talk takes no more turns than it must',
        `${turns}, ${extra} of them noise, clean ${talk.cleanTurns}`,
      );
    if (caller.write !== undefined && ended === caller.ends && write === undefined && !refused)
      watch.broken('the write of the call is done', caller.write.name);
    if (write !== undefined && caller.write !== undefined && !sameValue(write.args, caller.write.args))
      watch.broken(
        'a write gets the right facts',
        `${JSON.stringify(write.args)} instead of ${JSON.stringify(caller.write.args)}`,
      );
    // A no in between is the answer to a question of yes or no.
    if (refused) return;
    for (const [name, { value }] of Object.entries(runner.state.slots)) {
      const known = caller.facts[name];
      if (known === undefined ? write !== undefined && write.args[name] !== undefined : !sameValue(known.value, value))
        watch.broken('what is known at the end is true', `${name}: ${JSON.stringify(value)}`);
    }
  }
}

/** Whether what was said puts a question again, without the facts that it is about. */
function isPutAgain(heard: string): boolean {
  return /sorry|again|pardon|still|so,|then\?|once more/i.test(heard);
}

function authorsEnds(graph: Graph): ReadonlySet<string> {
  return new Set([...graph.nodes.values()].flatMap(({ end }) => (end === null ? [] : [end])));
}

function sentences(text: string): readonly string[] {
  return text.match(/[^.!?]+[.!?]+/g)?.map((one) => one.trim()) ?? [];
}

function lastQuestion(text: string): string {
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
