import { AUXILIARY, sentencesOf } from '../../reading/english/questions.ts';
import { wordsOf } from '../../reading/english/words.ts';

/** What was said and done so far, as far as it is in view. */
export type ConversationItem =
  | { readonly type: 'caller' | 'agent'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'output'; readonly name: string; readonly text: string; readonly isError: boolean };

/** What the offline brain knows when it is asked for a reply. */
export interface Conversation {
  /** The task of the moment: paragraphs of the instructions, the last one nearest. */
  readonly paragraphs: readonly string[];
  /** Civil local time, YYYY-MM-DDTHH:mm. */
  readonly now: string;
  /** ISO country of phone numbers without a country code. */
  readonly region: string;
  /** Values that are known already, by name. */
  readonly known: ReadonlyMap<string, string>;
  /** Known, but read back and not yet agreed to. */
  readonly unconfirmed: ReadonlySet<string>;
  /** What is still to be found out, in order. */
  readonly missing: readonly string[];
  /** Whether the caller's last words were the answer to a question of the flow's own, and so to no other. */
  readonly isAnswered: boolean;
  /** Another language than English is spoken. */
  readonly isForeign: boolean;
  readonly items: readonly ConversationItem[];
}

/** Takes the instructions of a flow's node apart into the task and what is known; any other system prompt is all task. */
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

/** The caller's words that are to be answered, or null where something else happened last or they are answered. */
export function wordsToAnswer({ items, isAnswered }: Conversation): string | null {
  const last = items.at(-1);
  return last?.type === 'caller' && !isAnswered ? last.text : null;
}

/** What the agent said last, in its last turn to speak before the item at `before`. */
export function lastAgentText(items: readonly ConversationItem[], before = items.length): string {
  const lines: string[] = [];
  for (let at = before - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.type === 'caller' && lines.length > 0) break;
    if (item?.type === 'agent') lines.unshift(item.text);
  }
  return lines.join(' ').trim();
}

/** The question that stands open: the last one the agent asked, or empty. */
export function openQuestion(agentText: string): string {
  return sentencesOf(agentText).findLast((sentence) => sentence.endsWith('?')) ?? '';
}

/** A question without what introduces whoever asks it: "Hotel Lindenhof, how can I help?" is "How can I help?" when it is asked again. */
export function withoutIntroduction(question: string): string {
  const introduction = INTRODUCTION.exec(question)?.[0] ?? '';
  if (AUXILIARY.test(wordsOf(introduction)[0]?.text ?? '') || ASKING.test(introduction)) return question;
  const bare = question.slice(introduction.length);
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

const INTRODUCTION =
  /^[^?]*[,:–-]\s+(?=(?:how|what|which|when|where|who|can|could|may|shall|do|does|did|would|will|have|are|is)\s+\p{L}+\s+\p{L}+)/iu;
const ASKING = /^(?:how|what|which|when|where|who|why)\b/i;
