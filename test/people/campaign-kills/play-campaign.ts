import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../src/store/open-store.ts';
import { systemClock as clock } from '../../../src/system.ts';

const main = join(import.meta.dirname, '../../../dist/cli/main.js');
const config = join(import.meta.dirname, 'agent.config.mjs');

export interface CampaignOptions {
  readonly store: string;
  /** The file of the sent texts. */
  readonly ledger: string;
  readonly recipients: number;
  readonly processes: number;
  /** Maximum number of kills, at random times while people are being reached. */
  readonly kills: number;
  /** Maximum conversations started per second. Default: no limit. */
  readonly perSecond?: number;
  /** Time limit of the campaign, in milliseconds. */
  readonly withinMs: number;
  /** Maximum time between two kills, in milliseconds. */
  readonly killEveryMs: number;
  /** A random number from 0 up to 1. */
  readonly chance: () => number;
}

export interface CampaignOutcome {
  /** The keys of the texts to each number. */
  readonly reached: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of texts that a provider received, including repeated texts under one key. */
  readonly texts: number;
  readonly killed: number;
  /** The reasons of dead entries. */
  readonly dead: readonly (string | null)[];
  readonly ms: number;
}

/**
 * Runs one campaign in several processes of `roomflow serve` and kills them at random. Each killed process is replaced.
 * Ends the processes when all work is done.
 */
export async function playCampaign(options: CampaignOptions): Promise<CampaignOutcome> {
  const { recipients, processes, kills, killEveryMs, chance } = options;
  const variables = {
    ...env,
    CAMPAIGN_STORE: options.store,
    CAMPAIGN_LEDGER: options.ledger,
    CAMPAIGN_RECIPIENTS: String(recipients),
    CAMPAIGN_PER_SECOND: String(options.perSecond ?? ''),
    OPENAI_API_KEY: '',
  };
  const run = (...args: readonly string[]): ChildProcess =>
    spawn(execPath, [main, ...args, '--config', config], { env: variables, stdio: 'ignore' });
  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => child.once('close', (code) => resolve(code)));
  const serve = (): ChildProcess => run('serve', '--port', '0');
  const sent = (): readonly string[] =>
    existsSync(options.ledger) ? readFileSync(options.ledger, 'utf8').split('\n').filter(Boolean) : [];

  const began = performance.now();
  const code = await ended(run('campaign', 'start', 'recall'));
  if (code !== 0) throw new Error(`roomflow campaign start ended with ${code}.`);
  const store = await openStore(options.store, { clock });
  const workers = Array.from({ length: processes }, serve);
  let killed = 0;
  let nextKill = began + killEveryMs * chance();
  try {
    for (;;) {
      await pause(200);
      if (performance.now() - began > options.withinMs)
        throw new Error(`${sent().length} texts were sent to ${recipients} people, and it does not end.`);
      // The first kill waits until there is something to lose.
      if (killed < kills && performance.now() >= nextKill && sent().length > 0) {
        const place = Math.floor(chance() * workers.length);
        workers[place]?.kill('SIGKILL');
        workers[place] = serve();
        killed += 1;
        nextKill = performance.now() + killEveryMs * chance();
      }
      if (sent().length < recipients) continue;
      const [entry] = await store.inbox.list({ state: 'open', limit: 1 });
      const [message] = await store.effects.listOpen({ kind: 'message', limit: 1 });
      if (entry === undefined && message === undefined) break;
    }
    const dead = await store.inbox.list({ state: 'dead', limit: 100 });
    const lines = sent().map((line) => line.split(' '));
    const reached = new Map<string, Set<string>>();
    for (const [key = '', to = ''] of lines) reached.set(to, (reached.get(to) ?? new Set()).add(key));
    return {
      ...{ reached, texts: lines.length, killed, dead: dead.map(({ reason }) => reason) },
      ms: performance.now() - began,
    };
  } finally {
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        const end = ended(worker);
        worker.kill('SIGKILL');
        await end;
      }),
    );
    await store.close();
  }
}
