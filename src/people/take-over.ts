import { keyPart } from '../model/key-part.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { createAuditBook } from './audit.ts';
import type { Actor, Authority } from './authority.ts';
import { refOf } from './authority.ts';
import { type PersonalAct, postAct } from './post-act.ts';

/** An act of an operator in the room of a call. */
export type OperatorAct =
  | { readonly do: 'start'; readonly participant: string }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'end'; readonly node?: string; readonly note?: string };

export interface TakeOverParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionId: string;
  /** Null if the configuration has no `can`: then every operator token is allowed. */
  readonly authority: Authority | null;
}

/**
 * Creates the handler for acts of operators in the room. Each act is checked by `can`, recorded and taken between
 * turns, like any input from outside. `id` is unique within the session. `act` resolves to false if it is denied.
 */
export function createTakeOver({ store, clock, sessionId, authority }: TakeOverParts) {
  const audit = createAuditBook({ store, clock });
  return {
    async act(actor: Actor, act: OperatorAct, id: string): Promise<boolean> {
      const action = `takeover:${act.do}` as const;
      if (authority !== null && !(await authority.may(actor, action, { sessionId }))) {
        await audit.denied({ actor: refOf(actor), action, sessionId, details: { reason: 'not-allowed' } });
        return false;
      }
      await postAct({ store, clock }, { sessionId, id, actor: refOf(actor), action, signal: signalOf(act) });
      return true;
    },
    /** Stores the operator's words to the caller. */
    async heard(actor: Actor, text: string, id: string): Promise<void> {
      const entry: InboxEntry = {
        ...{ key: `takeover:heard/${sessionId}/${keyPart(id)}`, sessionId, dueAt: clock.now(), actor: refOf(actor) },
        ...{ signal: { type: 'takeover:heard', text }, reach: 'wait', correlation: {} },
      };
      await store.inbox.post([entry]);
    },
  };
}

function signalOf(act: OperatorAct): PersonalAct['signal'] {
  switch (act.do) {
    case 'start':
      return { type: 'takeover:started', participant: act.participant };
    case 'say':
      return { type: 'takeover:said', text: act.text };
    case 'end': {
      const { node, note } = act;
      return {
        type: 'takeover:ended',
        ...(node === undefined ? {} : { node }),
        ...(note === undefined ? {} : { note }),
      };
    }
  }
}

/**
 * Parses the text that an operator typed. `/end` returns the call, optionally with a next node and a note for the
 * model; `/take` takes it over; any other text is spoken to the caller with the agent's voice.
 *
 * @example
 * readTyped('/end refund The card was charged twice.', (node) => node === 'refund');
 */
export function readTyped(text: string, isNode: (name: string) => boolean): OperatorAct | { readonly do: 'take' } {
  const [, command, rest = ''] = /^\/(end|take)(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  if (command === undefined) return { do: 'say', text };
  if (command.toLowerCase() === 'take') return { do: 'take' };
  const [, first = '', more = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest.trim()) ?? [];
  const to = isNode(first) ? { node: first } : {};
  const note = isNode(first) ? more.trim() : rest.trim();
  return { do: 'end', ...to, ...(note === '' ? {} : { note }) };
}
