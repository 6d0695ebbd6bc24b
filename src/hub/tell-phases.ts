import type { Correlation } from '../events/envelope.ts';
import type { Event } from '../events/event.ts';
import type { Hub } from '../ports/hub.ts';

/**
 * Tells a conversation in the words of a task flow: each flow that has the conversation is a phase, and each visit of a
 * node in it a task. Both are complete once the conversation leaves them. Returns what ends that, and completes both.
 */
export function tellPhases(hub: Hub): () => void {
  let phase: string | null = null;
  let task: { readonly id: string; readonly ids: Partial<Correlation> } | null = null;
  const leave = (): void => {
    if (task !== null) hub.emit('task:complete', { taskId: task.id, result: null }, task.ids);
    task = null;
  };
  const enter = (flowId: string | null): void => {
    leave();
    if (phase !== null) hub.emit('phase:complete', { name: phase }, { flowId: phase });
    phase = flowId;
    if (flowId !== null) hub.emit('phase:start', { name: flowId }, { flowId });
  };
  const follow = ({ type, flowId = '', nodeId, visit }: Event): void => {
    if (phase !== flowId) enter(flowId);
    if (type === 'node:left') leave();
    if (type !== 'node:entered' || nodeId === undefined) return;
    leave();
    task = { id: nodeId, ids: { flowId, nodeId, ...(visit === undefined ? {} : { visit }) } };
    hub.emit('task:start', { taskId: nodeId }, task.ids);
  };
  const stop = hub.subscribe('node:*', follow);
  return () => {
    stop();
    enter(null);
  };
}
