import type { Graph } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { firstWait, flowRunBy } from '../../graph/nodes/outside-waits.ts';
import type { Registered } from '../../graph/compile/registered.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { placeOf } from '../place.ts';

/**
 * Reports nodes of a conversation that run tasks with outside waits, in a flow or in a body. Their journal belongs to
 * the conversation, so no process could continue them after the caller has hung up.
 */
export function checkWaitingTasks(report: Report, graph: Graph, sources: NodeSources, registered: Registered): void {
  const { waitOf = () => null } = registered;
  for (const source of sources.values()) {
    const task = graph.nodes.get(source.id)?.task ?? null;
    if (task === null) continue;
    const called = flowRunBy({ task });
    const inFlow = called === null ? null : waitOf(called);
    if (called !== null && inFlow !== null)
      addProblem(
        report,
        'error',
        'wait-in-conversation',
        [...source.path, 'input', task.type.runsFlow ?? ''],
        `flow "${called}" waits at "${inFlow}" for a person outside of the call. A node of a conversation cannot wait like this.`,
        {
          hint: `Let a function run it: functions: [{ name: NAME, run: ${called} }], and call: NAME to run it on entry.`,
        },
      );
    const inBody = task.body === null ? null : firstWait(task.body, waitOf);
    if (inBody === null) continue;
    const { path, atKey } = placeOf(source);
    addProblem(
      report,
      'error',
      'wait-in-conversation',
      path,
      `the body of node "${source.id}" waits at "${inBody}" for a person outside of the call. A node of a conversation cannot wait like this.`,
      {
        hint: 'Make the node a task flow and let a function run it (run: FLOW), or wait in a node of the conversation itself.',
        atKey,
      },
    );
  }
}
