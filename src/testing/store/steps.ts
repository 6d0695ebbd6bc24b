import type { Effect } from '../../model/effect.ts';
import type { Event } from '../../model/events/event.ts';
import type { InboxEntry } from '../../model/inbox.ts';
import type { Lease, LoggedSignal, StepCommit } from '../../model/ports/store.ts';

/** A commit of one signal from the beginning of a session. */
export function step(lease: Lease, changes: Partial<StepCommit> = {}): StepCommit {
  return {
    lease,
    baseSeq: 0,
    inputKeys: [],
    signals: [heard(1)],
    state: {},
    stateVersion: 1,
    graphHash: 'g',
    effects: [],
    events: () => [],
    ...changes,
  };
}

export function heard(seq: number): LoggedSignal {
  return { seq, signal: { type: 'user:turn', at: seq, eventId: `e${seq}`, text: 'yes', via: 'speech' } };
}

export function say(key: string, text: string): Effect {
  return { key, kind: 'say', state: 'intended', node: 'a', visit: 1, payload: { text, reason: 'node' } };
}

/** An effect that other processes may look for. */
export function action(key: string, name = 'notify'): Effect {
  const payload = { action: name, handler: name, when: 'post', data: {} } as const;
  return { key, kind: 'action', state: 'intended', node: 'a', visit: 1, payload };
}

export function event(seq: number): Event {
  const envelope = { id: `e${seq}`, seq, time: 1, sessionId: 's', requestId: 'r' };
  return { ...envelope, type: 'harness:start', data: { name: 'x' } };
}

/** A commit with every part filled, so that a test notices any part that is stored after a refusal. */
export function rich(lease: Lease, changes: Partial<StepCommit> = {}): StepCommit {
  const effects = [say(`${lease.sessionId}/9/9`, 'Rich.')];
  return step(lease, { state: { node: 'rich' }, graphHash: 'rich', inputKeys: ['rich'], effects, ...changes });
}

/** An entry for a session, due at a given time. */
export function entry(key: string, dueAt: number, sessionId = 's'): InboxEntry {
  const signal = { type: 'wait:resolved', key: `${sessionId}/1/1`, resolution: { ok: true } } as const;
  return { key, sessionId, dueAt, signal, reach: 'wait', correlation: {}, actor: null };
}

/** An open wait, with a deadline if one is given. */
export function wait(key: string, deadline?: number): Effect {
  return {
    key,
    kind: 'wait',
    state: 'intended',
    node: 'a',
    visit: 1,
    payload: { wait: 'confirm', say: 'Shall I?', subject: { kind: 'slot', slot: 'x', value: 1 } },
    ...(deadline === undefined ? {} : { deadline }),
  };
}
