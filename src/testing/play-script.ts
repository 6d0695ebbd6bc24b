import type { ConversationRecord, SimulationResult } from './conversation-record.ts';
import { parseScript, type Script, type ScriptStep } from './script.ts';
import type { ScriptedRequest } from './scripted-model.ts';

export type Interruption = Extract<ScriptStep, { interrupt: string }>;

/** The place where a script is played. The actions of a caller resolve when the agent has answered them. */
export interface Scene {
  readonly record: ConversationRecord;
  /** The requests to a scripted model so far, or null for any other model. */
  readonly requests: readonly ScriptedRequest[] | null;
  /** In epoch milliseconds. */
  now(): number;
  /** Connects the caller and the agent. The work is what the agent then does by itself. */
  begin(): Promise<{ readonly work: Promise<unknown> }>;
  /**
   * Waits until the agent has done all of it and was heard, if the caller is there. Resolves to the reason if it fails.
   */
  rest(work: Promise<unknown>, isAway: boolean): Promise<string | null>;
  /** The agent's lines since `forgetSaid`. */
  said(): readonly string[];
  forgetSaid(): void;
  say(words: string, id?: string): Promise<unknown>;
  press(keys: string): Promise<unknown>;
  /** Waits for the moment of the interruption, or until the agent is no longer busy. */
  listen(interruption: Interruption, isBusy: () => boolean): Promise<void>;
  /** Called when the interruption begins: the agent stops speaking. */
  hush(): Promise<void>;
  leave(): Promise<unknown>;
  rejoin(): Promise<unknown>;
  /** Another participant joins, or speaks to the room. */
  joinOther(name: string): Promise<void>;
  sayOther(name: string, words: string): Promise<void>;
  /** Lets this much time pass. The work is what the agent then does by itself. */
  pause(delayMs: number): Promise<{ readonly work: Promise<unknown> }>;
  /** Waits briefly for a condition that may be about to hold. */
  soon(holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Plays a script in a scene, which is opened for the name of the caller. Before each step but `interrupt` the agent
 * finishes speaking. Failed expectations are part of the result. A broken script throws.
 */
export async function playScript(
  script: Script,
  openScene: (caller: string) => Scene | Promise<Scene>,
): Promise<SimulationResult> {
  const steps = parseScript(script, 'the script');
  const [first] = steps;
  const caller = first !== undefined && 'join' in first ? nameOf(first) : someCaller;
  const scene = await openScene(caller);
  try {
    const player = createPlayer(scene, caller);
    player.follow((await scene.begin()).work);
    for (const [index, step] of steps.entries()) await player.play(step, index + 1);
    await player.finish(steps.length);
    return scene.record.result(scene.requests ?? []);
  } finally {
    await scene.close();
  }
}

const someCaller = 'caller';

function nameOf({ join }: Extract<ScriptStep, { join: unknown }>): string {
  return join === true ? someCaller : join;
}

function createPlayer(scene: Scene, caller: string) {
  const { record } = scene;
  const toldIds = new Set<string>();
  let isAway = false;
  /** The agent's work for the steps so far. */
  let underway: Promise<unknown> = Promise.resolve();
  let isBusy = false;

  const tell = (who: string, text: string): void => record.tell({ who, text, at: scene.now(), interrupted: false });
  const follow = (work: Promise<unknown>): void => {
    isBusy = true;
    const both = Promise.all([underway, work]);
    const over = (): void => {
      if (underway === both) isBusy = false;
    };
    // The callers that wait for it receive the error.
    both.then(over, over);
    underway = both;
  };
  const finish = async (step: number): Promise<void> => {
    const problem = await scene.rest(underway, isAway);
    if (problem === null) return;
    record.fail(step, problem);
    underway = Promise.resolve();
  };
  /** Lets the caller act, unless the caller or the agent is not there. */
  const act = (step: number, doing: () => Promise<unknown>): void => {
    if (record.ended !== null) record.fail(step, `the conversation has ended before (${record.ended})`);
    else if (isAway) record.fail(step, 'the caller is not in the room');
    else {
      scene.forgetSaid();
      follow(doing());
    }
  };
  const say = (words: string, id?: string): Promise<unknown> => {
    if (id === undefined || !toldIds.has(id)) tell(caller, words);
    if (id !== undefined) toldIds.add(id);
    return scene.say(words, id);
  };

  return {
    follow,
    finish,
    async play(step: ScriptStep, number: number): Promise<void> {
      if ('interrupt' in step) {
        await scene.listen(step, () => isBusy);
        if (!isBusy) record.fail(number, 'the agent had finished before it could be interrupted');
        act(number, () => say(step.interrupt));
        return await scene.hush();
      }
      // The agent begins to speak by itself. A participant who joins later is not the caller.
      if ('join' in step) {
        if (number > 1 && nameOf(step) !== caller) await scene.joinOther(nameOf(step));
        return;
      }
      await finish(number);
      if ('say' in step && step.from !== undefined && step.from !== caller) {
        tell(step.from, step.say);
        await scene.sayOther(step.from, step.say);
      } else if ('say' in step) act(number, () => say(step.say, step.id));
      else if ('dtmf' in step)
        act(number, () => {
          tell(caller, step.dtmf);
          return scene.press(step.dtmf);
        });
      else if ('silence' in step) {
        scene.forgetSaid();
        follow((await scene.pause(step.silence)).work);
      } else if ('leave' in step)
        act(number, () => {
          isAway = true;
          return scene.leave();
        });
      else if ('rejoin' in step) {
        if (record.ended === null && !isAway) return record.fail(number, 'the caller has not left');
        isAway = false;
        act(number, () => scene.rejoin());
      } else {
        const unmet = (): readonly string[] =>
          record.unmet(step.expect, { said: scene.said(), requests: scene.requests?.length ?? null });
        await scene.soon(() => unmet().length === 0);
        for (const message of unmet()) record.fail(number, message);
      }
    },
  };
}
