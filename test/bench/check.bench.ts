import { Composer, LineCounter, Parser } from 'yaml';
import type { Graph } from '../../dist/flow/graph/graph.js';
import { checkFlow } from '../../dist/flow/load/check-flow.js';
import { builtinCatalog } from '../../dist/flow/nodes/builtin.js';
import { heapHeld } from './heap.ts';
import { largeFlow } from './large-flow.ts';
import type { Measure } from './measure.ts';
import { ratio } from './ratio.ts';
import { rounds } from './rounds.ts';

/** Parses YAML only, with the loader's options and line positions. */
function parseAlone(text: string): number {
  const lines = new LineCounter();
  const documents = new Composer({ uniqueKeys: false, merge: false }).compose(new Parser(lines.addNewLine).parse(text));
  return [...documents].length;
}

function checkAgainstYaml(nodes: number): Measure {
  const text = largeFlow(rounds(nodes, 20));
  return {
    name: `check.${nodes}.ratio_to_yaml`,
    unit: 'times',
    better: 'lower',
    limit: 2,
    run: () =>
      ratio({
        candidate: () => checkFlow(text, { catalog: builtinCatalog }),
        baseline: () => parseAlone(text),
        baselineName: 'YAML parse',
      }),
  };
}

/** Compiles a flow of 10,000 nodes, and drops its text. */
export function compileTenThousand(): Graph {
  const { graph } = checkFlow(largeFlow(rounds(10_000, 20)), { catalog: builtinCatalog });
  if (graph === null) throw new Error('The flow of the benchmark is broken.');
  return graph;
}

export const measures: Measure[] = [
  checkAgainstYaml(1_000),
  checkAgainstYaml(10_000),
  {
    name: 'graph.10000.mb',
    unit: 'MB',
    better: 'lower',
    limit: 60,
    async run() {
      const { value, baseline, runs } = await heapHeld(import.meta.url, 'compileTenThousand');
      return { value: value / 1e6, baseline, runs };
    },
  },
];
