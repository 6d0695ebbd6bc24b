import { createRequire } from 'node:module';
import { env } from 'node:process';

/** Why SQLite cannot be used here; null where it can. Where nothing may be skipped, it throws instead. */
export function whyNoSqlite(): string | null {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => { close(): void };
    new Database(':memory:').close();
    return null;
  } catch (error) {
    const reason = 'better-sqlite3 is not built here: node .ci/setup.mjs sqlite';
    if (env['CI'] === 'true') throw new Error(reason, { cause: error });
    return reason;
  }
}
