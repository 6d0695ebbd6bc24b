import type { InboxEntry } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';

/** Returns the recipient of an entry with its campaign and input; null for any other entry. */
export function recipientOf({
  correlation: { campaignId: campaign, recipientUserExternalId: id },
  signal,
}: InboxEntry): { readonly campaign: string; readonly id: string; readonly input: JsonObject } | null {
  if (campaign === undefined || id === undefined || signal.type !== 'session:started') return null;
  return { campaign, id, input: signal.input };
}
