import type { SendOutcome } from '../../model/ports/channel.ts';
import type { Hub } from '../../model/ports/hub.ts';

/** Open agent runs, and ways to send messages to them. */
export interface AgentRuns {
  /** Registers an agent run of a node. Returns a function to call when it ends. */
  begin(runId: string, nodeId: string): () => void;
  /** The run that began last; undefined if none is open. */
  readonly latest: string | undefined;
  sendToRun(runId: string, message: string): SendOutcome;
  sendTo(nodeId: string, message: string): SendOutcome;
  closeRun(runId: string): SendOutcome;
}

export function createAgentRuns(hub: Hub): AgentRuns {
  const nodes = new Map<string, string>();
  /** Runs that are ending: they would not read further messages. */
  const closed = new Set<string>();
  const runs: AgentRuns & { latest: string | undefined } = {
    latest: undefined,
    begin(runId, nodeId) {
      nodes.set(runId, nodeId);
      runs.latest = runId;
      return () => {
        nodes.delete(runId);
        closed.delete(runId);
        runs.latest = [...nodes.keys()].at(-1);
      };
    },
    sendToRun(runId, message) {
      const nodeId = nodes.get(runId);
      if (nodeId === undefined || closed.has(runId)) return over(`run "${runId}" of an agent`);
      hub.emit('session:message', { content: message, runId, nodeId }, { runId, nodeId });
      return { ok: true, runId };
    },
    sendTo(nodeId, message) {
      const latest = [...nodes].findLast(([, one]) => one === nodeId);
      return latest === undefined ? over(`run of an agent in node "${nodeId}"`) : runs.sendToRun(latest[0], message);
    },
    closeRun(runId) {
      const nodeId = nodes.get(runId);
      if (nodeId === undefined) return over(`run "${runId}" of an agent`);
      closed.add(runId);
      hub.emit('session:close', { runId }, { runId, nodeId });
      return { ok: true, runId };
    },
  };
  return runs;
}

function over(what: string): SendOutcome {
  const message = `there is no ${what} that can be reached. It has ended or is closed, or has not begun.`;
  return { ok: false, code: 'run-over', message };
}
