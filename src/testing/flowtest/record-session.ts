import { personalForms } from '../../durable/personal-forms.ts';
import { FlowError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../events/json.ts';
import type { SettledCall, Signal } from '../../events/signal.ts';
import { recordFunctionName } from '../../flow/function.ts';
import { readState } from '../../kernel/upgrade.ts';
import type { Store } from '../../ports/store.ts';
import type { Scenario, ToolOutcome, Turn } from './document.ts';

type Reply = Exclude<NonNullable<Turn['model']>, readonly unknown[] | string>;

/** A stored conversation as a scenario, with stand-ins for what is personal, and what could not be taken over. */
export interface RecordedSession {
  readonly scenario: Scenario;
  readonly notes: readonly string[];
}

/**
 * Reads a stored conversation as a scenario: what the caller did, what the model answered, what tools returned, what people
 * decided, and how it ended. Values of slots with `pii: true`, and texts that hold one, are replaced. Throws
 * `session-unknown`.
 */
export async function recordSession(store: Store, sessionId: string): Promise<RecordedSession> {
  const kept = await store.loadSnapshot(sessionId);
  if (kept === null) throw new FlowError('session-unknown', `there is no session "${sessionId}" in this store.`);
  const state = readState(kept.state);
  const log = (await store.readLog(sessionId)).map(({ signal }) => signal);
  const events = await store.readEvents(sessionId);
  const personal = personalOf(await store.loadGraph(kept.graphHash), log);
  const notes: string[] = [];
  const turns: Recording[] = [];
  const tools = new Map<string, ToolOutcome[]>();
  let current: Recording = { acts: {}, model: [] };
  let lastAt = 0;
  let given: Pick<Scenario, 'input' | 'timeZone' | 'now'> = {};
  let cut: number | null = null;
  const begin = (acts: Turn): void => void turns.push((current = { acts, model: [] }));
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
        const words = personal.words(text, wordsFor(signal, log, personal));
        if (via === 'dtmf') begin({ dtmf: /^[0-9*#A-D]+$/.test(words) ? words : '0' });
        else if (via === 'proxy') begin({ proxy: { say: words } });
        else if (cut !== null) begin({ interrupt: { say: words, afterWords: Math.max(1, cut) } });
        else begin({ user: words });
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
        begin({ takeover: { say: personal.words(signal.text, []) } });
        break;
      case 'takeover:ended':
        begin({ takeover: 'end' });
        break;
      case 'batch:settled':
        if (signal.reply !== null) current.model.push(...replyOf(signal.text, signal.calls, personal));
        for (const call of signal.calls) noteResult(call, tools, personal);
        break;
      case 'reply:failed':
        current.model.push({ fails: true });
        break;
      case 'speech:settled':
        cut =
          signal.state === 'done' || signal.heard === signal.text
            ? null
            : signal.heard.split(/\s+/).filter(Boolean).length;
        break;
      case 'flow:swapped':
      case 'flow:called':
      case 'flow:handed-off':
      case 'node:requested':
        notes.push(`${signal.type} came from code, and is not part of the test`);
        break;
      default:
        break;
    }
    if (signal.type === 'user:turn' || signal.type === 'silence:elapsed') cut = null;
    lastAt = signal.at;
  }
  const end = events.findLast((event) => event.type === 'flow:ended');
  const outcome = end?.type === 'flow:ended' ? end.data.reason : null;
  const slots = Object.entries(state.slots).map(([name, { value }]) => [name, personal.slot(name, value)] as const);
  const known = slots.length === 0 ? {} : { slots: Object.fromEntries(slots) };
  // Who only hung up has left no reason of the flow.
  const isLeft = outcome === 'caller-left' || outcome === 'simulation-over' || outcome === 'quit';
  return {
    notes,
    scenario: {
      name: `the conversation ${sessionId.replaceAll(/[^\w-]/g, '-')}`,
      ...given,
      tools: Object.fromEntries(
        [...tools].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? {}) : { sequence: all }]),
      ),
      turns: turns.flatMap(toTurn),
      finally: { ...(outcome === null || isLeft ? { node: state.node } : { outcome }), ...known },
    },
  };
}

interface Recording {
  readonly acts: Turn;
  readonly model: Reply[];
}

function toTurn({ acts, model }: Recording): readonly Turn[] {
  if (model.length === 0) return Object.keys(acts).length === 0 ? [] : [acts];
  const [only] = model;
  return [{ ...acts, model: model.length === 1 && only !== undefined ? only : model }];
}

function replyOf(text: string, calls: readonly SettledCall[], personal: Personal): readonly Reply[] {
  const say = text.trim() === '' ? {} : { say: personal.words(text.trim(), []) };
  const made = calls.map(({ name, arguments: args }) => ({ name, args: personal.args(args) }));
  const [only] = made;
  if (made.length === 0) return Object.keys(say).length === 0 ? [] : [say];
  if (made.length === 1 && only !== undefined)
    return [
      { ...say, ...(only.name === recordFunctionName ? { record: only.args } : { call: only.name, args: only.args }) },
    ];
  return [{ ...say, calls: made.map(({ name, args }) => ({ call: name, args })) }];
}

function noteResult(
  { name, state, result, error }: SettledCall,
  tools: Map<string, ToolOutcome[]>,
  personal: Personal,
): void {
  if (name === recordFunctionName) return;
  // What only moves returns `ok` by itself.
  const isPlain = state === 'done' && (result === 'ok' || result === undefined);
  if (isPlain || (state !== 'done' && state !== 'failed')) return;
  const outcome: ToolOutcome =
    state === 'done' ? { returns: personal.value(result ?? null) } : { throws: personal.words(error ?? 'failed', []) };
  tools.set(name, [...(tools.get(name) ?? []), outcome]);
}

/** What of the slots that the model recorded for a turn stands in for its words. */
function wordsFor(turn: Signal, log: readonly Signal[], personal: Personal): readonly string[] {
  const rest = log.slice(log.indexOf(turn) + 1);
  const next = rest.findIndex(({ type }) => type === 'user:turn');
  const mine = next < 0 ? rest : rest.slice(0, next);
  return mine.flatMap((signal) =>
    signal.type === 'batch:settled'
      ? signal.calls.flatMap(({ arguments: args }) => Object.keys(args).flatMap((name) => personal.said(name)))
      : [],
  );
}

/** Puts stand-ins in the place of what is personal. */
interface Personal {
  words(text: string, instead: readonly string[]): string;
  value<Value extends Json>(value: Value): Value;
  args(args: JsonObject): JsonObject;
  slot(name: string, value: Json): Json;
  /** How a caller says the stand-in of a slot; nothing for one that is not personal. */
  said(name: string): readonly string[];
}

const standIns: Readonly<Record<string, readonly [Json, string]>> = {
  name: ['Alex Example', 'Alex Example'],
  phone: ['+15555550100', '555 555 0100'],
  email: ['alex@example.com', 'alex at example dot com'],
  date: ['1980-01-02', 'January 2, 1980'],
  time: ['10:00', '10 am'],
  integer: [5, '5'],
  number: [5, '5'],
  boolean: [true, 'that is so'],
  text: ['something', 'something'],
};

function personalOf(document: Json | null, log: readonly Signal[]): Personal {
  const declared = isJsonObject(document ?? null) ? (document as JsonObject)['slots'] : undefined;
  const own = new Map<string, readonly [Json, string]>();
  for (const [name, slot] of Object.entries(isJsonObject(declared ?? null) ? (declared as JsonObject) : {})) {
    if (!isJsonObject(slot) || slot['pii'] !== true) continue;
    const { type = 'text', values = {} } = slot;
    const first = Object.keys(isJsonObject(values) ? values : {})[0];
    own.set(
      name,
      first === undefined
        ? (standIns[typeof type === 'string' ? type : 'text'] ?? ['something', 'something'])
        : [first, first.replaceAll('_', ' ')],
    );
  }
  const values = new Set<string>();
  const collect = (value: Json, name: string | null): void => {
    if (name !== null && own.has(name) && (typeof value === 'string' || typeof value === 'number'))
      values.add(String(value));
    if (Array.isArray(value)) for (const one of value as readonly Json[]) collect(one, name);
    else if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) collect(one, own.has(key) ? key : null);
  };
  for (const signal of log)
    if (signal.type === 'batch:settled') for (const call of signal.calls) collect(call.arguments, null);
  for (const signal of log)
    if (signal.type === 'batch:settled')
      for (const { typed } of signal.calls) collect(JSON.parse(JSON.stringify(typed ?? null)) as Json, null);
  const forms = personalForms(values);
  const withheld = '[personal]';
  const personal: Personal = {
    words: (text, instead) => (forms.isIn(text) ? instead.join(', ') || withheld : text),
    value<Value extends Json>(value: Value): Value {
      return replaced(value) as Value; // Of the same shape.
    },
    args: (args) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, personal.slot(name, value)])),
    slot: (name, value) => (value === null ? null : (own.get(name)?.[0] ?? replaced(value))),
    said: (name) => own.get(name)?.slice(1).map(String) ?? [],
  };
  const replaced = (value: Json): Json => {
    if (typeof value === 'string') return forms.isIn(value) ? withheld : value;
    if (Array.isArray(value)) return value.map(replaced);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, own.has(name) ? personal.slot(name, one) : replaced(one)]),
    );
  };
  return personal;
}
