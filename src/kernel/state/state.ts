import type { ContextStrategyName } from '../../flow/document/context/context-strategies.ts';
import type { QuestionLine } from '../dialogue/question-line.ts';
import type { TaskQuestion } from '../wait/task-question.ts';
import type { Effect, EffectKey, ToolPayload } from '../../model/effect.ts';
import type { OutsideWait } from '../../model/outside-wait.ts';
import type { ActorRef, EntryCorrelation } from '../../model/inbox.ts';
import type { FlowRef } from '../../model/flow-ref.ts';
import type { Divergence, GeneratorYield, InboundWords } from '../../model/signals/generator-yield.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { ValueSource } from '../../model/provenance.ts';
import type { Utterance } from '../../model/dialogue.ts';

/** Version of the state's shape. Older states are upgraded by named functions (see upgrade.ts). */
export const stateVersion = 2;

/** The complete state of a session: plain JSON, the fold of its signals. */
export interface SessionState {
  readonly stateVersion: typeof stateVersion;
  readonly sessionId: string;
  /** Distinguishes the session from deleted ones with the same id; 0 if there can be none. */
  readonly incarnation: number;
  /** `parked`: nothing is said or done until a person intervenes. */
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  readonly timeZone: string;
  /** The language that the conversation was changed to; null for the flow's own. */
  readonly language: string | null;
  readonly flow: FlowRef;
  readonly node: string;
  /** Number of node entries so far; distinguishes visits of the same node. */
  readonly visit: number;
  /** Inbound signals so far. With `ordinal` it forms the next effect's key. */
  readonly turn: number;
  readonly ordinal: number;
  /** Moves and generated replies in this turn, both limited. */
  readonly transitions: number;
  readonly replies: number;
  /** Consecutive failed replies. */
  readonly failures: number;
  readonly lastFlowEventId: string | null;
  readonly input: JsonObject;
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly variables: JsonObject;
  readonly outputs: JsonObject;
  /** The node whose persona applies; null for the flow's. */
  readonly persona: string | null;
  /** Start of the history shown to the model; null shows everything. */
  readonly context: ContextCut | null;
  /**
   * The slot or function that the caller's last words answered by a plain yes or no; null if the model should answer
   * them.
   */
  readonly answered: string | null;
  /** The caller's words of this turn until they are answered; null if there are none. */
  readonly words: HeardWords | null;
  /** The last question was the model's: a plain yes or no answers that one. */
  readonly modelAsked: boolean;
  /** Functions that the caller's last words refused. They are not offered until the caller speaks again. */
  readonly refused: readonly string[];
  /** Consecutive refusals per question, without new values between them. */
  readonly refusals: Readonly<Record<string, number>>;
  /** The visit in which the caller last said yes to a call; 0 before the first. */
  readonly agreed: number;
  /** The visit whose line, a question, is deferred until earlier words are read; 0 for none. */
  readonly lineDue: number;
  /** The slot whose question is open. */
  readonly pendingAskKey: string | null;
  /** Consecutive moves out of trouble without progress. */
  readonly troubles: number;
  /** The visit in which a failed catalog node is retried; 0 before the first. */
  readonly triedAgain: number;
  /** The caller asked for time: the next silence is longer. */
  readonly patience: boolean;
  /** Optional slots that the caller declined: they are not asked for again. */
  readonly declined: readonly string[];
  /** Known slots to ask for again. Each value stays until there is a new one. */
  readonly askAgain: readonly string[];
  /** The agent's words in this turn, and in the last turn that was not silent. */
  readonly said: Said;
  readonly saidBefore: Said;
  /** The model's words in the visit, at a node without a question of the flow: to detect a model that repeats itself. */
  readonly talk: Talk;
  /** The end of the caller's words in the previous turn. */
  readonly callerSaid: CallerSaid;
  /** Number of times each text with several wordings was spoken, by its place in the document. */
  readonly wordings: Readonly<Record<string, number>>;
  /** The slot question asked last: the visit and the slot. */
  readonly asked: string | null;
  /** The line with the flow's last question; null if there is none, and in older sessions. */
  readonly put: QuestionLine | null;
  /** The question of a task to the caller; null if there is none since the last answer. */
  readonly taskQuestion: TaskQuestion | null;
  /** Progress of the open question; null until it is first left unanswered. */
  readonly ladder: LadderState | null;
  /** Consecutive misses of the open question, by node and slot. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Calls that still need a yes, behind the one in the open question. */
  readonly confirmations: readonly ToolPayload[];
  /** The last call of the node's own `call` function. Meaningless in another visit. */
  readonly nodeCall: { readonly visit: number; readonly arguments: JsonObject; readonly isDone: boolean } | null;
  /** Results by name, with the node and the arguments that computed them. Reset by a write. */
  readonly computed: Readonly<Record<string, { readonly node: string; readonly arguments: JsonObject }>>;
  /** The nodes that led here since the last write, each once, with the slots that decided the way on. */
  readonly path: readonly PathStep[];
  readonly stack: readonly Frame[];
  /** Documents of dynamic nodes, by content hash. */
  readonly dynamicNodes: Readonly<Record<string, JsonObject>>;
  /** Position of a generator; null in a flow of nodes. */
  readonly generator: GeneratorFrame | null;
  /** Context of the last turn besides the session; null for the caller's own turns. */
  readonly correlation: EntryCorrelation | null;
  /** The schedule or campaign that began the session; null if a caller did. */
  readonly origin: Origin | null;
  /** The outcome of the last outside wait, until the caller speaks again or another wait opens. */
  readonly lastWait: EndedWait | null;
  /** The person who talks to the caller instead of the agent; null without a takeover. */
  readonly takeover: Takeover | null;
  /** The first turn with speech that the caller has not heard; null if there is none. */
  readonly unattended: number | null;
  /** The reply that conveys such speech, from generation until it is heard. */
  readonly speaking: string | null;
  /** The note for the model that the last takeover left. */
  readonly note: string | null;
  /** Unsettled effects. */
  readonly effects: Readonly<Record<EffectKey, Effect>>;
}

/** The origin that a session keeps from its first turn to its last. */
export type Origin = Pick<EntryCorrelation, 'scheduleId' | 'campaignId' | 'segmentId' | 'recipientUserExternalId'>;

/** A person who talks to the caller instead of the agent. */
export interface Takeover {
  readonly actor: ActorRef | null;
  /** The id of the wait that was open at the start, otherwise the takeover's. Absent in older states. */
  readonly escalationId?: string;
  /** Identity of the participant whose departure ends the takeover; absent if a command or HTTP ends it. */
  readonly participant?: string;
  /** The node that code has requested meanwhile, at which the conversation continues. */
  readonly to?: string;
}

/** The outcome of a wait. */
export interface EndedWait {
  readonly outcome: 'resolved' | 'timed_out';
  readonly wait: OutsideWait['wait'];
  readonly escalationId: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
}

/** The caller's words, with the question they answer and their reading. */
export interface HeardWords {
  /** The slot whose question was open. */
  readonly asked: string | null;
  /** The words have content that no model has read: the next node reads them. */
  readonly isUnheard: boolean;
  /** The words end a pause that the caller asked for: words without an answer do not count as an attempt. */
  readonly endsPatience?: boolean;
  /** Null once a slot has taken the value, and in logs without a reading. */
  readonly utterance: Utterance | null;
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
}

/** A node on the path. */
export interface PathStep {
  readonly node: string;
  /** The target, and the slot values that decided it. Absent if no slot did. */
  readonly to?: string;
  readonly reads?: JsonObject;
}

/** Words of the agent or the caller, in a member that exports mask. */
export interface Said {
  readonly text: string;
}

/** Words of one visit; 0 before the first. */
export interface Talk extends Said {
  readonly visit: number;
}

/** The caller's last words. `partOf`: the slot of a number that these words and the earlier parts belong to. */
export interface CallerSaid extends Said {
  readonly partOf?: string;
}

/** Counts of one question that was left unanswered. */
export interface LadderState {
  /** The question: the visit and the subject. */
  readonly question: string;
  readonly noMatch: number;
  readonly noInput: number;
  readonly refused: number;
  /** Number of asides that were answered. */
  readonly asides: number;
  /** Number of repetitions, for any cause. */
  readonly puts: number;
  /** Number of yeses before the question was heard; absent in older sessions. */
  readonly early?: number;
}

export interface ContextCut {
  readonly key: EffectKey;
  readonly visit: number;
  readonly strategy: ContextStrategyName;
  readonly summary: string | null;
}

/** Progress of a generator. Its answers and yields are in the log, which is its journal. */
export interface GeneratorFrame {
  /** The visit in which the run began; identifies the run in the session. */
  readonly run: number;
  readonly input: Json;
  /** Number of recorded yields. */
  readonly step: number;
  /** Null before the first yield, and after the flow was given up. */
  readonly lastYield: GeneratorYield | null;
  /** The caller's last words. */
  readonly inbound: InboundWords | null;
  /** The line with the open question, and whether the caller spoke over all of it. */
  readonly question: { readonly key: EffectKey; readonly unheard: boolean } | null;
  /** Number of failures of the current step. */
  readonly failures: number;
  readonly yieldsThisTurn: number;
  /** A recap is due once the replay has matched the record. */
  readonly recapDue: boolean;
  /** Why the session is parked. */
  readonly divergence: Divergence | null;
}

/** The data of a calling flow. */
export interface CallerData {
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly variables: JsonObject;
  readonly outputs: JsonObject;
  readonly input: JsonObject;
}

/** A return address: of a digression in the flow, or of a calling flow. */
export interface Frame {
  readonly kind: 'digression' | 'subflow';
  readonly flow: FlowRef;
  readonly node: string;
  readonly persona: string | null;
  /** The calls with an open confirmation when the digression began. */
  readonly asked?: readonly ToolPayload[];
  /** Data that only the calling flow has. */
  readonly caller: CallerData | null;
  /** The caller was routed from here: on return the caller speaks first. */
  readonly routed?: true;
}

/**
 * Returns a session before its first signal. Throws nothing.
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
    talk: { text: '', visit: 0 },
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
