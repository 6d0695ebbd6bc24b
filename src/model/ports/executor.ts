import type { ToolPayload } from '../effect.ts';
import type { CallWait } from '../outside-wait.ts';
import type { EffectKey } from '../effect.ts';
import type { CallNext } from '../signals/signal.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Cancellable } from './cancellable.ts';

/** The end of a function call: its result and next node, or the reason for its failure. */
export type EndedOutcome =
  | {
      readonly ok: true;
      readonly isPending?: never;
      readonly result: Json;
      readonly next?: CallNext;
      /** Size of the result in bytes before it was truncated; absent if it is complete. */
      readonly cutFrom?: number;
      /** Other values that the function set, by name. */
      readonly set?: JsonObject;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly cancelled: boolean;
      /** Present if the function exceeded its time limit. */
      readonly reason?: 'timeout';
    };

/** The outcome of a call: its end, or `isPending` if the outcome arrives later under the same key. */
export type ExecutionOutcome =
  | EndedOutcome
  | { readonly ok: true; readonly isPending: true; readonly waitsFor?: CallWait };

/** Runs registered functions by effect key. A second call with the key of a running one joins that run. Never throws. */
export interface Executor {
  execute(key: EffectKey, call: ToolPayload, cancelled: Cancellable): Promise<ExecutionOutcome>;
}
