import type { ContextStrategyName } from '../flow/context/context-strategies.ts';
import type { PutLine } from './dialogue/heard.ts';
import type { TaskQuestion } from './task-question.ts';
import type { Effect, EffectKey, OutsideWait, ToolPayload } from '../events/effect.ts';
import type { ActorRef, EntryCorrelation } from '../events/inbox.ts';
import type { FlowRef } from '../events/flow-ref.ts';
import type { Divergence, GeneratorYield, InboundWords } from '../events/generator-yield.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { ValueSource } from '../events/provenance.ts';
import type { Utterance } from '../events/dialogue.ts';

/** Grows when the shape of the state changes; an older state is upgraded by a named function (see upgrade.ts). */
export const stateVersion = 2;

/** All that a session knows: plain JSON, and the fold of its signals. */
export interface SessionState {
  readonly stateVersion: typeof stateVersion;
  readonly sessionId: string;
  /** Tells it from sessions of the same id that were deleted before it; 0 if none can have been. */
  readonly incarnation: number;
  /** `parked`: nothing is said or done until a person has seen to it. */
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  readonly timeZone: string;
  /** The language that the conversation was changed to; null while it is the flow's own. */
  readonly language: string | null;
  readonly flow: FlowRef;
  readonly node: string;
  /** How many nodes were entered so far: tells two visits of one node apart. */
  readonly visit: number;
  /** Inbound signals so far; with `ordinal` it makes the next effect's key. */
  readonly turn: number;
  readonly ordinal: number;
  /** Moves and generated replies of this turn, both bounded. */
  readonly transitions: number;
  readonly replies: number;
  /** Replies in a row that failed. */
  readonly failures: number;
  readonly lastFlowEventId: string | null;
  readonly input: JsonObject;
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly variables: JsonObject;
  readonly outputs: JsonObject;
  /** The node whose persona holds; null for the flow's. */
  readonly persona: string | null;
  /** Where what the model is shown begins; null shows everything. */
  readonly context: ContextCut | null;
  /** The slot or function that the caller's last words answered by a plain yes or no; null where the model is to answer them. */
  readonly answered: string | null;
  /** The caller's words of this turn, until they have been answered; null where there are none. */
  readonly words: HeardWords | null;
  /** The question that was put last is the model's own: a plain yes or no answers that one. */
  readonly modelAsked: boolean;
  /** Functions that the caller has refused with their last words: until they speak again, these are not offered. */
  readonly refused: readonly string[];
  /** How often in a row the caller has said no to the same question, by the question, with nothing told in between. */
  readonly refusals: Readonly<Record<string, number>>;
  /** The visit in which the caller last said yes to a call; 0 before the first. */
  readonly agreed: number;
  /** The visit whose line, a question, waits for what the words lead to that were said before it; 0 for none. */
  readonly lineDue: number;
  /** The slot whose question is open. */
  readonly pendingAskKey: string | null;
  /** How often in a row trouble led somewhere, without anything coming of it. */
  readonly troubles: number;
  /** The visit in which a catalog node that failed is being tried once more; 0 before the first. */
  readonly triedAgain: number;
  /** The caller has asked for patience: the next silence is theirs. */
  readonly patience: boolean;
  /** Optional slots that the caller was asked for and left unsaid: they are not asked for again. */
  readonly declined: readonly string[];
  /** Slots whose values are known and that are to be asked for again: each value stays until there is a new one. */
  readonly askAgain: readonly string[];
  /** What the agent has said in this turn, and in the one before it that was not silent. */
  readonly said: Said;
  readonly saidBefore: Said;
  /** The end of what the caller said in the turn before. */
  readonly callerSaid: CallerSaid;
  /** How often each text was spoken that has several wordings, by its place in the document. */
  readonly wordings: Readonly<Record<string, number>>;
  /** The slot's question that was put last: the visit and what is asked. */
  readonly asked: string | null;
  /** The line that put the flow's question last; null where none was put, and in a session of before. */
  readonly put: PutLine | null;
  /** The question of a task to the caller; null if none has asked since the last answer. */
  readonly taskQuestion: TaskQuestion | null;
  /** How the open question is going; null where nothing of it was left unanswered yet. */
  readonly ladder: LadderState | null;
  /** How often in a row the open question was left unanswered, by its node and its slot. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Calls that still need a yes, behind the one being asked about. */
  readonly confirmations: readonly ToolPayload[];
  /** The last call of the function that the node names by `call`; of another visit it says nothing. */
  readonly nodeCall: { readonly visit: number; readonly arguments: JsonObject; readonly isDone: boolean } | null;
  /** By the name that keeps it: which node's call has computed a result, and from what; until a write was made. */
  readonly computed: Readonly<Record<string, { readonly node: string; readonly arguments: JsonObject }>>;
  /** The nodes that led here since the last write, each once, with what was decided in them by slots. */
  readonly path: readonly PathStep[];
  readonly stack: readonly Frame[];
  /** Documents of the nodes that handlers made on the spot, by the hash of their content. */
  readonly dynamicNodes: Readonly<Record<string, JsonObject>>;
  /** Where a generator is; null in a flow of nodes. */
  readonly generator: GeneratorFrame | null;
  /** What the last turn belongs to besides its session; null for one of the caller's own. */
  readonly correlation: EntryCorrelation | null;
  /** The schedule or the campaign that has begun the session; null where a caller has. */
  readonly origin: Origin | null;
  /** How the last wait for somebody outside of the call has ended, until the caller speaks again or another is opened. */
  readonly lastWait: EndedWait | null;
  /** A person talks to the caller in the agent's place; null while nobody does. */
  readonly takeover: Takeover | null;
  /** The first turn of those with news that the caller has not heard; null where there are none. */
  readonly unattended: number | null;
  /** The model's reply that tells such news, from when it is thought until something of it was heard. */
  readonly speaking: string | null;
  /** What the last person who did has left for the model to know. */
  readonly note: string | null;
  /** Effects intended and not settled. */
  readonly effects: Readonly<Record<EffectKey, Effect>>;
}

/** What a session belongs to from its first turn to its last. */
export type Origin = Pick<EntryCorrelation, 'scheduleId' | 'campaignId' | 'segmentId' | 'recipientUserExternalId'>;

/** A person who talks to the caller in the agent's place. */
export interface Takeover {
  readonly actor: ActorRef | null;
  /** Of the wait for a person that was open when it began, else its own. Absent in states of before. */
  readonly escalationId?: string;
  /** The identity of the participant whose leaving ends it; absent where a command or HTTP does. */
  readonly participant?: string;
  /** Where code has moved the conversation meanwhile, which is where it goes on. */
  readonly to?: string;
}

/** How a wait has ended. */
export interface EndedWait {
  readonly outcome: 'resolved' | 'timed_out';
  readonly wait: OutsideWait['wait'];
  readonly escalationId: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
}

/** What the caller's words were an answer to, and what rules read in them. */
export interface HeardWords {
  /** The slot whose question was open. */
  readonly asked: string | null;
  /** No model has heard them, and they say something: the node that the flow comes to is to hear them. */
  readonly isUnheard: boolean;
  /** They end the time that the caller has asked for: what answers nothing is no attempt at an answer. */
  readonly endsPatience?: boolean;
  /** Null once a slot has taken their value, and in a log that holds none. */
  readonly utterance: Utterance | null;
}

export interface SlotValue {
  readonly value: Json;
  /** False while a read-back is due: where the author asks for one, or the value was found nowhere. */
  readonly confirmed: boolean;
  /** Where it comes from; absent in a session that an older release wrote. */
  readonly source?: ValueSource;
  /** Whether it was found in what the caller said, or where else it comes from; null where nobody could tell. */
  readonly grounded?: boolean | null;
  /** Rules have read it in the caller's words, though not for certain. Absent if it is certain, or not theirs. */
  readonly isSaid?: true;
  /**
   * Another value that was found nowhere: this one stays until the caller agrees to the other at its read-back. Absent if
   * there is none.
   */
  readonly proposed?: ProposedValue;
  /** The value to which the caller has said no in favour of this one. Absent if there is none. */
  readonly denied?: Json;
}

/** A value that is to take the place of a known one. */
export interface ProposedValue extends Required<Pick<SlotValue, 'value' | 'source'>>, Pick<SlotValue, 'isSaid'> {
  readonly grounded: false;
}

/** A node on the way. */
export interface PathStep {
  readonly node: string;
  /** Where it led, and the values of the slots that this was decided by. Absent if no slot has decided it. */
  readonly to?: string;
  readonly reads?: JsonObject;
}

/** Words of the agent or of the caller, under a name that exports mask. */
export interface Said {
  readonly text: string;
}

/** The last words of the caller. `partOf`: the slot of a number, if the words and the parts before them are a part of it. */
export interface CallerSaid extends Said {
  readonly partOf?: string;
}

/** How often in a row one question was left unanswered, and why. */
export interface LadderState {
  /** The question that this is about: the visit and what is asked. */
  readonly question: string;
  readonly noMatch: number;
  readonly noInput: number;
  readonly refused: number;
  /** How often something else was answered instead. */
  readonly asides: number;
  /** How often it was put again, for whatever cause. */
  readonly puts: number;
  /** How often a yes came before the question was heard; absent in a session of before. */
  readonly early?: number;
}

export interface ContextCut {
  readonly key: EffectKey;
  readonly visit: number;
  readonly strategy: ContextStrategyName;
  readonly summary: string | null;
}

/** How far a generator has come. What it was answered and what it yielded is in the log: its journal. */
export interface GeneratorFrame {
  /** The visit at which this run began: tells it from every other run of the session. */
  readonly run: number;
  readonly input: Json;
  /** How many yields are recorded. */
  readonly step: number;
  /** Null before the first, and once the flow was given up. */
  readonly lastYield: GeneratorYield | null;
  /** What the caller said last. */
  readonly inbound: InboundWords | null;
  /** The line that asks the open question, and whether the caller spoke over all of it. */
  readonly question: { readonly key: EffectKey; readonly unheard: boolean } | null;
  /** How often the step under way has failed. */
  readonly failures: number;
  readonly yieldsThisTurn: number;
  /** A gap is still to be owned up to, once it is known that the generator does what is recorded. */
  readonly recapDue: boolean;
  /** Why the session is parked. */
  readonly divergence: Divergence | null;
}

/** Where to come back to: from a digression within the flow, or from a flow that this one called. */
export interface Frame {
  readonly kind: 'digression' | 'subflow';
  readonly flow: FlowRef;
  readonly node: string;
  readonly persona: string | null;
  /** The calls that the caller was being asked about when a digression left. */
  readonly asked?: readonly ToolPayload[];
  /** What only the calling flow knows. */
  readonly caller: Pick<SessionState, 'slots' | 'variables' | 'outputs' | 'input'> | null;
  /** The caller was routed from here: coming back leaves the word to them. */
  readonly routed?: true;
}

/**
 * A session before its first signal. Throws nothing.
 *
 * @example
 * const { status } = newSession('call-17');
 */
export function newSession(sessionId: string): SessionState {
  return {
    stateVersion,
    sessionId,
    incarnation: 0,
    status: 'new',
    timeZone: 'UTC',
    language: null,
    flow: { id: '', hash: '' },
    node: '',
    visit: 0,
    turn: 0,
    ordinal: 0,
    transitions: 0,
    replies: 0,
    failures: 0,
    lastFlowEventId: null,
    input: {},
    slots: {},
    variables: {},
    outputs: {},
    persona: null,
    context: null,
    answered: null,
    words: null,
    modelAsked: false,
    refused: [],
    refusals: {},
    agreed: 0,
    lineDue: 0,
    pendingAskKey: null,
    troubles: 0,
    triedAgain: 0,
    patience: false,
    declined: [],
    askAgain: [],
    said: { text: '' },
    saidBefore: { text: '' },
    callerSaid: { text: '' },
    wordings: {},
    asked: null,
    put: null,
    taskQuestion: null,
    ladder: null,
    attempts: {},
    confirmations: [],
    nodeCall: null,
    computed: {},
    path: [],
    stack: [],
    dynamicNodes: {},
    generator: null,
    correlation: null,
    origin: null,
    lastWait: null,
    takeover: null,
    unattended: null,
    speaking: null,
    note: null,
    effects: {},
  };
}
