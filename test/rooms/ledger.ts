import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/** An entry by a function of a worker's agent. */
export interface LedgerEntry {
  readonly did: string;
  readonly [fact: string]: unknown;
}

/** Returns the environment that makes a worker write its ledger into the folder of its stage. */
export function ledgerVariables({ folder }: { readonly folder: string }): NodeJS.ProcessEnv {
  return { TEST_LEDGER: join(folder, 'ledger.jsonl') };
}

/** Records an entry. Runs in the worker's process. */
export function note(entry: LedgerEntry): void {
  const file = env['TEST_LEDGER'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Whether a function must wait before it acts for a session. Runs in the worker's process. */
export function isHeld(session: string): boolean {
  return existsSync(`${env['TEST_LEDGER'] ?? ''}-${session}`);
}

/** Holds the functions of a session until the returned function is called. Runs in the test's process. */
export function hold(folder: string, session: string): () => void {
  const file = `${ledgerVariables({ folder })['TEST_LEDGER'] ?? ''}-${session}`;
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}

/** Returns all entries so far. Runs in the test's process. */
export function readLedger(folder: string): readonly LedgerEntry[] {
  const file = ledgerVariables({ folder })['TEST_LEDGER'] ?? '';
  if (!existsSync(file)) return [];
  // Written by `note`.
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry);
}
