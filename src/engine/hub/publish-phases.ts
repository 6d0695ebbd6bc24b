import type { Correlation } from '../../model/events/envelope.ts';
import type { Event } from '../../model/events/event.ts';
import type { Hub } from '../../model/ports/hub.ts';

/**
 * Publishes a conversation in the events of a task flow: each active flow is a phase, and each node visit in it a task.
 * Both complete when the conversation leaves them. Returns a function that ends this and completes both.
 */
export function publishPhases(hub: Hub): () => void {
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
