import { z } from 'zod';
import type { Json, JsonObject } from '../../model/json.ts';
import { isSubset } from '../document/same.ts';
import { type FlowToolContext, toolOf } from '../../livekit/tools/flow-tool.ts';
import { flowRunOf } from '../../livekit/tools/tool-registry.ts';
import { next } from '../../livekit/tools/next.ts';
import { type FunctionTool, isWriting } from '../../livekit/tools/function-tool.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { ToolOutcome, ToolStandIn } from '../document/document.ts';
import { lengthMs } from '../document/durations.ts';

/** One attempt of a tool or handler. */
export interface ToolRun {
  readonly name: string;
  readonly args: JsonObject;
  readonly key: string;
  readonly attempt: number;
  readonly turn: number;
  readonly startedAt: number;
  endedAt: number | null;
  /** `repeated`: it was done before under this key, and is not done again. `hung`: it has not answered. */
  outcome: 'returned' | 'threw' | 'hung' | 'repeated';
}

/** The stand-ins for tools, and the runs. It outlives the processes of a scenario, as the outside world does. */
export interface ToolLedger {
  readonly runs: readonly ToolRun[];
  /** Tools that were called without a stand-in. */
  readonly unknown: readonly { readonly name: string; readonly turn: number }[];
  /** Sets the results of these tools from now on. */
  standIn(tools: Readonly<Record<string, ToolStandIn>>): void;
  setTurn(turn: number): void;
  /** Tools for a process. `names` are all the tools that the flow needs. */
  toolsFor(clock: Clock, names: readonly string[], real: readonly FunctionTool[]): FunctionTool[];
  handlersFor(
    clock: Clock,
    names: readonly string[],
    real: Readonly<Record<string, Handler>>,
  ): Readonly<Record<string, Handler>>;
}

/** Creates a ledger in which a repeated key takes effect once, as in a system that checks keys. */
export function createToolLedger(): ToolLedger {
  const runs: ToolRun[] = [];
  const unknown: { name: string; turn: number }[] = [];
  const standIns = new Map<string, ToolStandIn>();
  const attempts = new Map<string, number>();
  const done = new Map<string, ToolOutcome>();
  let turn = 0;

  const begin = (name: string, args: JsonObject, { key, attempt }: FlowToolContext, clock: Clock): ToolRun => {
    const run: ToolRun = { name, args, key, attempt, turn, startedAt: clock.now(), endedAt: null, outcome: 'hung' };
    runs.push(run);
    return run;
  };
  const runReal = async (run: ToolRun, clock: Clock, work: () => unknown): Promise<unknown> => {
    try {
      const result = await work();
      run.outcome = 'returned';
      return result;
    } catch (error) {
      run.outcome = 'threw';
      throw error;
    } finally {
      run.endedAt = clock.now();
    }
  };
  const runStandIn = async (
    standIn: ToolStandIn,
    args: JsonObject,
    context: FlowToolContext,
    run: ToolRun,
    clock: Clock,
  ): Promise<ToolOutcome> => {
    const doneKey = `${run.name} ${run.key}`;
    const before = done.get(doneKey);
    if (before !== undefined) {
      run.outcome = 'repeated';
      run.endedAt = clock.now();
      // The process that it was done for may have died before it stored anything.
      return applied(before, context);
    }
    const nth = attempts.get(run.name) ?? 0;
    attempts.set(run.name, nth + 1);
    const outcome = outcomeFor(standIn, args, nth);
    const { hangs, throws } = outcome;
    if (hangs === true) await forever(context);
    else if (hangs !== undefined) await pause(clock, lengthMs(hangs), context);
    if (outcome.after !== undefined) await pause(clock, lengthMs(outcome.after), context);
    run.endedAt = clock.now();
    if (throws !== undefined) {
      run.outcome = 'threw';
      throw thrownAs(throws);
    }
    run.outcome = 'returned';
    done.set(doneKey, outcome);
    return applied(outcome, context);
  };

  return {
    runs,
    unknown,
    standIn(tools) {
      for (const [name, tool] of Object.entries(tools)) {
        standIns.set(name, tool);
        attempts.delete(name);
      }
    },
    setTurn: (next) => void (turn = next),
    toolsFor(clock, names, real) {
      const byName = new Map(real.map((tool) => [tool.name, tool]));
      return [...new Set([...names, ...byName.keys()])].flatMap((name) => {
        const tool = byName.get(name);
        const own = tool === undefined ? undefined : flowRunOf(tool);
        // A tool that is not from `flowTool` runs unchanged, unless it has a stand-in.
        if (tool !== undefined && own === undefined && !standIns.has(name)) return [tool];
        return [
          toolOf({
            name,
            description: tool?.description ?? name,
            parameters: own === undefined ? z.looseObject({}) : parametersOf(tool),
            execute: async (given, context) => {
              const args = given as JsonObject; // Arguments of a call come from JSON.
              const run = begin(name, args, context, clock);
              const standIn = standIns.get(name);
              if (standIn !== undefined) {
                const { returns, next: node } = await runStandIn(standIn, args, context, run, clock);
                return node === undefined ? returns : next(returns, node);
              }
              if (own !== undefined)
                return await runReal(run, clock, () => own(args, context, tool !== undefined && isWriting(tool)));
              unknown.push({ name, turn });
              return await runReal(run, clock, () => ({ ok: true }));
            },
          }),
        ];
      });
    },
    handlersFor(clock, names, real) {
      const all = new Set([...names, ...Object.keys(real)]);
      return Object.fromEntries(
        [...all].map((name): [string, Handler] => [
          name,
          async (input, context) => {
            const run = begin(name, input, context, clock);
            const standIn = standIns.get(name);
            if (standIn !== undefined) {
              const { returns, next: node } = await runStandIn(standIn, input, context, run, clock);
              return node === undefined ? returns : node;
            }
            return await runReal(run, clock, () => real[name]?.(input, context));
          },
        ]),
      );
    },
  };
}

function parametersOf(tool: FunctionTool | undefined): z.ZodObject {
  const { parameters } = tool ?? {};
  return parameters instanceof z.ZodObject ? parameters : z.looseObject({});
}

function outcomeFor({ cases = [], sequence, ...own }: ToolStandIn, args: JsonObject, nth: number): ToolOutcome {
  const fitting = cases.find((one) => isSubset(one.args, args));
  if (fitting !== undefined) return fitting;
  return sequence === undefined ? own : (sequence[Math.min(nth, sequence.length - 1)] ?? own);
}

/** Sets the values that a stand-in's code sets. */
function applied(outcome: ToolOutcome, context: FlowToolContext): ToolOutcome {
  for (const [name, value] of Object.entries(outcome.sets ?? {})) context.set(name, value);
  return outcome;
}

function thrownAs(throws: NonNullable<ToolOutcome['throws']>): Error {
  if (typeof throws === 'string') return new Error(throws);
  const { message = 'The tool has failed.', code } = throws;
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** Waits, at most until the attempt is abandoned. */
function pause(clock: Clock, ms: number, { signal }: FlowToolContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(new Error('The call was given up.'));
    };
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function forever({ signal }: FlowToolContext): Promise<Json> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The call was given up.')), { once: true });
  });
}
