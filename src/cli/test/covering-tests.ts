import { resolve } from 'node:path';
import { openTest } from '../../flowtest/open-test.ts';
import { runTests } from '../../flowtest/run-tests.ts';
import type { CoveringTest } from '../../studio/protocol/flow-news.ts';

/**
 * Plays the conversation tests of a flow and returns, for each node, the tests that enter it. Scenarios with a live
 * model are skipped, so that looking at a node costs nothing, and only the memory store is used. Files that cannot be
 * opened and tests of other flows are ignored.
 */
export async function coveringTests(
  flowFile: string,
  testFiles: readonly string[],
): Promise<Readonly<Record<string, readonly CoveringTest[]>>> {
  const opened = await Promise.all(testFiles.map((file) => openTest(file)));
  const tests = opened.flatMap(({ test }) => {
    return test === null || resolve(test.flow.file) !== flowFile ? [] : [test];
  });
  const nodes: Record<string, CoveringTest[]> = {};
  for (const { test, scenarios } of await runTests(tests, { store: 'memory', withoutLive: true }))
    for (const { name, place, status, events } of scenarios) {
      const entered = events.flatMap(({ event }) =>
        event.type === 'node:entered' && event.flowId === test.flow.graph.name ? [event.nodeId ?? ''] : [],
      );
      const told = {
        name,
        file: test.file.replaceAll('\\', '/'),
        line: place?.line ?? null,
        passes: status === 'passed',
      };
      for (const id of new Set(entered)) (nodes[id] ??= []).push(told);
    }
  return nodes;
}
