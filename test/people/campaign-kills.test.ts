import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import { postgresForTests } from '../durable/postgres-for-tests.ts';
import { whyNoPostgres } from '../durable/postgres-server.ts';
import { playCampaign } from './campaign-kills/play-campaign.ts';

const missing = whyNoPostgres();
const isFull = env['ROOMFLOW_CAMPAIGN'] === 'full';
/** The full run: ten thousand people as fast as possible, with kills until all are reached. */
const size = isFull
  ? { processes: 3, recipients: 10_000, kills: 1_000, killEveryMs: 20_000, withinMs: 1_800_000 }
  : { processes: 2, recipients: 40, kills: 2, killEveryMs: 1_500, withinMs: 240_000, perSecond: 8 };
const leastKills = isFull ? 10 : size.kills;

describe.skipIf(missing !== null)(missing ?? 'a campaign of several processes on Postgres', () => {
  const server = postgresForTests();
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-campaign-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(
    'writes to each recipient under one key, regardless of kills',
    async () => {
      const store = await server.createDatabase();
      const random = createSeededRandom(7);
      const outcome = await playCampaign({
        ...{ ...size, store, ledger: join(folder, 'ledger'), chance: () => random.next() },
      });
      const { reached, texts, killed, dead, ms } = outcome;
      if (isFull) console.log(`${reached.size} people, ${texts} texts, ${killed} kills, ${Math.round(ms / 1_000)} s`);
      expect(killed).toBeGreaterThanOrEqual(leastKills);
      expect(dead).toEqual([]);
      expect(reached.size).toBe(size.recipients);
      expect([...reached].filter(([, keys]) => keys.size !== 1)).toEqual([]);
    },
    isFull ? 7_200_000 : 300_000,
  );
});
