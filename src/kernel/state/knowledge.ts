import type { Json, JsonObject } from '../../model/json.ts';
import type { ValueSource } from '../../model/provenance.ts';

/** The data of the conversation. */
export interface SessionKnowledge {
  /** The time zone of dates and times. */
  readonly timeZone: string;
  readonly input: JsonObject;
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly variables: JsonObject;
  readonly outputs: JsonObject;
  /** Results by name, with the node and the arguments that computed them. Reset by a write. */
  readonly computed: Readonly<Record<string, { readonly node: string; readonly arguments: JsonObject }>>;
  /** Optional slots that the caller declined: they are not asked for again. */
  readonly declined: readonly string[];
  /** Known slots to ask for again. Each value stays until there is a new one. */
  readonly askAgain: readonly string[];
}

export interface SlotValue {
  readonly value: Json;
  /** False while a read-back is due: the author requires one, or the value is ungrounded. */
  readonly confirmed: boolean;
  /** Origin of the value; absent in older sessions. */
  readonly source?: ValueSource;
  /** Whether the value was found in the caller's words or at its other origin; null if undecidable. */
  readonly grounded?: boolean | null;
  /** Rules read it in the caller's words without certainty. Absent if certain, or from another origin. */
  readonly isSaid?: true;
  /** An ungrounded alternative. The known value stays until the caller confirms the alternative. */
  readonly proposed?: ProposedValue;
  /** The value that the caller rejected in favor of this one. */
  readonly denied?: Json;
}

/** A value that would replace a known one. */
export interface ProposedValue extends Required<Pick<SlotValue, 'value' | 'source'>>, Pick<SlotValue, 'isSaid'> {
  readonly grounded: false;
  /** No words of the caller stand for it: its read-back waits for the node's other questions. Absent in older sessions. */
  readonly isInvented?: true;
}

/** The data before the flow begins. */
export const noKnowledge: SessionKnowledge = {
  timeZone: 'UTC',
  input: {},
  slots: {},
  variables: {},
  outputs: {},
  computed: {},
  declined: [],
  askAgain: [],
};
