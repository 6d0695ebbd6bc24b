// `npm run approval`: plays examples/refund-approval in a real room and kills everything but Postgres before and after
// each write. `-- --from 5 --to 8` selects some of the writes, `-- --caller leaves` one of the two callers.
import process from 'node:process';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { systemClock } from '../../../src/system.ts';
import { startPostgres, whyNoPostgres } from '../../durable/postgres-server.ts';
import { findLivekitServer, freePort, noServer, startLivekitServer } from '../livekit-server.ts';
import type { Patience, PlayedRefund, RefundEnd } from './play-refund.ts';
import { type KillPoint, openWriteProxy } from './write-proxy.ts';

const { values } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, caller: { type: 'string' } },
});
const [from, to] = [Number(values.from ?? 1), Number(values.to ?? Infinity)];
const patiences = (['stays', 'leaves'] as const).filter((one) => values.caller === undefined || values.caller === one);

const program = findLivekitServer();
const missing = program === null ? noServer : whyNoPostgres();
if (program === null || missing !== null) throw new Error(`Nothing to be killed: ${missing}.`);
// In other environments LiveKit's client logs every step to stdout. It reads the variable when it is loaded.
process.env['NODE_ENV'] ??= 'production';
const { playRefund } = await import('./play-refund.ts');
const { dispose } = await import('@livekit/rtc-node');
const [postgres, server] = await Promise.all([startPostgres(), startLivekitServer(program)]);

async function play(point: KillPoint | null, patience: Patience): Promise<PlayedRefund> {
  const own = await postgres.createDatabase();
  const url = new URL(own);
  const proxy = await openWriteProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const store = await openPostgresStore(own, { clock: systemClock });
  try {
    const httpPort = await freePort();
    return await playRefund({ server, proxy, address: url.href, store, httpPort }, point, patience);
  } finally {
    await store.close();
    await proxy.close();
  }
}

/**
 * A person who presses the button twice, without a confirmation of the first press, gets one more refusal. Everything
 * else must be equal.
 */
function isAlike(end: RefundEnd, whole: RefundEnd): boolean {
  const story = (one: RefundEnd): readonly string[] =>
    one.story.filter((line) => !line.includes('wait:resolve  denied'));
  return isDeepStrictEqual({ ...end, story: story(end) }, { ...whole, story: story(whole) });
}

let points = 0;
let divergences = 0;
try {
  for (const patience of patiences) {
    const whole = await play(null, patience);
    console.log(`The caller ${patience}: ${whole.writes} writes, ${JSON.stringify(whole.end)}`);
    for (let nth = from; nth <= Math.min(to, whole.writes); nth += 1)
      for (const when of ['before', 'after'] as const) {
        const began = Date.now();
        const found = await play({ nth, when }, patience).catch((error: unknown) => error as Error);
        const isFine = !(found instanceof Error) && isAlike(found.end, whole.end) && found.told <= found.lives;
        points += 1;
        divergences += isFine ? 0 : 1;
        const tookS = Math.round((Date.now() - began) / 1_000);
        const what = isFine
          ? `as it was, ${found.lives} lives`
          : found instanceof Error
            ? found.message
            : JSON.stringify(found);
        console.log(`${when} write ${nth} of ${whole.writes}: ${what} (${tookS} s)`);
      }
  }
} finally {
  await server.stop();
  await postgres.stop();
  await dispose();
}
console.log(`${points} points, ${divergences} divergences`);
process.exitCode = divergences === 0 ? 0 : 1;
