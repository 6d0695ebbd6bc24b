import type { SessionDialogue } from './dialogue.ts';
import type { SessionKnowledge } from './knowledge.ts';
import type { SessionPeople } from './people.ts';
import type { SessionPosition } from './position.ts';
import type { SessionState } from './state.ts';
import type { SessionTurn } from './turn.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

type Group = 'position' | 'turn' | 'knowledge' | 'dialogue' | 'people';

/** A state whose groups belong to one step. */
export type DraftState = Writable<Omit<SessionState, Group>> & { readonly [Key in Group]: Writable<SessionState[Key]> };

/**
 * Copies a state for one step. Each member is named: V8 then gives all states the same shape, which a spread does not,
 * and a small step takes a third of the time. The compiler names a member that lacks here.
 */
export function copyState(state: SessionState): DraftState {
  const { position, turn, knowledge, dialogue, people } = state;
  return {
    stateVersion: state.stateVersion,
    sessionId: state.sessionId,
    status: state.status,
    position: {
      flow: position.flow,
      node: position.node,
      visit: position.visit,
      path: position.path,
      stack: position.stack,
      persona: position.persona,
      context: position.context,
      dynamicNodes: position.dynamicNodes,
      generator: position.generator,
      nodeCall: position.nodeCall,
      troubles: position.troubles,
      triedAgain: position.triedAgain,
    } satisfies Record<keyof SessionPosition, unknown>,
    turn: {
      incarnation: turn.incarnation,
      number: turn.number,
      ordinal: turn.ordinal,
      transitions: turn.transitions,
      replies: turn.replies,
      failures: turn.failures,
      lastFlowEventId: turn.lastFlowEventId,
      correlation: turn.correlation,
      words: turn.words,
      answered: turn.answered,
    } satisfies Record<keyof SessionTurn, unknown>,
    knowledge: {
      timeZone: knowledge.timeZone,
      input: knowledge.input,
      slots: knowledge.slots,
      variables: knowledge.variables,
      outputs: knowledge.outputs,
      computed: knowledge.computed,
      declined: knowledge.declined,
      askAgain: knowledge.askAgain,
    } satisfies Record<keyof SessionKnowledge, unknown>,
    dialogue: {
      language: dialogue.language,
      pendingAskKey: dialogue.pendingAskKey,
      asked: dialogue.asked,
      put: dialogue.put,
      taskQuestion: dialogue.taskQuestion,
      modelAsked: dialogue.modelAsked,
      lineDue: dialogue.lineDue,
      ladder: dialogue.ladder,
      attempts: dialogue.attempts,
      refusals: dialogue.refusals,
      refused: dialogue.refused,
      confirmations: dialogue.confirmations,
      agreed: dialogue.agreed,
      said: dialogue.said,
      saidBefore: dialogue.saidBefore,
      callerSaid: dialogue.callerSaid,
      talk: dialogue.talk,
      wordings: dialogue.wordings,
      patience: dialogue.patience,
    } satisfies Record<keyof SessionDialogue, unknown>,
    people: {
      origin: people.origin,
      takeover: people.takeover,
      lastWait: people.lastWait,
      note: people.note,
      unattended: people.unattended,
      speaking: people.speaking,
      callee: people.callee,
    } satisfies Record<keyof SessionPeople, unknown>,
    effects: state.effects,
  } satisfies Record<keyof SessionState, unknown>;
}
