import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Files } from '../sessions/desk.ts';
import type { NodeTests } from '../protocol/flow-news.ts';

/** Time limit of the tests of a flow, in milliseconds. */
const longestMs = 120_000;
const largestAnswer = 20_000_000;

/**
 * Finds the tests that reach each node. They are played in another process on demand, and again after a file has
 * changed.
 */
export interface NodeTestsOf {
  of(flowFile: string, files: Pick<Files, 'list'>): Promise<NodeTests>;
  stop(): void;
}

/** Creates the player. `program` is called with `covering`, the flow and the test files, and prints JSON. */
export function createNodeTests(program: string, root: string): NodeTestsOf {
  let last: { readonly key: string; readonly tests: Promise<NodeTests> } | null = null;
  const running = new Set<AbortController>();
  const play = (flowFile: string, tests: readonly string[]): Promise<NodeTests> =>
    new Promise((settle) => {
      const over = new AbortController();
      running.add(over);
      const args = [program, 'covering', flowFile, ...tests];
      const options = { cwd: root, timeout: longestMs, maxBuffer: largestAnswer, signal: over.signal };
      execFile(process.execPath, args, options, (error, printed) => {
        running.delete(over);
        const none = { nodes: {}, why: 'The tests of this flow cannot be played. Run roomflow test to see why.' };
        // Output of the author's code comes before the last line.
        settle(error === null ? (answerIn(printed.trimEnd().split('\n').at(-1) ?? '') ?? none) : none);
      });
    });
  return {
    of(flowFile, files) {
      const all = files.list();
      const tests = all.flatMap(({ path, kind }) => (kind === 'test' ? [resolve(root, path)] : []));
      if (tests.length === 0) return Promise.resolve({ nodes: {}, why: null });
      const key = JSON.stringify([flowFile, all.map(({ path, etag }) => [path, etag])]);
      if (last?.key !== key) last = { key, tests: play(flowFile, tests) };
      return last.tests;
    },
    stop() {
      for (const over of running) over.abort();
    },
  };
}

/** The program has the same release. A line that is not JSON is not its answer. */
function answerIn(line: string): NodeTests | null {
  try {
    return { nodes: JSON.parse(line) as NodeTests['nodes'], why: null };
  } catch {
    return null;
  }
}
