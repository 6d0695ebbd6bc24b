import { type ExpressionBuilder, sql } from 'kysely';
import { type Effect, type EffectKey, effectKinds } from '../../model/effect.ts';
import type { EffectStore, OpenEffect, OpenEffectQuery } from '../../model/ports/store.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import { eventOf } from '../effect-views.ts';
import type { SqlParts } from './database.ts';
import { isOwned } from './leases.ts';
import { parsed } from './stored-text.ts';
import type { OwnEffects, Tables } from './tables.ts';

/** Stores effects and the claims on shared ones. */
export function sqlEffects({ database, clock, run }: SqlParts): EffectStore {
  const { db } = database;
  /** With an `event`, the result may contain effects whose text only looks like it. */
  const openPage = async ({ kind, dueBy, event, after, limit }: OpenEffectQuery): Promise<readonly OpenEffect[]> => {
    const open = db
      .selectFrom('roomflow_effects')
      .select(['session_id', 'effect', 'attempts', 'reason'])
      .where('kind', '=', kind)
      .where(isNoSpeech)
      .where(isOpen)
      .$if(dueBy !== undefined && kind === 'wait', (query) => query.where(isWaitWithDeadline))
      .$if(dueBy !== undefined, (query) => query.where('deadline', '<=', dueBy ?? 0).orderBy('deadline'))
      .$if(event !== undefined, (query) => query.where(holdsEvent(event ?? '')))
      .limit(limit);
    const placed = open.orderBy('session_id').orderBy('token').orderBy('place').orderBy('item');
    const addressed = open.orderBy('session_id').orderBy('key');
    if (after === undefined) return (await placed.execute()).map(toOpenEffect);
    if (after === null) return (await addressed.execute()).map(toOpenEffect);
    const isAfter = (where: ExpressionBuilder<Tables, 'roomflow_effects'>) =>
      where(
        where.refTuple('session_id', 'key'),
        '>',
        where.tuple(toColumnText(after.sessionId), toColumnText(after.key)),
      );
    return (await addressed.where(isAfter).execute()).map(toOpenEffect);
  };
  return {
    list: (sessionId) =>
      run(async () => {
        const id = toColumnText(sessionId);
        const shared = await db
          .selectFrom('roomflow_effects')
          .select(['token', 'place', 'item', 'effect'])
          .where('session_id', '=', id)
          .execute();
        const steps = await db
          .selectFrom('roomflow_steps')
          .select(['token', 'place', 'own_effects'])
          .where('session_id', '=', id)
          .where('own_effects', 'is not', null)
          .orderBy('token')
          .orderBy('place')
          .execute();
        const read = (text: string | null): unknown => parsed(text, `an effect of session "${sessionId}"`);
        const found = new Map<EffectKey, PlacedEffect>();
        for (const { effect, ...place } of shared) {
          const one = read(effect) as Effect;
          found.set(one.key, { ...place, effect: one });
        }
        for (const { token, place, own_effects } of steps)
          for (const [item, effect] of read(own_effects) as OwnEffects)
            found.set(effect.key, { token, place, item, ...found.get(effect.key), effect });
        return [...found.values()].toSorted(inOrder).map(({ effect }) => effect);
      }),
    listOpen: (query) =>
      run(async () => {
        const { event, limit } = query;
        if (event === undefined) return await openPage(query);
        const found: OpenEffect[] = [];
        for (let after = query.after ?? null; ;) {
          const page = await openPage({ ...query, after });
          found.push(...page.filter(({ effect }) => eventOf(effect) === event));
          const last = page.at(-1);
          if (last === undefined || page.length < limit || found.length >= limit) return found.slice(0, limit);
          after = { sessionId: last.sessionId, key: last.effect.key };
        }
      }),
    claim: ({ kind, ttlMs, limit }) =>
      run(async () => {
        const now = clock.now();
        const free = db
          .selectFrom('roomflow_effects')
          .select(['session_id', 'key'])
          .where('kind', '=', kind)
          .where(isNoSpeech)
          .where('state', '=', 'intended')
          .where('not_before', '<=', now)
          .$if(effectKinds[kind].performedBy !== 'dispatcher', (query) =>
            query.where((where) =>
              where.not(
                where.exists(
                  where
                    .selectFrom('roomflow_sessions')
                    .select('id')
                    .whereRef('id', '=', 'roomflow_effects.session_id')
                    .where(isOwned(database, 'roomflow_sessions')),
                ),
              ),
            ),
          )
          .orderBy('not_before')
          .orderBy('session_id')
          .orderBy('token')
          .orderBy('place')
          .orderBy('item')
          .limit(limit)
          .$if(database.skipsLocked, (query) => query.forUpdate().skipLocked());
        const claimed = await db
          .updateTable('roomflow_effects')
          .set({ not_before: now + ttlMs })
          .where((where) => where(where.refTuple('session_id', 'key'), 'in', free.$asTuple('session_id', 'key')))
          .returning(['session_id', 'token', 'place', 'item', 'effect', 'attempts', 'reason'])
          .execute();
        return claimed.toSorted(inOrder).map(toOpenEffect);
      }),
    update: (effects, { until, reason }) =>
      run(async () => {
        if (effects.length === 0) return;
        await db
          .updateTable('roomflow_effects')
          .set({
            not_before: until,
            ...(reason === undefined ? {} : { attempts: sql<number>`attempts + 1`, reason: toColumnText(reason) }),
          })
          .where((where) =>
            where.or(
              effects.map(({ sessionId, key }) =>
                where.and([where('session_id', '=', toColumnText(sessionId)), where('key', '=', toColumnText(key))]),
              ),
            ),
          )
          .execute();
      }),
  };
}

/** An effect with its position in the order of creation. */
interface PlacedEffect extends EffectPlace {
  readonly effect: Effect;
}

interface EffectPlace {
  readonly token: number;
  readonly place: number;
  readonly item: number;
}

function inOrder(a: EffectPlace, b: EffectPlace): number {
  return a.token - b.token || a.place - b.place || a.item - b.item;
}

function toOpenEffect(row: OpenColumns): OpenEffect {
  const sessionId = fromColumnText(row.session_id);
  const { attempts, reason } = row;
  const failed = reason === null ? {} : { failed: { times: attempts, reason: fromColumnText(reason) } };
  return { sessionId, effect: parsed(row.effect, `an effect of session "${sessionId}"`) as Effect, ...failed };
}

interface OpenColumns {
  readonly session_id: string;
  readonly effect: string;
  readonly attempts: number;
  readonly reason: string | null;
}

/** Returns a condition for the text of an effect's event. It may match other texts. */
function holdsEvent(name: string) {
  const member = JSON.stringify({ event: name }).slice(1, -1);
  return sql<boolean>`effect like ${`%${member.replaceAll(/[%_!]/g, '!$&')}%`} escape '!'`;
}

/** Written exactly as in the indexes: SQLite uses a partial index only if the query repeats its condition. */
const isNoSpeech = sql<boolean>`kind not in ('say', 'reply')`;

const isOpen = sql<boolean>`state in ('intended', 'started')`;

const isWaitWithDeadline = sql<boolean>`kind = 'wait' and deadline is not null`;
