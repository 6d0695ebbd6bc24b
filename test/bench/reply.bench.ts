import { Session } from 'node:inspector/promises';
// The built package, because tsx would add its own functions between Roomflow's.
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import type { Measure } from './measure.ts';

/** The files that a caller's sentence passes, and the frames of its reply down to the model. */
interface Way {
  /** Files with a function that was called between `send` and the end of the reply. */
  readonly files: number;
  readonly functions: number;
  /** Calls of these functions. */
  readonly calls: number;
  /** Roomflow's frames between LiveKit's reading of the reply and the request to the model, by file. */
  readonly frames: readonly string[];
}

const root = new URL('../../dist/', import.meta.url).href;
const ours = (url: string): boolean => url.startsWith(root) && !url.startsWith(`${root}testing/`);

async function wayOfOneSentence(): Promise<Way> {
  const model = new ScriptedModel({ desk: [{ text: 'Certainly.' }] });
  let stack = '';
  const chat = model.chat.bind(model);
  model.chat = (request) => {
    Error.stackTraceLimit = 200;
    ({ stack = '' } = new Error('Only its stack is of use.'));
    return chat(request);
  };
  const session = createTextSession(model);
  const flow = {
    initialNode: 'desk',
    nodes: {
      desk: { taskMessages: [{ role: 'system' as const, content: 'Be brief.' }], respondImmediately: false },
    },
  };
  const runner = new FlowRunner({ session, flow });
  model.nodeOf = () => runner.currentNode;
  await runner.start();
  const profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true });
  await runner.send('Could you help me?');
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  await runner.stop();
  void session.close();
  const called = result
    .filter(({ url }) => ours(url))
    .map(({ functions }) => functions.map(({ ranges: [whole] }) => whole?.count ?? 0).filter((count) => count > 0))
    .filter((counts) => counts.length > 0);
  const frames = stack
    .split('\n')
    .slice(1)
    .flatMap((line) => new RegExp(`${root}([^:)]+)`).exec(line)?.[1] ?? [])
    .toReversed();
  const counts = called.flat();
  const calls = counts.reduce((sum, count) => sum + count, 0);
  return { files: called.length, functions: counts.length, calls, frames };
}

/** Counts neighbours in different parts of the project. */
function crossings(frames: readonly string[]): number {
  const parts = frames.map((file) => file.split('/')[0]);
  return parts.filter((part, index) => index > 0 && part !== parts[index - 1]).length;
}

function measure(name: string, unit: string, of: (way: Way) => number, limit?: number): Measure {
  return {
    name: `way_of_reply.${name}`,
    unit,
    better: 'lower',
    ...(limit === undefined ? {} : { limit }),
    run: async () => {
      const way = await wayOfOneSentence();
      return {
        value: of(way),
        baseline: way.frames.filter((file, at) => file !== way.frames[at - 1]).join(' '),
        runs: 1,
      };
    },
  };
}

export const measures: Measure[] = [
  measure('crossings', 'times', ({ frames }) => crossings(frames), 2),
  measure('frames', 'calls', ({ frames }) => frames.length),
  measure('files', 'files', ({ files }) => files),
  measure('functions', 'functions', ({ functions }) => functions),
  measure('calls', 'calls', ({ calls }) => calls),
];
