import type { Graph } from '../graph/graph.ts';
import { type Report, addProblem } from '../graph/report.ts';

/** Reports words for a machine that name a slot. They are said before the flow has asked for anything. */
export function checkCallee(report: Report, { slots }: Graph): void {
  for (const { reference, path, within } of report.names) {
    const [name = ''] = reference;
    if (path[0] !== 'callee' || !slots.has(name)) continue;
    addProblem(
      report,
      'error',
      'callee-says-slot',
      path,
      `slot "${name}" has no value before a person is on the line.`,
      {
        hint: 'Say words that anyone may hear, with names of input and state only.',
        ...(within === undefined ? {} : { within }),
      },
    );
  }
}
