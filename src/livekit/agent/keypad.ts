import type { voice } from '@livekit/agents';
import { enterKey, type KeyEntry, noKeys } from '../../kernel/keys/key-entry.ts';
import { type KeyRule, keyRuleOf } from '../../kernel/keys/key-rule.ts';
import { hasSealedSlot } from '../../kernel/keys/sealed-slot.ts';
import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Inbound } from '../../engine/inbound.ts';
import { sealIn } from '../../engine/sealed-values.ts';
import { readEntry, readMenuKey, readStrayKeys } from '../../engine/words/read-keys.ts';
import { takeTurn } from './speak-in-session.ts';
import type { SpeakingAgent } from './speaking-agent.ts';

type Outcome = Awaited<ReturnType<typeof takeTurn>>;

/** Turns the telephone keys of a caller into turns. Digits stay in memory until an entry is complete. */
export interface Keypad {
  /**
   * Presses keys one after another. Resolves when all of them are turns and were answered. `pauseMs`: the pause that ends
   * keys that are words; without it they end with the last key.
   */
  press(keys: string, id: string, pauseMs?: number): Promise<Outcome>;
  /** Forgets keys that are not a turn yet, because the caller has left. */
  forget(): void;
}

export interface KeypadOptions {
  readonly session: voice.AgentSession;
  readonly engine: Engine;
  readonly agent: SpeakingAgent;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** The keys of one press, with the number of turns that they became. */
interface Press {
  readonly id: string;
  readonly pauseMs: number;
  turns: number;
}

/** Keys that are not a turn yet. `entry`: the digits of a slot. */
interface OpenKeys {
  readonly id: string;
  readonly rule: KeyRule | null;
  keys: string;
  entry: KeyEntry;
}

export function createKeypad({ session, engine, agent, clock, onError }: KeypadOptions): Keypad {
  const waiting: { readonly key: string; readonly of: Press }[] = [];
  let whenDone: (() => void)[] = [];
  let open: OpenKeys | null = null;
  let isTaking = false;
  let outcome: Outcome = 'taken';
  let cancelPause = (): void => undefined;
  /** The end key after the last possible digit, which many callers press as well. */
  let spareEnd: { readonly key: string; readonly until: number } | null = null;

  const begin = (of: Press): OpenKeys => {
    of.turns += 1;
    const rule = keyRuleOf(engine.graph, engine.state);
    agent.beginKeys();
    if (rule !== null) agent.hush(true).catch(onError);
    if (rule?.kind === 'slot') agent.dropSpokenWords();
    return { id: of.turns === 1 ? of.id : `${of.id}/${of.turns}`, rule, keys: '', entry: noKeys };
  };
  const finish = (): void => {
    cancelPause();
    const done = open;
    open = null;
    if (done === null) return;
    isTaking = true;
    if (done.rule?.kind === 'slot') agent.dropSpokenWords();
    takeTurn({ agent }, session, inboundOf(engine, clock, done))
      .then((taken) => (outcome = taken), onError)
      .finally(() => {
        isTaking = false;
        goOn();
      });
  };
  const endAfter = (ms: number): void => {
    cancelPause();
    cancelPause = clock.schedule(ms, finish);
  };
  /** Words of keys end with `#` or a pause, or with the last key of a press without a pause. */
  const endsWords = (key: string, of: Press): boolean =>
    of.pauseMs > 0 ? key === '#' : !waiting.some((next) => next.of === of);
  const handle = (key: string, of: Press): void => {
    const isSpare = spareEnd?.key === key && clock.now() <= spareEnd.until;
    spareEnd = null;
    if (isSpare) return;
    open ??= begin(of);
    open.keys += key;
    const { rule } = open;
    if (rule?.kind === 'menu') return finish();
    if (rule === null) return endsWords(key, of) ? finish() : endAfter(of.pauseMs);
    const { dtmf } = rule;
    open.entry = enterKey(open.entry, key, dtmf);
    if (open.entry.endedBy === null) return endAfter(dtmf.timeoutMs);
    if (open.entry.endedBy === 'length') spareEnd = { key: dtmf.end, until: clock.now() + dtmf.timeoutMs };
    finish();
  };
  /** Handles keys that were pressed while a turn was taken. */
  const goOn = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      handle(next.key, next.of);
      if (isTaking) return;
    }
    if (open !== null) return;
    for (const tell of whenDone) tell();
    whenDone = [];
  };

  return {
    async press(keys, id, pauseMs = 0) {
      if (agent.hasTaken(id)) return 'duplicate';
      const of: Press = { id, pauseMs, turns: 0 };
      for (const key of keys) waiting.push({ key, of });
      const done = new Promise<void>((resolve) => whenDone.push(resolve));
      if (!isTaking) goOn();
      await done;
      await agent.idle();
      const last = outcome;
      outcome = 'taken';
      return last === 'taken' && agent.isLost ? 'over' : last;
    },
    forget() {
      cancelPause();
      waiting.length = 0;
      open = null;
      agent.forgetKeys();
      if (!isTaking) goOn();
    },
  };
}

/** Returns the turn of some keys, without digits that no log may contain. */
function inboundOf(engine: Engine, clock: Clock, { id: eventId, rule, keys, entry }: OpenKeys): Inbound {
  const of = { eventId, via: 'dtmf' } as const;
  if (rule?.kind === 'menu') return { ...of, ...readMenuKey(keys) };
  if (rule?.kind === 'slot') {
    const { graph } = engine;
    const civil = engine.civil(clock.now());
    return { ...of, ...readEntry({ graph, civil }, rule.slot, entry.digits, (value) => sealIn(engine, value)) };
  }
  return hasSealedSlot(engine.graph) ? { ...of, ...readStrayKeys() } : { ...of, text: keys };
}

/** Checks whether a text consists of keys of a telephone. */
export function isOfKeys(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9*#A-D]+$/.test(text);
}

/** Throws `input-invalid` for a text with anything but keys of a telephone. */
export function assertKeys(keys: unknown): void {
  if (!isOfKeys(keys)) throw new FlowError('input-invalid', 'press() takes keys of a telephone: 0-9, *, #, A-D.');
}
