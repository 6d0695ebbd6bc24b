import { createRequire } from 'node:module';
import { env } from 'node:process';

/** Returns why SQLite cannot be used here; null if it can. Throws instead if no test may be skipped. */
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
