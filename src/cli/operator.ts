import { userInfo } from 'node:os';
import type { OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { JsonObject } from '../events/json.ts';
import { writtenDown } from '../people/audit.ts';
import { type Action, type Actor, type Authority, createAuthority, refOf, type Resource } from '../people/authority.ts';
import type { NewAuditRecord } from '../ports/inbox.ts';
import type { Store } from '../ports/store.ts';
import { systemClock } from '../system.ts';

/** Whoever is at this terminal, and what they may do: all where the configuration has no `can`. */
export interface Operator {
  readonly actor: Actor;
  readonly authority: Authority | null;
}

/** The user of the operating system is the actor, as `os:NAME`. */
export function operatorOf(config: OpenedConfig | null): Operator {
  const { username } = userInfo();
  const can = config?.can;
  return {
    actor: { id: `os:${username}`, name: username },
    authority: can === undefined ? null : createAuthority({ can, clock: systemClock }),
  };
}

/** Why the user may not do something, and what is written down of it by whoever has the store at hand. */
class NotAllowedError extends FlowError {
  readonly record: NewAuditRecord;

  constructor(record: Omit<NewAuditRecord, 'outcome'>) {
    super(
      'not-allowed',
      `can does not let ${record.actor?.id ?? 'nobody'} do this (${record.action}). See agent.config.ts.`,
    );
    this.record = { ...record, outcome: 'denied', details: { ...record.details, reason: 'not-allowed' } };
  }
}

/** Throws `not-allowed`, as a NotAllowedError, where `can` of the configuration does not let the user do it. */
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
 * Throws `not-allowed` where the user may not see what is personal in a session. Who may is written down before they do,
 * where a configuration has rules about it; what `writeDown` throws keeps it from them.
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
 * Throws `not-allowed` where the user may not go on with a session as its caller: see it with what is personal, and speak in
 * it. Asked also of one that is not there, so that who may not is not told what there is.
 */
export async function assertMayGoOn(operator: Operator, sessionId: string, store: Pick<Store, 'post'>): Promise<void> {
  await assertMaySeeAll(operator, sessionId, store, ['session:read', 'proxy:say']);
  await writeAllowed(operator, 'proxy:say', sessionId, recordsInto(store));
}

/** Throws `not-allowed` where the user may not go on with a run: see what it yields. Asked like `assertMayGoOn`. */
export async function assertMayRun(operator: Operator, sessionId: string, store: Pick<Store, 'post'>): Promise<void> {
  await assertMaySeeAll(operator, sessionId, store, ['session:read']);
}

/** Throws `not-allowed` where the user may not do all of this, and see what is personal besides, which is written down. */
async function assertMaySeeAll(
  operator: Operator,
  sessionId: string,
  store: Pick<Store, 'post'>,
  actions: readonly Action[],
): Promise<void> {
  const writeDown = recordsInto(store);
  await denialsWrittenDown(writeDown, async () => {
    for (const action of actions) await assertAllowed(operator, action, { sessionId });
    await assertMayReveal(operator, sessionId, writeDown);
  });
}

/** Writes down what the user was let do, where a configuration has rules about it. */
async function writeAllowed(
  { actor, authority }: Operator,
  action: Action,
  sessionId: string,
  writeDown: (record: NewAuditRecord) => Promise<void>,
): Promise<void> {
  if (authority === null) return;
  await writeDown({ actor: refOf(actor), action, sessionId, details: {}, outcome: 'allowed' });
}

/** Writes records into the audit of a store. */
function recordsInto(store: Pick<Store, 'post'>): (record: NewAuditRecord) => Promise<void> {
  return async (record) => void (await store.post([], [record]));
}

/** Does what asks `can`, and writes down what is denied. A store that cannot be written to denies it all the same. */
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

/** What a user of the terminal changes; `sessionId` is that of the record, where it is another than the resource's. */
interface OperatorAct {
  readonly action: Action;
  readonly resource: Resource;
  readonly details: JsonObject;
  readonly sessionId?: string | null;
}

/**
 * Does what changes something, where the user may, and writes it down with its details before. Throws `not-allowed` and what
 * the act throws.
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
