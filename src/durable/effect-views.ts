import type { Effect } from '../events/effect.ts';
import type { JsonObject } from '../events/json.ts';
import type { OpenEffect, OutboxIntent, WaitRecord } from '../ports/store.ts';

/** A wait as the effect that it is. Waits that the kernel has not opened itself belong to no node. */
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
  return effect as unknown as Effect; // The kernel's own type knows only the waits that it answers itself.
}

export function waitOfEffect({ sessionId, effect }: OpenEffect): WaitRecord {
  // As effectOfWait wrote it; those of the kernel have a version of their own.
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

/** The name of the event that an effect waits for; undefined where it waits for none. */
export function eventOf({ payload }: Effect): unknown {
  return 'event' in payload ? payload.event : undefined;
}

export function effectOfIntent({ intentId: key, kind, payload }: OutboxIntent): Effect {
  return { key, kind, state: 'intended', node: '', visit: 0, payload } as unknown as Effect; // Whoever enqueues it knows the kind's payload.
}

export function intentOfEffect({ sessionId, effect }: OpenEffect): OutboxIntent {
  const { key, kind, payload } = effect;
  return { intentId: key, sessionId, kind, payload: payload as unknown as OutboxIntent['payload'] }; // Payloads are JSON.
}

/** What a turn has come to, as an effect that is done: it is read where the others of its session are. */
export function resultOfTurn(inputKey: string, result: JsonObject): Effect {
  const rest = { kind: 'task', state: 'done', node: '', visit: 0, payload: { type: 'turn' } } as const;
  return { key: `${inputKey}/turn`, ...rest, result };
}
