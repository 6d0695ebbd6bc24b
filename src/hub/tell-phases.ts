import type { Event } from '../events/event.ts';
import type { Hub } from '../ports/hub.ts';

/**
 * Tells a conversation in the words of a task flow: each flow that has the conversation is a phase, and each visit of a
 * node in it a task. Both are complete once the conversation leaves them. Returns what ends that, and completes both.
 */
export function tellPhases(hub: Hub): () => void {
  let phase: string | null = null;
  let task: string | null = null;
  const leave = (): void => {
    if (task !== null) hub.emit('task:complete', { taskId: task, result: null }, { nodeId: task });
    task = null;
  };
  const enter = (name: string | null): void => {
    leave();
    if (phase !== null) hub.emit('phase:complete', { name: phase });
    phase = name;
    if (name !== null) hub.emit('phase:start', { name });
  };
  const follow = ({ type, flowId = '', nodeId }: Event): void => {
    if (phase !== flowId) enter(flowId);
    if (type === 'node:left') leave();
    if (type !== 'node:entered' || nodeId === undefined) return;
    leave();
    task = nodeId;
    hub.emit('task:start', { taskId: nodeId }, { nodeId });
  };
  const stop = hub.subscribe('node:*', follow);
  return () => {
    stop();
    enter(null);
  };
}
