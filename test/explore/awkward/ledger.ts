import type { Json, JsonObject } from '../../../src/model/json.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import type { SessionState } from '../../../src/kernel/state/state.ts';
import { sayValue } from '../../../src/kernel/state/names.ts';
import { lastQuestion, today } from '../talk/talk.ts';
import { consentsOf } from './consents.ts';
import type { Scene } from './scene.ts';
import type { Utterance } from './utterance.ts';

/** The laws that hold in every call. */
export const laws = {
  consent: 'a write runs only after its whole question was heard and agreed to',
  refusal: 'a refused write does not run',
  short: 'a yes counts for a question that was put again only where it was put with its values',
  displaced: 'a value that the caller gave is not replaced by one that they did not agree to',
  invented: 'a write has no value that the caller neither gave nor agreed to',
  unread: 'a slot with a read-back is agreed to before a write has it',
  repeated: 'a question comes at most six times in a row without anything new',
  stale: 'no decision is older than the value that it read',
  restored: 'a no to a value that nobody said restores the one before it',
  silent: 'the caller is never left in silence',
  end: 'a call ends in an end that its author wrote',
  once: 'a write is made once',
  throws: 'nothing of a turn throws',
  log: 'the log folds to the state',
  keys: 'keys do exactly what their menu or their slot says',
  secret: 'digits of a personal slot that are pressed stay hidden',
} as const;
export type Law = keyof typeof laws;

export const everyLaw = Object.keys(laws) as readonly Law[]; // The object's keys are the laws.

/** Laws that no call breaks: the explorer fails if a call does. `--hard` counts all laws. */
export const heldLaws: readonly Law[] = [
  'refusal',
  'short',
  'repeated',
  'once',
  'end',
  'throws',
  'log',
  'keys',
  'secret',
];

export interface Broken {
  readonly law: Law;
  readonly detail: string;
}

interface Exchange {
  /** The agent's words since the caller last spoke. */
  readonly heard: string;
  readonly isCut: boolean;
  readonly utterance: Utterance;
}

interface Given {
  readonly value: Json;
  readonly index: number;
}

/** Judges a call by what was played, what the caller meant, and what was written. */
export interface Ledger {
  /** Records the caller's words with what they heard and the state before. */
  spoke(exchange: Exchange, state: SessionState): void;
  /** Records a resume by another process. A yes after it cannot refer to words heard before it. */
  resumed(): void;
  /** Records the agent's answer, once the agent is idle. */
  answered(heard: string, state: SessionState): void;
  wrote(name: string, args: JsonObject): void;
  /** Records a completed write. */
  made(name: string): void;
  broken(law: Law, detail: string): void;
  readonly findings: readonly Broken[];
}

const mostPuts = 6;

export function createLedger(scene: Scene, graph: Graph): Ledger {
  const consents = consentsOf(graph, scene);
  const exchanges: Exchange[] = [];
  const given = new Map<string, Given>();
  /** Every value that the caller has given, by slot. */
  const said = new Map<string, Json[]>();
  const stood = new Map<string, Json[]>();
  /** The exchanges that follow a resume. */
  const resumedAt = new Set<number>();
  const used = new Set<number>();
  const written = new Set<string>();
  const findings = new Map<Law, Broken>();
  const told = new Set<string>();
  let before: SessionState | null = null;
  let puts = { question: '', place: '', count: 0 };
  let isNew = false;

  const broken = (law: Law, detail: string): void => {
    if (!findings.has(law)) findings.set(law, { law, detail });
  };
  const names = (slot: string, value: Json, heard: string): boolean => {
    const known = scene.values[slot]?.filter((one) => isSame(one.value, value)) ?? [];
    // A caller may give the words of another slot. They are heard as they were said, or as the flow speaks the value.
    if (known.length === 0) {
      const own = graph.slots.get(slot);
      const spoken = own === undefined ? '' : sayValue({ graph, civil: `${today}T12:00` }, own, value);
      return (typeof value === 'string' && heard.includes(value)) || (spoken !== '' && heard.includes(spoken));
    }
    // A model names a value in the caller's words.
    return known.some((one) => one.heardAs.test(heard) || heard.includes(one.words));
  };
  /**
   * Returns what was heard before an utterance. A line without a question, such as "I will wait", leaves the previous
   * question open.
   */
  const heardAt = (index: number): string => {
    const heard = exchanges[index]?.heard ?? '';
    const isWhole = exchanges[index]?.isCut === false && !heard.includes('?');
    // "Sure, I …" was cut off and asks nothing either.
    const isTime = heard !== '' && graph.speech.lines.takeYourTime.some((line) => line.startsWith(heard));
    const isPause = index > 0 && !resumedAt.has(index) && (isWhole || isTime);
    return isPause ? heardAt(index - 1) : heard;
  };
  /** Returns what was heard before an utterance and shortly before that. */
  const heardLately = (index: number): string =>
    [index - 2, index - 1, index]
      .filter((one) => ![...resumedAt].some((at) => one < at && at <= index))
      .map(heardAt)
      .join(' ');
  /** Whether the caller has agreed to a question that named this value, since this exchange. */
  const isAgreed = (slot: string, value: Json, since: number, heardIn = heardAt): boolean =>
    exchanges.some(
      ({ utterance }, index) => index >= since && utterance.stance === 'agrees' && names(slot, value, heardIn(index)),
    );

  const checkConsent = (name: string, args: JsonObject): void => {
    const questions = consents.get(name);
    if (questions === undefined) return;
    const last = exchanges.at(-1);
    const agreedTo = (heardIn: (index: number) => string): number =>
      exchanges.findLastIndex(
        ({ isCut, utterance }, index) =>
          !used.has(index) &&
          utterance.stance === 'agrees' &&
          !(isCut && utterance.isWeak && !heardAt(index).endsWith('?')) &&
          questions.some(
            ({ end, names: slots, isOneSentence }) =>
              end.test(heardAt(index)) &&
              slots.every(
                (slot) =>
                  args[slot] === undefined ||
                  !scene.values[slot] ||
                  names(slot, args[slot], isOneSentence === true ? wholeQuestion(heardAt(index)) : heardIn(index)),
              ),
          ),
      );
    const whole = agreedTo(heardAt);
    const agreed = Math.max(whole, agreedTo(heardLately));
    const isVoid = exchanges
      .slice(agreed + 1)
      .some(({ utterance }) => utterance.stance === 'refuses' || statesOther(utterance, args));
    if (agreed >= 0 && !isVoid) {
      used.add(agreed);
      if (agreed !== whole) broken('short', `${name} after "${heardAt(agreed)}"`);
      return;
    }
    const words =
      last === undefined ? 'nothing' : `"${last.utterance.text}" to "${last.heard}"${last.isCut ? ' (cut)' : ''}`;
    broken(last?.utterance.stance === 'refuses' ? 'refusal' : 'consent', `${name} after ${words}`);
  };

  return {
    broken,
    spoke(exchange, state) {
      exchanges.push(exchange);
      before = state;
      const { utterance } = exchange;
      for (const [slot, value] of Object.entries(utterance.states)) {
        said.set(slot, [...(said.get(slot) ?? []), value]);
        // A value that the caller agreed to earlier and says now counts as agreed.
        const isKnown = !given.has(slot) && isAgreed(slot, value, 0);
        if (!isSame(given.get(slot)?.value, value))
          given.set(slot, { value, index: isKnown ? 0 : exchanges.length - 1 });
      }
      const key = JSON.stringify(utterance.states);
      isNew = Object.keys(utterance.states).length > 0 && !told.has(key);
      told.add(key);
    },
    resumed() {
      resumedAt.add(exchanges.length);
    },
    answered(heard, state) {
      for (const [slot, { value }] of Object.entries(state.knowledge.slots)) {
        const known = stood.get(slot) ?? [];
        if (!isSame(known.at(-1), value)) stood.set(slot, [...known, value]);
      }
      checkDisplaced(state);
      const question = lastQuestion(heard)
        .replace(/^.*?[:,] /, '')
        .toLowerCase();
      const place = `${state.position.node}/${state.position.visit} ${JSON.stringify(state.knowledge.slots)}`;
      const isSameAgain = question !== '' && question === puts.question && place === puts.place && !isNew;
      puts = { question, place, count: isSameAgain ? puts.count + 1 : 1 };
      if (puts.count > mostPuts) broken('repeated', `"${question}" ${puts.count} times in ${state.position.node}`);
      const last = exchanges.at(-1);
      if (last === undefined || before === null || state.status !== 'active') return;
      checkRestored(last, before, state);
    },
    wrote(name, args) {
      checkConsent(name, args);
      const stale = scene.staleDecision?.(name, args) ?? null;
      if (stale !== null) broken('stale', stale);
      for (const [slot, value] of Object.entries(args)) {
        if (!Object.hasOwn(scene.values, slot) || value === null) continue;
        const own = given.get(slot);
        const isOwn = own !== undefined && isSame(own.value, value);
        const isWhole = isAgreed(slot, value, own?.index ?? 0);
        const isRead = isWhole || isAgreed(slot, value, own?.index ?? 0, heardLately);
        if (!isOwn && !isRead)
          broken(
            own === undefined ? 'invented' : 'displaced',
            `${name}: ${slot} ${JSON.stringify(value)}, not ${JSON.stringify(own?.value)}`,
          );
        if (graph.slots.get(slot)?.readback == null) continue;
        if (!isRead) broken('unread', `${name}: ${slot} ${JSON.stringify(value)}`);
        else if (!isWhole) broken('short', `${name}: ${slot} ${JSON.stringify(value)}`);
      }
    },
    made(name) {
      if (written.has(name)) broken('once', name);
      written.add(name);
    },
    get findings() {
      return [...findings.values()];
    },
  };

  /** A known value that the caller gave stays until they give another, or agree to it. */
  function checkDisplaced({ knowledge: { slots } }: SessionState): void {
    for (const [slot, { value }] of Object.entries(slots)) {
      const own = given.get(slot);
      // A model may put a free text in other words.
      if (own === undefined || isSame(own.value, value) || graph.slots.get(slot)?.type === 'text') continue;
      const hasStood = stood.get(slot)?.some((one) => isSame(one, own.value)) === true;
      const isSaid = said.get(slot)?.some((one) => isSame(one, value)) === true;
      if (hasStood && !isSaid && !isAgreed(slot, value, own.index, heardLately))
        broken('displaced', `${slot} ${JSON.stringify(value)}, not ${JSON.stringify(own.value)}`);
    }
  }

  function checkRestored({ heard, utterance }: Exchange, was: SessionState, state: SessionState): void {
    if (utterance.stance !== 'refuses' || Object.keys(utterance.states).length > 0) return;
    // A no before the read-back's value was played still takes back the caller's own value.
    for (const [slot, { value, proposed }] of Object.entries(was.knowledge.slots))
      if (proposed === undefined && state.knowledge.slots[slot] === undefined && isSame(given.get(slot)?.value, value))
        stood.delete(slot);
    if (!/right\?|correct ?\?|stimmt das\?|correcto\?|correto\?/i.test(lastQuestion(heard))) return;
    for (const [slot, { value }] of Object.entries(was.knowledge.slots)) {
      const own = given.get(slot);
      if (own === undefined || !names(slot, value, lastTwo(heard))) continue;
      // The caller gave the refused value. After the no, no value is valid.
      if (isSame(own.value, value)) stood.delete(slot);
      if (said.get(slot)?.some((one) => isSame(one, value)) === true) continue;
      const hasStood = stood.get(slot)?.some((one) => isSame(one, own.value)) === true;
      if (hasStood && !isSame(state.knowledge.slots[slot]?.value, own.value))
        broken(
          'restored',
          `${slot} is ${JSON.stringify(state.knowledge.slots[slot]?.value)}, not ${JSON.stringify(own.value)}`,
        );
    }
  }
}

/** Whether the caller gives a value that differs from the write's. */
function statesOther({ states }: Utterance, args: JsonObject): boolean {
  return Object.entries(states).some(([slot, value]) => !isSame(args[slot], value));
}

/** Returns the last question. The point of "1. Dezember" does not end a sentence. */
function wholeQuestion(heard: string): string {
  return lastQuestion(heard.replaceAll(/(\d)\. (?=\p{Lu})/gu, '$1\u0001 ')).replaceAll('\u0001', '.');
}

function lastTwo(heard: string): string {
  return heard
    .split(/(?<=[.!?]) /)
    .slice(-2)
    .join(' ');
}

/** Compares values. A text may have been taken with more words around it. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (typeof one === 'string' && typeof other === 'string')
    return one === other || one.includes(other) || other.includes(one);
  return sameValue(one, other);
}
