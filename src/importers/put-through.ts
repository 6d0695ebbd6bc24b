import type { Draft } from './draft.ts';
import type { DraftNode, DraftSpoken } from './draft-node.ts';
import type { SourcePlace } from './source.ts';
import { shortly } from './words.ts';

/** A transfer as another product describes it. */
export interface ForeignTransfer {
  /** The number or SIP address; empty if it is unknown. May contain `{{ names }}` of ours. */
  readonly to: string;
  readonly isWarm?: boolean;
  /** The kind of transfer in the words of the product, for the note. */
  readonly kind?: string;
  readonly say?: DraftSpoken | undefined;
  /** The node for a person who is not reached; undefined if the product defines none. */
  readonly failed?: string | undefined;
  readonly about?: Pick<DraftNode, 'description'>;
}

/** A number or SIP address that a transfer can dial, or a name that holds one. */
const dialable = /^(?:tel:)?\+?[\d ().-]{3,}$|^sips?:\S+$|\{\{/;

/**
 * Writes a node that puts the caller through, or ends the flow for the reason `transferred` if the number is unknown.
 */
export function writePutThrough(
  draft: Draft,
  id: string,
  { to, isWarm = false, kind = '', say, failed, about = {} }: ForeignTransfer,
  place: SourcePlace,
): void {
  const line = say === undefined ? {} : { say };
  const what = `a transfer${kind === '' ? '' : ` (${kind})`}${to === '' ? '' : ` to ${shortly(to)}`}`;
  if (!dialable.test(to)) {
    draft.notes.changed(
      place,
      `${what} became the end of the flow for the reason "transferred": write transfer: with a number instead`,
    );
    return draft.node(id, { ...about, ...line, end: 'transferred' }, place);
  }
  draft.notes.changed(place, `${what} dials by your own trunk`);
  const onwards = failed ?? draft.id(`${id}_failed`);
  draft.node(
    id,
    { ...about, transfer: { to, ...(isWarm ? { mode: 'warm' } : {}), ...line }, default_transition: onwards },
    place,
  );
  if (failed === undefined)
    draft.node(onwards, { say: 'I am sorry, I could not put you through.', end: 'not_put_through' }, place);
}
