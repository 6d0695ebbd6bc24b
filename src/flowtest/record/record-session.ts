import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import type { Json } from '../../model/json.ts';
import type { SettledCall, Signal, UserTurn } from '../../model/signals/signal.ts';
import { scalarText } from '../../flow/expression/same-value.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import type { ReplayOptions } from '../../runner/replay-session.ts';
import { namedSession } from '../../livekit/guards/content-free-line.ts';
import { actOf } from '../../kernel/dialogue/utterance.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { Store } from '../../model/ports/store.ts';
import { standInsOf } from '../play/code-stand-ins.ts';
import type { Scenario, Turn } from '../document/document.ts';
import { type Personal, personalIn, valuesSaid } from './personal-stand-ins.ts';

type Reply = Exclude<NonNullable<Turn['model']>, readonly unknown[] | string>;

/**
 * A stored conversation as a scenario, with stand-ins for personal values, and notes on what could not be converted.
 */
export interface RecordedSession {
  readonly scenario: Scenario;
  readonly notes: readonly string[];
  /** Parts of it came from the configuration, other than tools and handlers: another flow, a hook, a generator. */
  readonly needsConfig: boolean;
  /** How many of its turns were on an older version of the flow, which was changed after them. */
  readonly turnsBefore: number;
}

/** Signals that only project code can cause. Stand-ins for tools and handlers do not cause them. */
const fromCode: ReadonlySet<Signal['type']> = new Set([
  ...(['flow:called', 'flow:handed-off', 'response:decided', 'reply:routed', 'tasks:started'] as const),
  ...(['generator:yielded', 'generator:failed'] as const),
]);

/**
 * Converts a stored conversation to a scenario: the caller's actions, the model's answers, the results of tools,
 * people's decisions, and its end. Values of slots with `pii: true`, and texts that contain one, are replaced.
 * `options` are needed to read its flows again. Throws `session-unknown`.
 */
export async function recordSession(
  store: Store,
  sessionId: string,
  options: ReplayOptions = {},
): Promise<RecordedSession> {
  const kept = await store.sessions.get(sessionId);
  if (kept === null) throw new FlowError('session-unknown', `there is no session "${sessionId}" in this store.`);
  const state = readState(kept.state);
  const log = (await store.steps.list(sessionId)).map(({ signal }) => signal);
  const events = await store.steps.listEvents(sessionId);
  const personal = personalIn(await store.graphs.get(kept.graphHash), log);
  const code = await standInsOf(store, sessionId, log, personal, options);
  const notes = [...personal.notes, ...code.notes];
  const paths = pathsOfTurns(events);
  /** Turns before a change of the flow: they may lead somewhere else now. */
  const onOlderFlow = new Set<string>();
  const pathOf = (eventId: string): readonly string[] =>
    paths.get(eventId)?.slice(onOlderFlow.has(eventId) ? -1 : 0) ?? [];
  let turnsBefore = 0;
  const turns: Recording[] = [];
  let current: Recording = { acts: {}, model: [] };
  let lastAt = 0;
  let given: Pick<Scenario, 'input' | 'timeZone' | 'now'> = {};
  let cut: number | null = null;
  const begin = (acts: Turn, eventId?: string): void =>
    void turns.push((current = { acts, model: [], ...(eventId === undefined ? {} : { eventId }) }));
  for (const signal of log) {
    switch (signal.type) {
      case 'session:started': {
        const { input, timeZone, at } = signal;
        given = {
          now: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
          timeZone,
          ...(Object.keys(input).length === 0 ? {} : { input: personal.value(input) }),
        };
        turns.push(current);
        break;
      }
      case 'user:turn': {
        const { text, via, eventId } = signal;
        const words = personal.words(text, saidIn(signal, log));
        if (via === 'dtmf') begin({ keys: keysPressed(signal, words, personal) }, eventId);
        else if (via === 'proxy') begin({ proxy: { say: words } }, eventId);
        else if (cut !== null) begin({ interrupt: { say: words, afterWords: Math.max(1, cut) } }, eventId);
        else begin({ user: words }, eventId);
        if (via === 'message' || via === 'scheduled')
          notes.push(`a turn came by ${via} (${eventId}), and is one of the caller here`);
        break;
      }
      case 'silence:elapsed':
        begin({ silence: Math.max(0, signal.at - lastAt) });
        break;
      case 'wait:resolved':
        begin({ decide: { resolution: personal.value(signal.resolution) } });
        break;
      case 'wait:expired':
        begin({ advance: Math.max(0, signal.at - lastAt) });
        break;
      case 'session:resumed':
        if (signal.silent !== true) begin({ crash: true });
        break;
      case 'takeover:started':
        begin({ takeover: 'start' });
        break;
      case 'takeover:said':
        begin({ takeover: { say: personal.words(signal.text) } });
        break;
      case 'takeover:ended':
        begin({ takeover: 'end' });
        break;
      case 'batch:settled':
        if (signal.reply !== null) current.model.push(...replyOf(signal.text, signal.calls, personal));
        break;
      case 'reply:failed':
        // A request that fails immediately is repeated once.
        current.model.push({ fails: true }, { fails: true });
        break;
      case 'speech:settled':
        cut =
          signal.state === 'done' || signal.heard === signal.text
            ? null
            : signal.heard.split(/\s+/).filter(Boolean).length;
        break;
      case 'flow:swapped':
        for (const { eventId } of turns) if (eventId !== undefined) onOlderFlow.add(eventId);
        if (signal.stays === true) turnsBefore = turns.filter(isTurn).length;
        notes.push(
          signal.stays === true
            ? 'the flow was changed in the middle of the conversation: the test plays all of it on the flow as it is now'
            : 'flow:swapped came from code, and is not part of the test',
        );
        break;
      case 'node:requested':
      case 'limit:reached':
        notes.push(`${signal.type} came from code, and is not part of the test`);
        break;
      default:
        break;
    }
    if (signal.type === 'user:turn' || signal.type === 'silence:elapsed') cut = null;
    // A change of the flow is not played, so the time before it counts as well.
    if (signal.type !== 'flow:swapped') lastAt = signal.at;
  }
  const end = events.findLast((event) => event.type === 'flow:ended');
  const outcome = end?.type === 'flow:ended' ? end.data.reason : null;
  const slots = Object.entries(state.knowledge.slots).map(
    ([name, { value }]) => [name, personal.slot(name, value)] as const,
  );
  const known = slots.length === 0 ? {} : { slots: Object.fromEntries(slots) };
  // A caller who only hung up left no end reason of the flow.
  const isLeft = outcome === 'caller-left' || outcome === 'simulation-over' || outcome === 'quit';
  return {
    notes: [...new Set(notes)],
    turnsBefore,
    needsConfig: log.some((signal) => fromCode.has(signal.type) || isDecidedByCode(signal)),
    scenario: withoutTelephone(sessionId, {
      name: sessionId,
      ...given,
      tools: code.standIns,
      turns: turns.flatMap((one, index) => toTurn(one, expected(one, turns[index + 1], pathOf))),
      finally: { ...(outcome === null || isLeft ? { node: state.position.node } : { outcome }), ...known },
    }),
  };
}

/** A session may be named after the telephone number of its caller, and the keys of its calls begin with that name. */
function withoutTelephone(sessionId: string, scenario: Scenario): Scenario {
  const shown = namedSession(sessionId, () => 'telephone');
  const inText = (text: string): string => JSON.stringify(text).slice(1, -1);
  const text = JSON.stringify(scenario).replaceAll(`${inText(sessionId)}/`, () => `${inText(shown)}/`);
  // The same scenario, with some changed texts.
  return { ...(JSON.parse(text) as Scenario), name: `the conversation ${shown.replaceAll(/[^\w-]/g, '-')}` };
}

/** Returns the keys of a turn, or stand-ins for digits that the log does not contain. */
function keysPressed({ utterance }: UserTurn, words: string, personal: Personal): string {
  if (/^[0-9*#A-D]+$/.test(words)) return words;
  const entered = actOf(utterance, 'enter');
  const standIn = entered?.value === undefined ? '' : (scalarText(personal.slot(entered.slot, entered.value)) ?? '');
  return standIn.replaceAll(/\D/g, '') || '0';
}

/** A hook or the router has decided about a turn. */
function isDecidedByCode(signal: Signal): boolean {
  return signal.type === 'user:turn' && signal.policy !== undefined && signal.policy.by !== 'command';
}

interface Recording {
  readonly acts: Turn;
  readonly model: Reply[];
  /** The id of the caller's words. */
  readonly eventId?: string;
}

/** Before the first turn, the model may not have said anything. */
function isTurn({ acts, model }: Recording): boolean {
  return model.length > 0 || Object.keys(acts).length > 0;
}

function toTurn({ acts, model }: Recording, expect: Pick<Turn, 'expect'>): readonly Turn[] {
  if (!isTurn({ acts, model })) return [];
  if (model.length === 0) return [{ ...acts, ...expect }];
  const [only] = model;
  return [{ ...acts, model: model.length === 1 && only !== undefined ? only : model, ...expect }];
}

/**
 * The node that a turn of the caller led to, so that a test fails at the turn that took another path. Nothing is
 * expected of a turn that was interrupted, or that was followed by something other than the caller.
 */
function expected(
  { eventId }: Recording,
  next: Recording | undefined,
  pathOf: (eventId: string) => readonly string[],
): Pick<Turn, 'expect'> {
  const path = eventId === undefined ? [] : pathOf(eventId);
  const node = path.at(-1);
  const isFollowed = next === undefined || (next.eventId !== undefined && next.acts.interrupt === undefined);
  if (node === undefined || !isFollowed) return {};
  // The last node does not show which nodes spoke before it, such as a question in between.
  return { expect: path.length > 1 ? { path: [...path] } : { node } };
}

/**
 * The nodes that each turn of the caller's entered, by the id of its words. The last one is the node in which it ended.
 * If the turn passed through another flow, it has only that last node. If it ended in another flow, it has none.
 */
function pathsOfTurns(events: readonly Event[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>();
  const first = events.find(({ type }) => type === 'node:entered')?.flowId;
  let here: string | null = null;
  let turn: string | null = null;
  let entered: (string | null)[] = [];
  for (const event of events) {
    if (event.type === 'turn:started') [turn, entered] = [event.data.eventId, []];
    if (event.type === 'node:entered') {
      here = event.flowId === first ? (event.nodeId ?? null) : null;
      entered.push(here);
    }
    if (turn === null) continue;
    const own = entered.filter((node) => node !== null);
    if (here === null) paths.delete(turn);
    else paths.set(turn, own.length < entered.length || own.length === 0 ? [here] : own);
  }
  return paths;
}

function replyOf(text: string, calls: readonly SettledCall[], personal: Personal): readonly Reply[] {
  const say = text.trim() === '' ? {} : { say: personal.words(text.trim()) };
  const made = calls.map(({ name, arguments: args }) => ({ name, args: personal.args(args) }));
  const [only] = made;
  if (made.length === 0) return Object.keys(say).length === 0 ? [] : [say];
  if (made.length === 1 && only !== undefined)
    return [
      { ...say, ...(only.name === recordFunctionName ? { record: only.args } : { call: only.name, args: only.args }) },
    ];
  return [{ ...say, calls: made.map(({ name, args }) => ({ call: name, args })) }];
}

/**
 * The values in the words of a turn: the arguments that a model made of them, or else the values that rules have read.
 */
function saidIn(turn: UserTurn, log: readonly Signal[]): ReturnType<typeof readFrom> {
  const made = readFrom(turn, log);
  return made.length > 0 ? made : valuesSaid(turn);
}

/** The values that a model read from the words of a turn, as arguments of its calls. */
function readFrom(turn: Signal, log: readonly Signal[]): readonly (readonly [string, Json])[] {
  const rest = log.slice(log.indexOf(turn) + 1);
  const next = rest.findIndex(({ type }) => type === 'user:turn');
  const mine = next < 0 ? rest : rest.slice(0, next);
  return mine.flatMap((signal) =>
    signal.type === 'batch:settled' ? signal.calls.flatMap(({ arguments: args }) => Object.entries(args)) : [],
  );
}
