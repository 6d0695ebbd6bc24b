import type { ToolPayload } from '../events/effect.ts';
import type { EffectKey } from '../events/effect.ts';
import type { CallNext } from '../events/signal.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Cancellable } from './cancellable.ts';

/** How a function ended: its result and where it wants to go, or why it failed. */
export type ExecutionOutcome =
  | {
      readonly ok: true;
      readonly result: Json;
      readonly next?: CallNext;
      /** How many bytes the result had, where it was cut. */
      readonly cutFrom?: number;
      /** What it has set besides, by name. */
      readonly set?: JsonObject;
    }
  | { readonly ok: false; readonly error: string; readonly cancelled: boolean };

/** Runs registered functions by effect key: the same key while it runs is the same run. Never throws. */
export interface Executor {
  execute(key: EffectKey, call: ToolPayload, cancelled: Cancellable): Promise<ExecutionOutcome>;
}
