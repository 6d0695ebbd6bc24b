import { FlowError } from '../errors.ts';
import type { InboxStore } from '../ports/inbox.ts';

/** The inbox and the audit records on a database: not there yet. */
export function sqlInbox(): InboxStore {
  const refuse = (): never => {
    throw new FlowError('store-failed', 'the inbox is not kept in databases yet. Use the memory store.');
  };
  return {
    post: async () => refuse(),
    dueEntries: async () => [],
    nextDue: async () => null,
    claimEntries: async () => [],
    deferEntry: async () => refuse(),
    listEntries: async () => [],
    repost: async () => false,
    withdraw: async () => false,
    readAudit: async () => [],
    watchInbox: () => () => undefined,
  };
}
