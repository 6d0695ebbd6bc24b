import { AgentDispatchClient } from 'livekit-server-sdk';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { startPostgres, whyNoPostgres } from '../durable/postgres-server.ts';
import { joinRoom } from '../rooms/caller.ts';
import { startLeashed } from '../rooms/leashed.ts';
import { freePort, startLivekitServer } from '../rooms/livekit-server.ts';
import { median, type Reading } from './measure.ts';

/** Number of calls, and of approvals in each. */
const calls = 2;
const approvals = 5;
/** How long the agent is silent before the next approval. */
const silenceMs = 700;
const limitMs = 60_000;

/**
 * Measures the time from a decision over HTTP to its result in the caller's ear, in a real room; on Postgres if it is
 * available.
 */
export async function approvalToSpeech(program: string): Promise<Reading> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-bench-'));
  const server = await startLivekitServer(program);
  const postgres = whyNoPostgres() === null ? await startPostgres() : null;
  const port = await freePort();
  const root = join(import.meta.dirname, '../..');
  const config = join(import.meta.dirname, 'rooms-approval-config.mjs');
  const worker = startLeashed(execPath, [join(root, 'dist/cli/main.js'), 'worker', '--config', config], {
    ...server.variables,
    ROOMFLOW_STORE: (await postgres?.createDatabase()) ?? `sqlite:${join(folder, 'calls.db')}`,
    BENCH_HTTP_PORT: String(port),
  });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const headers = { Authorization: 'Bearer desk', 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...sent });
    if (!answer.ok) throw new Error(`${path} is answered by ${answer.status}.`);
    return await answer.json();
  };
  try {
    await worker.hasSaid(/registered worker/, 120_000);
    await worker.hasSaid(/http:listening/, 120_000);
    const delaysMs: number[] = [];
    for (let call = 0; call < calls; call += 1) delaysMs.push(...(await inOneCall()));
    const worst = Math.max(...delaysMs).toFixed(0);
    return { value: median(delaysMs), baseline: `longest ${worst} ms`, runs: delaysMs.length };
  } finally {
    await worker.kill();
    await Promise.all([server.stop(), postgres?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }

  async function inOneCall(): Promise<readonly number[]> {
    const room = `bench-${randomUUID()}`;
    const caller = await joinRoom(server, room);
    const dispatches = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
    await dispatches.createDispatch(room, 'approvals', { metadata: JSON.stringify({ sessionId: room }) });
    const spoken = (): Promise<void> => caller.until(() => caller.sound().firstLoudAt > 0, 'a voice', limitMs);
    const quiet = (): Promise<void> =>
      caller.until(() => performance.now() - caller.sound().lastLoudAt > silenceMs, 'silence', limitMs);
    const delaysMs: number[] = [];
    try {
      await spoken();
      await quiet();
      // The first approval of a call is a warm-up.
      for (let approval = 0; approval <= approvals; approval += 1) {
        const { key, factsHash } = await openWait(room);
        caller.sound().mark();
        const since = performance.now();
        await ask(`/waits/${encodeURIComponent(key)}/resolve`, { resolution: { decision: 'approve' }, factsHash });
        await spoken();
        if (approval > 0) delaysMs.push(caller.sound().firstLoudAt - since);
        await quiet();
      }
    } finally {
      await caller.leave();
    }
    return delaysMs;
  }

  /** Returns the next open wait of the call. */
  async function openWait(sessionId: string): Promise<{ readonly key: string; readonly factsHash: string }> {
    for (const until = performance.now() + limitMs; performance.now() < until;) {
      const { waits } = (await ask('/waits')) as { waits: { key: string; sessionId: string; factsHash: string }[] };
      const wait = waits.find((one) => one.sessionId === sessionId);
      if (wait !== undefined) return wait;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The call waits for nobody.');
  }
}
