import { AUXILIARY, sentencesOf } from '../../language/english/answers/questions.ts';
import { wordsOf } from '../../language/english/words.ts';

/** An item of the visible conversation. */
export type ConversationItem =
  | { readonly type: 'caller' | 'agent'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'output'; readonly name: string; readonly text: string; readonly isError: boolean };

/** The input of the offline brain. */
export interface Conversation {
  /** Paragraphs of the instructions for the current task, the most specific last. */
  readonly paragraphs: readonly string[];
  /** Local time, YYYY-MM-DDTHH:mm. */
  readonly now: string;
  /** ISO country of phone numbers without a country code. */
  readonly region: string;
  /** Known values by name. */
  readonly known: ReadonlyMap<string, string>;
  /** Known values that the caller has not confirmed yet. */
  readonly unconfirmed: ReadonlySet<string>;
  /** Names of missing values, in order. */
  readonly missing: readonly string[];
  /** Whether the caller's last words answered a question of the flow itself. */
  readonly isAnswered: boolean;
  /** Whether a language other than English is spoken. */
  readonly isForeign: boolean;
  readonly items: readonly ConversationItem[];
}

/**
 * Splits the instructions of a flow's node into the task and the known values. Any other system prompt is only a task.
 */
export function createConversation(
  instructions: string,
  items: readonly ConversationItem[],
  moment: { readonly now: string; readonly region: string },
): Conversation {
  const known = new Map<string, string>();
  const unconfirmed = new Set<string>();
  const missing: string[] = [];
  const paragraphs: string[] = [];
  let today = moment.now.slice(0, 10);
  let isAnswered = false;
  let isForeign = false;
  for (const paragraph of instructions.split(/\n\s*\n/)) {
    const text = paragraph.trim();
    const day = /^(?:Today is|It is \w+,) (\d{4}-\d\d-\d\d)(?:, \d\d:\d\d)?\.?$/.exec(text)?.[1];
    if (day !== undefined) today = day;
    else if (text.startsWith('Known so far:\n')) readKnown(text, known, unconfirmed);
    else if (text.startsWith('Not known yet: ')) {
      const [names = ''] = text.slice('Not known yet: '.length).split('. ');
      missing.push(...names.split(', '));
    } else if (text.startsWith('The caller has just said: ')) continue;
    else if (/^Speak \p{Lu}[^.\n]*\.$/u.test(text)) isForeign = !/^Speak English\b/.test(text);
    else if (text.startsWith("The caller's last words were the answer to ")) isAnswered = true;
    else if (text !== '') paragraphs.push(text);
  }
  const anywhere = /\b[Tt]oday is (\d{4}-\d\d-\d\d)\b/.exec(instructions)?.[1];
  const now = `${anywhere ?? today}${moment.now.slice(10)}`;
  return { paragraphs, now, region: moment.region, known, unconfirmed, missing, isAnswered, isForeign, items };
}

function readKnown(text: string, known: Map<string, string>, unconfirmed: Set<string>): void {
  for (const line of text.split('\n').slice(1)) {
    const match = /^- ([^:]+): (.*?)( \(not confirmed yet\))?$/.exec(line);
    if (match?.[1] === undefined) continue;
    known.set(match[1], match[2] ?? '');
    if (match[3] !== undefined) unconfirmed.add(match[1]);
  }
}

/** Returns the caller's words to answer; null if another item is last or they are answered. */
export function wordsToAnswer({ items, isAnswered }: Conversation): string | null {
  const last = items.at(-1);
  return last?.type === 'caller' && !isAnswered ? last.text : null;
}

/** Returns the agent's last words before the item at `before`. */
export function lastAgentText(items: readonly ConversationItem[], before = items.length): string {
  const lines: string[] = [];
  for (let at = before - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.type === 'caller' && lines.length > 0) break;
    if (item?.type === 'agent') lines.unshift(item.text);
  }
  return lines.join(' ').trim();
}

/** Returns the agent's last question, or an empty text. */
export function openQuestion(agentText: string): string {
  return sentencesOf(agentText).findLast((sentence) => sentence.endsWith('?')) ?? '';
}

/** Removes an introduction from a repeated question: "Hotel Lindenhof, how can I help?" becomes "How can I help?". */
export function withoutIntroduction(question: string): string {
  const introduction = INTRODUCTION.exec(question)?.[0] ?? '';
  if (AUXILIARY.test(wordsOf(introduction)[0]?.text ?? '') || ASKING.test(introduction)) return question;
  const bare = question.slice(introduction.length);
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

const INTRODUCTION =
  /^[^?]*[,:–-]\s+(?=(?:how|what|which|when|where|who|can|could|may|shall|do|does|did|would|will|have|are|is)\s+\p{L}+\s+\p{L}+)/iu;
const ASKING = /^(?:how|what|which|when|where|who|why)\b/i;
