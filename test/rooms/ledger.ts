import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/** One thing that a function of a worker's agent has done. */
export interface LedgerEntry {
  readonly did: string;
  readonly [fact: string]: unknown;
}

/** Where a worker notes what its functions do, by the folder of its stage. */
export function ledgerVariables({ folder }: { readonly folder: string }): NodeJS.ProcessEnv {
  return { TEST_LEDGER: join(folder, 'ledger.jsonl') };
}

/** Notes that something was done; in the worker's process. */
export function note(entry: LedgerEntry): void {
  const file = env['TEST_LEDGER'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Whether a function is to wait before it does something for a session; in the worker's process. */
export function isHeld(session: string): boolean {
  return existsSync(`${env['TEST_LEDGER'] ?? ''}-${session}`);
}

/** Lets functions wait before they do something for a session, until what is returned is called; in the test's process. */
export function hold(folder: string, session: string): () => void {
  const file = `${ledgerVariables({ folder })['TEST_LEDGER'] ?? ''}-${session}`;
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}

/** All that was done so far; in the test's process. */
export function readLedger(folder: string): readonly LedgerEntry[] {
  const file = ledgerVariables({ folder })['TEST_LEDGER'] ?? '';
  if (!existsSync(file)) return [];
  // Written by `note`.
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry);
}
