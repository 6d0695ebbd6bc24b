import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { openWaits, type PostedWait } from '../../people/waits.ts';
import { checkExpectation, type Checked, type Moment, type Unmet } from '../document/check-expectation.ts';
import type { Engine, Scenario, Turn } from '../document/document.ts';
import { lengthMs } from '../document/durations.ts';
import { actOutside } from './outside-acts.ts';
import { openedState } from '../record/opened-state.ts';
import { type ScenarioRecord, sliceOf } from '../record/record.ts';
import type { ScenarioWorld } from './scenario-world.ts';

/** An expectation at a place of the test that does not hold. */
export interface Broken extends Omit<Unmet, 'expected' | 'found'> {
  readonly turn: number | null;
  readonly expected: string | null;
  readonly found: string | null;
  /** The turn at the time of the check, for the line of the flow. */
  readonly record: ScenarioRecord;
}

/** The result of playing the turns of a scenario. */
export interface Played {
  readonly broken: readonly Broken[];
  readonly unchecked: Readonly<Record<string, number>>;
}

/** Asks a judge about the agent's words. Resolves to null for a yes, or to the reason for a no. */
export type Judge = (question: string, text: string) => Promise<string | null>;

export interface PlayOptions {
  readonly engine: Engine;
  /** Null without a judge: questions for a judge are then not checked. */
  readonly judge: Judge | null;
  /** Whether turns are checked. In a run with a crash only the result at the end is checked. */
  readonly checksTurns: boolean;
}

/** Plays the turns of a scenario in its world, and checks the expectations after each. */
export async function playTurns(
  world: ScenarioWorld,
  { turns = [] }: Pick<Scenario, 'turns'>,
  options: PlayOptions,
): Promise<Played> {
  const broken: Broken[] = [];
  const unchecked: Record<string, number> = {};
  const tell = (one: Omit<Broken, 'record'>): void => void broken.push({ ...one, record: world.record });
  const skip = (what: string): void => void (unchecked[what] = (unchecked[what] ?? 0) + 1);
  const failTurn = (index: number, message: string, found: string | null = null, key?: string): void =>
    tell({
      path: ['turns', index, ...(key === undefined ? [] : [key])],
      turn: index + 1,
      message,
      expected: null,
      found,
      about: { kind: 'way' },
    });
  const tellChecked = async (checked: Checked, at: DocumentPath, turn: number | null): Promise<void> => {
    for (const { path, ...one } of checked.unmet) {
      // A live model never says the same twice.
      if (one.fresh !== undefined && options.engine === 'live') skip('exactly');
      else tell({ ...one, path: [...at, ...path], turn });
    }
    for (const { path, question, text } of checked.questions) {
      if (options.judge === null) {
        skip('judge');
        continue;
      }
      const why = await options.judge(question, text);
      const fact = { message: 'a judge says no', expected: question, found: why, about: { kind: 'words' } as const };
      if (why !== null) tell({ ...fact, path: [...at, ...path], turn });
    }
  };

  /** Reports replies of a turn that were not requested, and requests without a reply. */
  const checkModel = (index: number): void => {
    if (options.engine !== 'scripted' || !options.checksTurns) return;
    for (const { node, request } of world.replies.unanswered)
      failTurn(
        index,
        `the model was asked in node ${node}, and the test has no answer for it: add model: to this turn, or a rule to llm`,
        request.items.at(-1) ?? 'nothing was said yet',
        turns[index]?.model === undefined ? undefined : 'model',
      );
    if (world.replies.left > 0)
      failTurn(index, 'the model was not asked for all answers of this turn', `${world.replies.left} left`, 'model');
    for (const { name, turn } of world.ledger.unknown.slice(toldUnknown)) {
      if (turn === index + 1) failTurn(index, `tool ${name} ran, and nothing stands in for it: add it to tools`, name);
    }
    toldUnknown = world.ledger.unknown.length;
  };
  let toldUnknown = 0;

  const expectationsOf = ({
    expect = [],
  }: Turn): readonly (readonly [DocumentPath, Exclude<typeof expect, readonly unknown[]>])[] =>
    Array.isArray(expect) ? expect.map((one, at) => [['expect', at], one] as const) : [[['expect'], expect]];

  const first = turns[0];
  const speaksFirst = first === undefined || !isSilent(first);
  world.begin(speaksFirst ? 0 : 1, speaksFirst ? [] : repliesOf(first), first?.tools ?? {});
  await world.start();
  for (const [index, turn] of turns.entries()) {
    const next = turns[index + 1];
    let decided: string | null = null;
    const isGreeting = index === 0 && !speaksFirst;
    if (!isGreeting) {
      const problem = turn.interrupt === undefined ? await world.rest() : null;
      if (problem !== null) {
        failTurn(index, problem);
        break;
      }
      if (turn.interrupt !== undefined) {
        const { after, afterWords } = typeof turn.interrupt === 'string' ? {} : { after: undefined, ...turn.interrupt };
        const speaks = await world.listen(after === undefined ? null : lengthMs(after), afterWords ?? 1);
        if (!speaks) failTurn(index, 'the agent had finished before it could be interrupted', null, 'interrupt');
      }
      world.begin(index + 1, repliesOf(turn), turn.tools ?? {});
      const fault = await act(world, turn, index);
      if (typeof fault === 'string') {
        failTurn(index, fault);
        break;
      }
      ({ decided } = fault);
    }
    // A line that will be interrupted is not waited for to its end.
    const problem = next?.interrupt === undefined ? await world.rest() : await world.beginSpeaking();
    if (problem !== null) {
      failTurn(index, problem);
      break;
    }
    if (!options.checksTurns) continue;
    const expected = expectationsOf(turn);
    const moment = expected.length === 0 ? null : await momentOf(world, index + 1, decided);
    for (const [path, one] of expected)
      if (moment !== null) await tellChecked(checkExpectation(one, moment), ['turns', index, ...path], index + 1);
    if (next?.interrupt === undefined) checkModel(index);
  }
  const last = await world.rest();
  if (last !== null && broken.length === 0) failTurn(Math.max(turns.length - 1, 0), last);
  return { broken, unchecked };
}

/** The current state, with everything that happened in a turn, or in all turns if it is null. */
export async function momentOf(world: ScenarioWorld, turn: number | null, decided: string | null): Promise<Moment> {
  const { ended, language } = world;
  const state = openedState(world.state);
  const waits: readonly PostedWait[] = await openWaits(world.store, world.sessionId);
  return {
    slice: sliceOf(world.record, world.ledger.runs, turn, { state, ended, language }),
    waits,
    decided,
    isCallDue: world.isCallDue,
    reported: world.reported,
  };
}

function repliesOf({ model = [] }: Turn) {
  return Array.isArray(model) ? model : [model];
}

/** Checks whether a turn has no actions: then it checks what the agent does on its own. */
function isSilent(turn: Turn): boolean {
  const { expect: _expect, model: _model, tools: _tools, note: _note, ...acts } = turn;
  return Object.values(acts).every((act) => act === undefined);
}

/** Carries out the action of a turn. Resolves to a fault if it is not possible. */
async function act(
  world: ScenarioWorld,
  turn: Turn,
  index: number,
): Promise<string | { readonly decided: string | null }> {
  const { user, interrupt, silence, keys = turn.dtmf, advance, hangup, callBack, other, crash } = turn;
  const done = { decided: null };
  if (user !== undefined) {
    const { say, hear, id } = typeof user === 'string' ? { say: user } : { hear: undefined, id: undefined, ...user };
    return world.say(say, hear ?? say, id ?? `turn-${index + 1}`, 'text') ?? done;
  }
  if (interrupt !== undefined) {
    const words = typeof interrupt === 'string' ? interrupt : interrupt.say;
    const fault = world.say(words, words, `turn-${index + 1}`, 'text');
    if (fault === null) await world.hush();
    return fault ?? done;
  }
  if (keys !== undefined) return world.say(keys, keys, `turn-${index + 1}`, 'dtmf') ?? done;
  if (silence !== undefined) {
    if (!world.isThere) return 'no caller is connected who could be silent: use advance';
    await world.pass(lengthMs(silence));
    return done;
  }
  if (advance !== undefined) {
    await world.pass(lengthMs(advance));
    return done;
  }
  if (hangup === true) return (await world.hangUp()) ?? done;
  if (callBack === true) return (await world.callBack()) ?? done;
  if (crash === true) {
    world.crash();
    return done;
  }
  if (other !== undefined) {
    world.sayOther(other.name ?? 'somebody else', other.say);
    return done;
  }
  return await actOutside(world, turn, index);
}
