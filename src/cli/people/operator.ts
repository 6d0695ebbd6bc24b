import { userInfo } from 'node:os';
import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { writtenDown } from '../../people/audit.ts';
import {
  type Action,
  type Actor,
  type Authority,
  createAuthority,
  refOf,
  type Resource,
} from '../../people/authority.ts';
import type { NewAuditRecord } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import { systemClock } from '../../system.ts';

/** The user at this terminal and their rights: without `can` in the configuration everything is allowed. */
export interface Operator {
  readonly actor: Actor;
  readonly authority: Authority | null;
}

/** Returns the user of the operating system as the actor `os:NAME`. */
export function operatorOf(config: OpenedConfig | null): Operator {
  const { username } = userInfo();
  const can = config?.can;
  return {
    actor: { id: `os:${username}`, name: username },
    authority: can === undefined ? null : createAuthority({ can, clock: systemClock }),
  };
}

/** A denied action, with the audit record that the holder of the store writes. */
class NotAllowedError extends FlowError {
  readonly record: NewAuditRecord;

  constructor(record: Omit<NewAuditRecord, 'outcome'>) {
    super(
      'not-allowed',
      `can does not let ${record.actor?.id ?? 'an unknown actor'} do this (${record.action}). See agent.config.ts.`,
    );
    this.record = { ...record, outcome: 'denied', details: { ...record.details, reason: 'not-allowed' } };
  }
}

/** Throws `not-allowed` (a NotAllowedError) if `can` of the configuration denies the action. */
export async function assertAllowed(
  { actor, authority }: Operator,
  action: Action,
  resource: Resource,
  { sessionId = resource.sessionId ?? null, details = {} }: Partial<Pick<OperatorAct, 'sessionId' | 'details'>> = {},
): Promise<void> {
  if (authority === null || (await authority.may(actor, action, resource))) return;
  throw new NotAllowedError({ actor: refOf(actor), action, sessionId, details });
}

/**
 * Throws `not-allowed` if the user may not see personal values of a session. If the configuration has rules, the access
 * is recorded before it is granted; an error of `writeDown` denies it.
 */
export async function assertMayReveal(
  operator: Operator,
  sessionId: string,
  writeDown: (record: NewAuditRecord) => Promise<void>,
): Promise<void> {
  await assertAllowed(operator, 'session:reveal', { sessionId });
  await writeAllowed(operator, 'session:reveal', sessionId, writeDown);
}

/**
 * Throws `not-allowed` if the user may not continue a session as its caller, that is see its personal values and speak
 * in it. Also called for sessions that do not exist, so that the answer does not reveal which ones do.
 */
export async function assertMayGoOn(operator: Operator, sessionId: string, store: Pick<Store, 'inbox'>): Promise<void> {
  await assertMaySeeAll(operator, sessionId, store, ['session:read', 'proxy:say']);
  await writeAllowed(operator, 'proxy:say', sessionId, recordsInto(store));
}

/** Throws `not-allowed` if the user may not continue a run, that is see its results. Called like `assertMayGoOn`. */
export async function assertMayRun(operator: Operator, sessionId: string, store: Pick<Store, 'inbox'>): Promise<void> {
  await assertMaySeeAll(operator, sessionId, store, ['session:read']);
}

/**
 * Throws `not-allowed` if the user may not perform all of these actions and see personal values. The access is
 * recorded.
 */
async function assertMaySeeAll(
  operator: Operator,
  sessionId: string,
  store: Pick<Store, 'inbox'>,
  actions: readonly Action[],
): Promise<void> {
  const writeDown = recordsInto(store);
  await denialsWrittenDown(writeDown, async () => {
    for (const action of actions) await assertAllowed(operator, action, { sessionId });
    await assertMayReveal(operator, sessionId, writeDown);
  });
}

/** Records an allowed action if the configuration has rules. */
async function writeAllowed(
  { actor, authority }: Operator,
  action: Action,
  sessionId: string,
  writeDown: (record: NewAuditRecord) => Promise<void>,
): Promise<void> {
  if (authority === null) return;
  await writeDown({ actor: refOf(actor), action, sessionId, details: {}, outcome: 'allowed' });
}

/** Returns a function that appends records to the audit of a store. */
function recordsInto(store: Pick<Store, 'inbox'>): (record: NewAuditRecord) => Promise<void> {
  return async (record) => void (await store.inbox.post([], [record]));
}

/** Runs an act that asks `can` and records a denial. If the store cannot be written, the act is denied all the same. */
export async function denialsWrittenDown<Result>(
  writeDown: (record: NewAuditRecord) => Promise<void>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NotAllowedError) await writeDown(error.record).catch(() => undefined);
    throw error;
  }
}

/**
 * A change by a user of the terminal. `sessionId` is the session of the audit record if it differs from the resource's.
 */
interface OperatorAct {
  readonly action: Action;
  readonly resource: Resource;
  readonly details: JsonObject;
  readonly sessionId?: string | null;
}

/**
 * Checks the right, writes the audit record and then performs the act. Throws `not-allowed` and the errors of the act.
 */
export async function actAs<Result>(
  operator: Operator,
  store: Store,
  { action, resource, details, sessionId = resource.sessionId ?? null }: OperatorAct,
  act: () => Promise<Result>,
): Promise<Result> {
  await assertAllowed(operator, action, resource, { sessionId, details });
  const record = { actor: refOf(operator.actor), action, sessionId, details };
  return await writtenDown(store, record, act);
}
