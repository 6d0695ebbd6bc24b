import type { WordsReading } from '../events/signal.ts';
import type { Graph, GraphNode } from '../graph/graph.ts';
import { requestIn } from '../language/requests.ts';
import { civilTime } from '../kernel/civil-time.ts';
import { openOfKind } from '../kernel/draft.ts';
import { speak } from '../kernel/names.ts';
import { nodeOf } from '../kernel/offers.ts';
import { movesAlone } from '../kernel/said.ts';
import { readingOptions } from '../kernel/slots.ts';
import { declines } from './declines.ts';
import type { SessionState } from '../kernel/state.ts';
import { type Consent, isConnecting, readConsent, saysNothing } from '../language/consent.ts';
import { lastQuestionOf } from '../language/lines.ts';
import { isYesNoQuestion } from '../language/questions.ts';
import { read } from '../language/reading.ts';
import { answerMeant } from '../language/sides.ts';
import { wordsOf } from '../language/words.ts';

/** What the words are read against: the flow, where it stands, and when they were said. */
export interface Moment {
  readonly graph: Graph;
  readonly state: SessionState;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Reads a caller's words where the session stands, before the step that takes them. */
export function readWords(moment: Moment, text: string): WordsReading {
  const { graph, state } = moment;
  const wait = openOfKind(state, 'wait');
  const node = nodeOf(graph, state, state.node);
  const line = node?.say == null || wait !== undefined ? '' : speak(graph, state, moment.at, node.say);
  const { answer, isHedged, leansYes } = readConsent(text, wait?.payload.say ?? line);
  const slot = slotSaid(moment, text);
  const calls = node === null || answer === undefined ? undefined : functionMeant(moment, node, answer, line);
  const request = requestIn(text);
  return {
    ...(answer === undefined ? {} : { answer }),
    ...(isHedged ? { isHedged } : {}),
    ...(leansYes === undefined ? {} : { leansYes }),
    ...(answer !== undefined || saysNothing(text) ? { isPlain: true } : mentionedIn(moment, text)),
    ...(wordsOf(text).some(({ mark }) => !mark) ? {} : { isBlank: true }),
    ...(slot === undefined ? {} : { slot }),
    ...(calls === undefined ? {} : { calls }),
    ...(request === null ? {} : { asksFor: request }),
    ...(declines(moment, text) ? { declines: true } : {}),
  };
}

/** The slots that are not known yet and for which the words hold a value, without being asked for it. */
function mentionedIn({ graph, state, at }: Moment, text: string): Pick<WordsReading, 'mentions'> {
  const now = civilTime(at, state.timeZone);
  const mentions: string[] = [];
  for (const slot of graph.slots.values()) {
    if (Object.hasOwn(state.slots, slot.name) || slot.type === 'text' || slot.type === 'boolean') continue;
    const found = read(slot.type, text, { ...readingOptions(slot, now), asked: false });
    if (found.ok && found.certain) mentions.push(slot.name);
  }
  return mentions.length === 0 ? {} : { mentions };
}

/** The value of the slot that is asked for or read back, where every word of the text belongs to it. */
function slotSaid({ graph, state, at }: Moment, text: string): WordsReading['slot'] {
  const subject = openOfKind(state, 'wait')?.payload.subject;
  const name = subject?.kind === 'slot' ? subject.slot : subject === undefined ? state.pendingAskKey : null;
  const slot = name === null ? undefined : graph.slots.get(name);
  // Any words are a text: whether they are the answer only a model can tell.
  if (slot === undefined || slot.type === 'text' || text.includes('?')) return undefined;
  if (slot.type === 'boolean') {
    const answer =
      subject === undefined && !state.modelAsked ? plainAnswerTo({ graph, state, at }, slot.ask, text) : undefined;
    return answer === undefined ? undefined : { slot: slot.name, value: answer === 'yes' };
  }
  const found = read(slot.type, text, readingOptions(slot, civilTime(at, state.timeZone)));
  if (!found.ok || !found.certain) return undefined;
  const asked = slot.ask === null ? '' : speak(graph, state, at, slot.ask);
  const isWhole = isConnecting(text.slice(0, found.start), asked) && isConnecting(text.slice(found.end), asked);
  return isWhole ? { slot: slot.name, value: found.value } : undefined;
}

function plainAnswerTo({ graph, state, at }: Moment, question: GraphNode['say'], text: string): Consent['answer'] {
  return readConsent(text, question === null ? '' : speak(graph, state, at, question)).answer;
}

/**
 * The one function that a plain answer calls: by the author's word, or by what descriptions say of whoever agrees or
 * refuses. To a call that is asked about, a no may call the function of whoever refuses.
 */
function functionMeant(
  { graph, state }: Moment,
  node: GraphNode,
  answer: 'yes' | 'no',
  line: string,
): string | undefined {
  const subject = openOfKind(state, 'wait')?.payload.subject;
  if (subject !== undefined && (subject.kind === 'slot' || answer === 'yes')) return undefined;
  // What the model has asked since is not the line of the node.
  if (state.modelAsked || (subject === undefined && (node.say === null || node.collect.length > 0))) return undefined;
  const others = node.functions.filter(({ name }) => subject === undefined || name !== subject.call.name);
  const told = others.filter((offered) => offered.answers === answer);
  const asksYesOrNo = subject !== undefined || isYesNoQuestion(lastQuestionOf(line));
  const meant =
    told.length > 0
      ? told
      : others.filter(
          ({ answers, description }) => answers === null && asksYesOrNo && answerMeant(description) === answer,
        );
  const [only] = meant;
  if (meant.length !== 1 || only === undefined || !movesAlone(only)) return undefined;
  return graph.nodes.has(only.target.to) ? only.name : undefined;
}
