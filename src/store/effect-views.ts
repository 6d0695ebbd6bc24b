import type { Effect } from '../model/effect.ts';
import type { JsonObject } from '../model/json.ts';
import type { OutboxIntent, WaitRecord } from './durable-contracts.ts';
import type { OpenEffect } from '../model/ports/store.ts';

/** Converts a wait to its effect. Waits that the kernel has not opened belong to no node. */
export function effectOfWait({ waitId: key, deadline, sessionId: _, type, resumeSchema, ...rest }: WaitRecord): Effect {
  const effect = {
    key,
    kind: 'wait',
    state: 'intended',
    node: '',
    visit: 0,
    payload: { wait: type, ...rest, ...(resumeSchema === undefined ? {} : { schema: resumeSchema }) },
    ...(deadline === undefined ? {} : { deadline }),
  };
  return effect as unknown as Effect; // The kernel's type covers only its own waits.
}

export function waitOfEffect({ sessionId, effect }: OpenEffect): WaitRecord {
  // As written by effectOfWait; the kernel's waits have their own version.
  const payload = effect.payload as unknown as Partial<WaitRecord> & {
    readonly wait: WaitRecord['type'];
    readonly schema?: WaitRecord['resumeSchema'];
  };
  const { wait: type, flowId, escalationId, proxyId, resumeVersion = 1, schema } = payload;
  const scheduleId = payload.scheduleId ?? (type === 'scheduler' ? effect.key : undefined);
  return {
    waitId: effect.key,
    type,
    sessionId,
    ...(flowId === undefined ? {} : { flowId }),
    ...(escalationId === undefined ? {} : { escalationId }),
    ...(proxyId === undefined ? {} : { proxyId }),
    ...(scheduleId === undefined ? {} : { scheduleId }),
    ...(effect.deadline === undefined ? {} : { deadline: effect.deadline }),
    resumeVersion,
    ...(schema === undefined ? {} : { resumeSchema: schema }),
  };
}

/** Returns the name of the event that an effect waits for, if any. */
export function eventOf({ payload }: Effect): unknown {
  return 'event' in payload ? payload.event : undefined;
}

export function effectOfIntent({ intentId: key, kind, payload }: OutboxIntent): Effect {
  return { key, kind, state: 'intended', node: '', visit: 0, payload } as unknown as Effect; // The sender knows the payload of the kind.
}

export function intentOfEffect({ sessionId, effect }: OpenEffect): OutboxIntent {
  const { key, kind, payload } = effect;
  return { intentId: key, sessionId, kind, payload: payload as unknown as OutboxIntent['payload'] }; // Payloads are JSON.
}

/** Returns the result of a turn as a completed effect, so it is read with the session's other effects. */
export function resultOfTurn(inputKey: string, result: JsonObject): Effect {
  const rest = { kind: 'task', state: 'done', node: '', visit: 0, payload: { type: 'turn' } } as const;
  return { key: `${inputKey}/turn`, ...rest, result };
}
