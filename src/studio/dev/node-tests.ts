import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Files } from '../desk.ts';
import type { NodeTests } from '../protocol/flow-news.ts';

/** How long the tests of a flow may take, in milliseconds; what takes longer is not told. */
const longestMs = 120_000;
const largestAnswer = 20_000_000;

/** Which tests come through which node, played in a process of their own when somebody asks, and again once a file has changed. */
export interface NodeTestsOf {
  of(flowFile: string, files: Pick<Files, 'list'>): Promise<NodeTests>;
  stop(): void;
}

/** `program` plays the tests: it is called with `covering`, the flow and the files of tests, and prints JSON. */
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
        // What an author's code prints stands before it.
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

/** The program is of this release; what is no JSON is not its answer. */
function answerIn(line: string): NodeTests | null {
  try {
    return { nodes: JSON.parse(line) as NodeTests['nodes'], why: null };
  } catch {
    return null;
  }
}
