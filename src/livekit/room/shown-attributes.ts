import type { Room } from '@livekit/rtc-node';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Hub } from '../../model/ports/hub.ts';

/** Shows a started flow's name, node and status as attributes of the agent's participant, besides LiveKit's own. */
export function showAttributes(runner: { readonly hub: Hub; readonly state: SessionState }, room: Room): () => void {
  let shown = '';
  show();
  return runner.hub.subscribe('*', ({ type }) => {
    if (type === 'node:entered' || type === 'flow:started' || type === 'flow:ended' || type === 'flow:swapped') show();
  });

  function show(): void {
    const { flow, node } = runner.state.position;
    const { status } = runner.state;
    const attributes = { 'flow.name': flow?.id ?? '', 'flow.node': node, 'flow.status': status };
    const text = JSON.stringify(attributes);
    if (text === shown || !room.isConnected) return;
    shown = text;
    // Not awaited: it takes longer than a turn may, and it is not essential.
    room.localParticipant?.setAttributes(attributes).catch(() => undefined);
  }
}
