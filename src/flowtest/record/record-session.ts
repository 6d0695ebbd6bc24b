import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import type { Json } from '../../model/json.ts';
import type { SettledCall, Signal, UserTurn } from '../../model/signals/signal.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import type { ReplayOptions } from '../../runner/replay-session.ts';
import { namedSession } from '../../livekit/guards/content-free-line.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { Store } from '../../model/ports/store.ts';
import { standInsOf } from '../play/code-stand-ins.ts';
import type { Scenario, Turn } from '../document/document.ts';
import { type Personal, personalIn, valuesSaid } from './personal-stand-ins.ts';

type Reply = Exclude<NonNullable<Turn['model']>, readonly unknown[] | string>;

/** A stored conversation as a scenario, with stand-ins for what is personal, and what could not be taken over. */
export interface RecordedSession {
  readonly scenario: Scenario;
  readonly notes: readonly string[];
  /** Something of it came from the configuration, besides tools and handlers: another flow, a hook, a generator. */
  readonly needsConfig: boolean;
  /** How many of its turns were on an older version of the flow, which was changed after them. */
  readonly turnsBefore: number;
}

/** What only code of a project does to a conversation; stand-ins for tools and handlers do not bring it about. */
const fromCode: ReadonlySet<Signal['type']> = new Set([
  ...(['flow:called', 'flow:handed-off', 'response:decided', 'reply:routed', 'tasks:started'] as const),
  ...(['generator:yielded', 'generator:failed'] as const),
]);

/**
 * Reads a stored conversation as a scenario: what the caller did, what the model answered, what tools returned, what people
 * decided, and how it ended. Values of slots with `pii: true`, and texts that hold one, are replaced. `options` are what its
 * flows need to be read again. Throws `session-unknown`.
 */
export async function recordSession(
  store: Store,
  sessionId: string,
  options: ReplayOptions = {},
): Promise<RecordedSession> {
  const kept = await store.loadSnapshot(sessionId);
  if (kept === null) throw new FlowError('session-unknown', `there is no session "${sessionId}" in this store.`);
  const state = readState(kept.state);
  const log = (await store.readLog(sessionId)).map(({ signal }) => signal);
  const events = await store.readEvents(sessionId);
  const personal = personalIn(await store.loadGraph(kept.graphHash), log);
  const code = await standInsOf(store, sessionId, log, personal, options);
  const notes = [...personal.notes, ...code.notes];
  const paths = pathsOfTurns(events);
  /** Turns after which the flow was changed: the way to where they led may be another one by now. */
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
        if (via === 'dtmf') begin({ dtmf: /^[0-9*#A-D]+$/.test(words) ? words : '0' }, eventId);
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
        // What fails at once is asked for once more.
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
        notes.push(`${signal.type} came from code, and is not part of the test`);
        break;
      default:
        break;
    }
    if (signal.type === 'user:turn' || signal.type === 'silence:elapsed') cut = null;
    // A change of the flow is not played, so time before it counts as well.
    if (signal.type !== 'flow:swapped') lastAt = signal.at;
  }
  const end = events.findLast((event) => event.type === 'flow:ended');
  const outcome = end?.type === 'flow:ended' ? end.data.reason : null;
  const slots = Object.entries(state.slots).map(([name, { value }]) => [name, personal.slot(name, value)] as const);
  const known = slots.length === 0 ? {} : { slots: Object.fromEntries(slots) };
  // Who only hung up has left no reason of the flow.
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
      finally: { ...(outcome === null || isLeft ? { node: state.node } : { outcome }), ...known },
    }),
  };
}

/** A session may be named by the telephone number of its caller, and the keys of its calls begin with that name. */
function withoutTelephone(sessionId: string, scenario: Scenario): Scenario {
  const shown = namedSession(sessionId, () => 'telephone');
  const inText = (text: string): string => JSON.stringify(text).slice(1, -1);
  const text = JSON.stringify(scenario).replaceAll(`${inText(sessionId)}/`, () => `${inText(shown)}/`);
  // The same scenario, but for a part of texts.
  return { ...(JSON.parse(text) as Scenario), name: `the conversation ${shown.replaceAll(/[^\w-]/g, '-')}` };
}

/** A hook or the router has decided about a turn. */
function isDecidedByCode(signal: Signal): boolean {
  return signal.type === 'user:turn' && signal.policy !== undefined && signal.policy.by !== 'command';
}

interface Recording {
  readonly acts: Turn;
  readonly model: Reply[];
  /** Of the caller's words. */
  readonly eventId?: string;
}

/** Before the first turn the model may have said nothing. */
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
 * Where a turn of the caller's led, so that a test that fails does so at the turn in which another way was taken. Nothing
 * is said of a turn that was spoken over, or after which something besides the caller went on with the conversation.
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
  // Where it ended would not tell what was said on the way, as of a question in between.
  return { expect: path.length > 1 ? { path: [...path] } : { node } };
}

/**
 * The nodes that each turn of the caller's entered, by the id of its words: the one in which it came to an end is the last.
 * Only that one where the turn came through another flow; none where it ended in one.
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

/** What the words of a turn give: the arguments that a model made of them, else what rules have read in them. */
function saidIn(turn: UserTurn, log: readonly Signal[]): ReturnType<typeof readFrom> {
  const made = readFrom(turn, log);
  return made.length > 0 ? made : valuesSaid(turn);
}

/** What a model read from the words of a turn, as arguments of its calls. */
function readFrom(turn: Signal, log: readonly Signal[]): readonly (readonly [string, Json])[] {
  const rest = log.slice(log.indexOf(turn) + 1);
  const next = rest.findIndex(({ type }) => type === 'user:turn');
  const mine = next < 0 ? rest : rest.slice(0, next);
  return mine.flatMap((signal) =>
    signal.type === 'batch:settled' ? signal.calls.flatMap(({ arguments: args }) => Object.entries(args)) : [],
  );
}
