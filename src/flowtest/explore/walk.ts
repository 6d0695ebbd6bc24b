import type { JsonObject } from '../../model/json.ts';
import type { Graph, GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { waitOf } from '../../kernel/state/draft.ts';
import { transferOutcomes } from '../../model/transfer.ts';
import { isAskedAgain } from '../../kernel/state/slots.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Random } from '../../model/ports/time.ts';
import { createMemoryStore } from '../../store/memory/store.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { createSeededRandom } from '../../testing/seeded-random.ts';
import { arrowOf } from '../arrows.ts';
import type { Scenario, ToolStandIn, Turn } from '../document/document.ts';
import type { OpenedFlow } from '../opened-test.ts';
import { takenIn } from '../record/record.ts';
import { actOutside } from '../play/outside-acts.ts';
import { openWorld, type ScenarioWorld } from '../play/scenario-world.ts';
import { createScriptedReplies } from '../play/scripted-replies.ts';
import { argumentsFor, pick, sampleFor } from './sample-values.ts';
import { outcomesOf } from './tool-outcomes.ts';

type Reply = Exclude<NonNullable<Turn['model']>, readonly unknown[]>;

/** How often each transition was taken. A walk prefers those that were taken least. */
export type WayCounts = Map<string, number>;

/** A result that no conversation should reach. */
export interface Finding {
  readonly message: string;
  /** The expectation in a test that shows it. */
  readonly shows: Pick<Scenario, 'never'> | { readonly expect: NonNullable<Turn['expect']> };
}

/** A random conversation, as the turns of a scenario. */
export interface Walk {
  readonly seed: number;
  readonly turns: readonly Turn[];
  readonly tools: Readonly<Record<string, ToolStandIn>>;
  readonly finding: Finding | null;
  /** Nodes and transitions that it covered. */
  readonly ways: ReadonlySet<string>;
  readonly ended: string | null;
  readonly node: string;
  /** The node after each of the turns. */
  readonly stops: readonly string[];
}

/** The beginning of an earlier walk, which another walk continues. */
export interface Beginning {
  readonly turns: readonly Turn[];
  readonly tools: Readonly<Record<string, ToolStandIn>>;
}

export const exploreStart = Date.UTC(2030, 0, 7, 9);
const mostTurns = 30;
/** The answer of a model that has nothing to do. */
const idle = 'Well.';

interface Act {
  readonly turn: Turn;
  readonly replies: readonly Reply[];
  readonly tools: Readonly<Record<string, ToolStandIn>>;
  /** The transitions that it may lead to. */
  readonly ways: readonly string[];
}

/**
 * Walks once through a flow: a caller who answers, asks, refuses and is silent at random, and tools with random
 * results. The walk ends with the flow, with a finding, after 30 turns, or with the turn in which the time is up.
 */
export async function walk(
  flow: OpenedFlow,
  seed: number,
  counts: WayCounts,
  beginning: Beginning | null,
  isTimeLeft: () => boolean,
): Promise<Walk> {
  const random = createSeededRandom(seed);
  const { graph } = flow;
  let planned: Reply[] = [];
  let said: Reply[] = [];
  const replies = createScriptedReplies({});
  const answer = (): Reply => {
    const reply = planned.shift() ?? idle;
    said.push(reply);
    return reply;
  };
  const own = createScriptedReplies({});
  const first = beginning?.tools ?? toolsNow(graph, random, counts);
  const world = await openWorld({
    sessionId: 'explored',
    startAt: exploreStart,
    openStore: async (clock) => createMemoryStore({ clock }),
    runner: { ...flow.runner, timeZone: 'UTC' },
    code: flow,
    schedules: [],
    clerkLooksEveryMs: undefined,
    standIns: first,
    replies,
    modelOn: (clock) =>
      new ScriptedModel(
        (request) => {
          own.begin(0, [answer()]);
          return own.answer(request);
        },
        { clock },
      ),
    wordMs: () => 0,
    graceMs: 30_000,
    crash: null,
    isLive: false,
  });
  const turns: Turn[] = [];
  const stops: string[] = [];
  let stubborn: { readonly act: Act; left: number } | null = null;
  let finding: Finding | null = null;
  try {
    world.begin(0, [], {});
    await world.start();
    const greeting = await world.rest();
    if (greeting !== null) finding = stuck(greeting);
    if (said.length > 0) {
      turns.push({ model: said });
      stops.push(world.state.position.node);
    }
    const known = (beginning?.turns ?? []).slice(turns.length);
    while (finding === null && world.ended === null && turns.length < mostTurns && isTimeLeft()) {
      const again = known.shift();
      const act: Act =
        again === undefined ? (stubborn?.act ?? choose(graph, world.state, random, counts)) : actOf(again);
      if (stubborn !== null && (stubborn.left -= 1) <= 0) stubborn = null;
      else if (stubborn === null && again === undefined && random.next() < 0.04) stubborn = { act, left: 5 };
      planned = [...act.replies];
      said = [];
      world.begin(turns.length + 1, [], act.tools);
      const problem = (await perform(world, act.turn, `turn-${turns.length + 1}`)) ?? (await world.rest());
      turns.push({
        ...act.turn,
        ...(said.length === 0 ? {} : { model: said }),
        ...(Object.keys(act.tools).length === 0 ? {} : { tools: act.tools }),
      });
      stops.push(world.ended === null ? world.state.position.node : '');
      finding = problem === null ? findingIn(world, turns.length) : stuck(problem);
    }
    for (const way of waysOf(flow, world)) counts.set(way, (counts.get(way) ?? 0) + 1);
    const state = world.lastState;
    return {
      seed,
      turns,
      stops,
      tools: first,
      finding,
      ways: waysOf(flow, world),
      ended: world.ended,
      node: state.position.node,
    };
  } finally {
    await world.close();
  }
}

function stuck(message: string): Finding {
  return { message, shows: { never: [{ event: 'flow:stuck' }] } };
}

/** Checks for states that must not exist after a turn of a caller. */
function findingIn(world: ScenarioWorld, turn: number): Finding | null {
  const events = world.record.events.filter((one) => one.turn === turn).map(({ event }) => event);
  if (events.some(({ type }) => type === 'flow:stuck'))
    return { message: 'the flow got stuck', shows: { never: [{ event: 'flow:stuck' }] } };
  const isHeard = world.record.lines.some((line) => line.turn === turn && line.who === 'agent' && line.text !== '');
  const isAsked = events.some(({ type }) => type === 'turn:started');
  if (isAsked && !isHeard && world.ended === null)
    return { message: 'the caller said something and heard nothing', shows: { expect: { said: '/\\S/' } } };
  return null;
}

async function perform(world: ScenarioWorld, turn: Turn, id: string): Promise<string | null> {
  const { user, silence, transfer } = turn;
  if (typeof user === 'string') return world.say(user, user, id, 'text');
  if (silence !== undefined) await world.pass(Number(silence));
  if (transfer !== undefined) {
    const did = await actOutside(world, turn, 0);
    return typeof did === 'string' ? did : null;
  }
  return null;
}

/** A turn of an earlier walk, played again. */
function actOf({ model = [], tools = {}, ...turn }: Turn): Act {
  return { turn, tools, replies: Array.isArray(model) ? model : [model], ways: [] };
}

/** The results of all tools from now on, usually results that lead to new places. */
function toolsNow(graph: Graph, random: Random, counts: WayCounts): Readonly<Record<string, ToolStandIn>> {
  const own = [...graph.nodes.values()].flatMap((node) =>
    node.functions.flatMap((one) => toolFor(graph, one, random, counts, node.id)),
  );
  const everywhere = graph.functions.flatMap((one) => toolFor(graph, one, random, counts));
  // A tool that several nodes offer gets a result that is new for one of them.
  return Object.fromEntries([...everywhere, ...own].toSorted(() => random.next() - 0.5));
}

/** Nodes by their ids, and transitions by their indexes among the arrows. */
function waysOf({ arrows }: OpenedFlow, { record }: ScenarioWorld): ReadonlySet<string> {
  const events = record.events.map(({ event }) => event);
  const nodes = events.flatMap((event) => (event.type === 'node:entered' ? [`node ${event.nodeId}`] : []));
  const ways = takenIn(events).flatMap((taken) => {
    const arrow = arrowOf(arrows, taken);
    return arrow === undefined ? [] : [wayOf(arrow.from, arrow.function ?? arrow.cause, arrow.to, arrow.edge)];
  });
  return new Set([...nodes, ...ways]);
}

export function wayOf(from: string | null, by: string, to: string, edge?: number): string {
  return `${from ?? '*'} ${by} ${to}${edge === undefined ? '' : ` ${edge}`}`;
}

/** The result of a tool from now on, usually a result that leads to new places. */
function toolFor(
  graph: Graph,
  one: GraphFunction,
  random: Random,
  counts: WayCounts,
  from: string | null = null,
): readonly (readonly [string, ToolStandIn])[] {
  if (one.body !== 'tool') return [];
  const outcomes = outcomesOf(graph, one);
  const sound = outcomes.filter(({ standIn }) => standIn.returns !== undefined);
  const among = random.next() < 0.9 ? sound : outcomes;
  const rarest = least(among, ({ to }) => (to === null ? 0 : (counts.get(wayOf(from, one.name, to)) ?? 0)));
  const outcome = random.next() < 0.6 ? rarest : pick(random, among);
  return outcome === undefined ? [] : [[one.handler, outcome.standIn]];
}

function least<One>(all: readonly One[], amount: (one: One) => number): One | undefined {
  return all.toSorted((one, other) => amount(one) - amount(other))[0];
}

/** Chooses the next action of the caller. */
function choose(graph: Graph, state: SessionState, random: Random, counts: WayCounts): Act {
  const node = nodeOf(graph, state, state.position.node);
  const acts = node === null ? [] : actsIn(graph, node, state, random);
  const rarest = least(acts, ({ ways }) =>
    ways.length === 0 ? 1.5 : Math.min(...ways.map((way) => counts.get(way) ?? 0)),
  );
  const act = (random.next() < 0.6 ? rarest : pick(random, acts)) ?? simple('I see');
  return random.next() < 0.5 ? { ...act, tools: toolsNow(graph, random, counts) } : act;
}

function simple(user: string, reply: Reply | null = null, ways: readonly string[] = []): Act {
  return { turn: { user }, replies: reply === null ? [] : [reply], tools: {}, ways };
}

function actsIn(graph: Graph, node: GraphNode, state: SessionState, random: Random): readonly Act[] {
  const isAsked = Object.values(state.effects).some(
    (effect) => effect.kind === 'wait' && effect.payload.wait === 'confirm',
  );
  const yesNo = [simple('yes please'), simple('no')];
  if (isAsked && random.next() < 0.75) return random.next() < 0.7 ? [yesNo[0] ?? simple('yes')] : yesNo;
  const transfers = transferActs(node, state);
  if (transfers.length > 0 && random.next() < 0.75) return transfers;
  const unknown = node.collect.filter(
    (name) => !Object.hasOwn(state.knowledge.slots, name) || isAskedAgain(graph, state, node, name),
  );
  const some = unknown.slice(0, 1 + Math.floor(random.next() * unknown.length));
  const others = [...graph.slots.keys()].filter((name) => random.next() < 0.06 && !some.includes(name));
  const recorded = [...some, ...others].flatMap((name) => {
    const slot = graph.slots.get(name);
    return slot === undefined ? [] : [[name, sampleFor(slot, random, exploreStart)] as const];
  });
  const record: JsonObject = Object.fromEntries(recorded.map(([name, { value }]) => [name, value]));
  const told = recorded.map(([, { words }]) => words).join(', ');
  const answers = recorded.length === 0 ? [] : [simple(told, { record })];
  const calls = [...node.functions, ...graph.functions].flatMap((one): readonly Act[] => {
    if (one.body === 'record' || one.body === 'answer' || one.name === node.call?.function) return [];
    const { args, words } = argumentsFor(graph, one, random, exploreStart);
    const said = [one.description.replace(/^The caller /, 'I am one who ').split('.')[0], ...words].join(', ');
    const own = node.functions.includes(one);
    const targets =
      one.target === null ? [] : one.target.kind === 'node' ? [one.target.to] : [...one.target.cases.values()];
    const ways = targets.map((to) => wayOf(own ? node.id : null, one.name, to));
    const call = Object.keys(args).length === 0 ? { call: one.name } : { call: one.name, args };
    return [simple(said, call, ways)];
  });
  const rare: readonly Act[] =
    random.next() < 0.15
      ? [
          { turn: { silence: 20_000 }, replies: [], tools: {}, ways: [] },
          simple('hm, well, the weather'),
          simple('are you there', { fails: true }),
        ]
      : [];
  // A value that the caller gives at any time can make a condition true.
  const meant = node.edges.flatMap(({ when, to, index }): readonly Act[] =>
    (when?.references ?? []).flatMap(({ path: [name = ''] }): readonly Act[] => {
      const slot = graph.slots.get(name);
      if (slot === undefined) return [];
      const { value, words } = sampleFor(slot, random, exploreStart);
      return [simple(words, { record: { [name]: value } }, [wayOf(node.id, 'edge', to, index)])];
    }),
  );
  // A caller who is asked for something usually answers.
  return [...answers, ...answers, ...meant, ...(random.next() < 0.4 ? yesNo : []), ...calls, ...rare];
}

/** The outcomes of an open transfer. */
function transferActs(node: GraphNode, state: SessionState): readonly Act[] {
  if (node.interrupt?.isTransfer !== true || waitOf(state, node.id) === undefined) return [];
  return transferOutcomes.map((transfer): Act => {
    const to = node.interrupt?.leadsTo.find(({ outcome }) => outcome === transfer)?.to ?? node.defaultTransition;
    const cause = to === node.defaultTransition ? 'default' : 'outcome';
    return { turn: { transfer }, replies: [], tools: {}, ways: to === null ? [] : [wayOf(node.id, cause, to)] };
  });
}
