import type { CallWait, ToolPayload } from '../events/effect.ts';
import type { EffectKey } from '../events/effect.ts';
import type { CallNext } from '../events/signal.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Cancellable } from './cancellable.ts';

/** How a function ended: its result and where it wants to go, or why it failed. */
export type EndedOutcome =
  | {
      readonly ok: true;
      readonly isPending?: never;
      readonly result: Json;
      readonly next?: CallNext;
      /** How many bytes the result had, where it was cut. */
      readonly cutFrom?: number;
      /** What it has set besides, by name. */
      readonly set?: JsonObject;
    }
  | {
      readonly ok: false;
      readonly error: string;
      readonly cancelled: boolean;
      /** It did not end within its time. */
      readonly reason?: 'timeout';
    };

/** How a call of a function is answered: by its end, or by that it was begun and its outcome comes later, under the same key. */
export type ExecutionOutcome =
  | EndedOutcome
  | { readonly ok: true; readonly isPending: true; readonly waitsFor?: CallWait };

/** Runs registered functions by effect key: the same key while it runs is the same run. Never throws. */
export interface Executor {
  execute(key: EffectKey, call: ToolPayload, cancelled: Cancellable): Promise<ExecutionOutcome>;
}
