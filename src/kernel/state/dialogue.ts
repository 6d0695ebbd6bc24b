import type { ToolPayload } from '../../model/effect.ts';
import type { QuestionLine } from '../dialogue/question-line.ts';
import type { TaskQuestion } from '../wait/task-question.ts';

/** The open question and its misses, the consents that are due, and the words of both sides. */
export interface SessionDialogue {
  /** The language that the conversation was changed to; null for the flow's own. */
  readonly language: string | null;
  /** The slot whose question is open. */
  readonly pendingAskKey: string | null;
  /** The slot question asked last: the visit and the slot. */
  readonly asked: string | null;
  /** The line with the flow's last question; null if there is none, and in older sessions. */
  readonly put: QuestionLine | null;
  /** The question of a task to the caller; null if there is none since the last answer. */
  readonly taskQuestion: TaskQuestion | null;
  /** The last question was the model's: a plain yes or no answers that one. */
  readonly modelAsked: boolean;
  /** The visit whose line, a question, is deferred until earlier words are read; 0 for none. */
  readonly lineDue: number;
  /** Progress of the open question; null until it is first left unanswered. */
  readonly ladder: LadderState | null;
  /** Consecutive misses of the open question, by node and slot. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Consecutive refusals per question, without new values between them. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Functions that the caller's last words refused. They are not offered until the caller speaks again. */
  readonly refused: readonly string[];
  /** Calls that still need a yes, behind the one in the open question. */
  readonly confirmations: readonly ToolPayload[];
  /** The visit in which the caller last said yes to a call; 0 before the first. */
  readonly agreed: number;
  /** The agent's words in this turn, and in the last turn that was not silent. */
  readonly said: Said;
  readonly saidBefore: Said;
  /** The end of the caller's words in the previous turn. */
  readonly callerSaid: CallerSaid;
  /** The model's words in the visit, at a node without a question of the flow: to detect a model that repeats itself. */
  readonly talk: Talk;
  /** Number of times each text with several wordings was spoken, by its place in the document. */
  readonly wordings: Readonly<Record<string, number>>;
  /** The caller asked for time: the next silence is longer. */
  readonly patience: boolean;
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

/** The dialogue before the first word. */
export const noDialogue: SessionDialogue = {
  language: null,
  pendingAskKey: null,
  asked: null,
  put: null,
  taskQuestion: null,
  modelAsked: false,
  lineDue: 0,
  ladder: null,
  attempts: {},
  refusals: {},
  refused: [],
  confirmations: [],
  agreed: 0,
  said: { text: '' },
  saidBefore: { text: '' },
  callerSaid: { text: '' },
  talk: { text: '', visit: 0 },
  wordings: {},
  patience: false,
};
