import { type Conversation, lastAgentText, openQuestion, withoutIntroduction } from './conversation.ts';
import type { Field } from './field.ts';
import type { Unclear } from './read/hear.ts';
import { questionFrom } from './question-from.ts';
import { nameWords } from '../../model/ports/name-words.ts';

/** Returns a question for one value, made from its description. */
export function askFor(field: Field, conversation: Conversation): string {
  const question = questionFor(field);
  return leastUsed(
    [question, `I still need to know: ${lowered(question)}`, `Sorry, I did not get that. ${question}`],
    conversation,
  );
}

/** Returns the plain question for a value. */
export function questionFor(field: Field): string {
  const { question, label } = field;
  return (question === '' ? null : questionFrom(question, label)) ?? byKind(field);
}

function byKind({ kind, label, values }: Field): string {
  const named = label === '' ? 'that' : label;
  switch (kind) {
    case 'date':
      return /\b(?:day|date)\b/.test(named) ? `Which ${named} would that be?` : `Which day is that, for the ${named}?`;
    case 'time':
      return named === 'time' ? 'What time would that be?' : `What time is that, for the ${named}?`;
    case 'enum':
    case 'choices':
      return values.size <= 6
        ? `Which ${named} would that be: ${joined([...values.keys()].map(nameWords))}?`
        : `Which ${named} would that be?`;
    case 'number':
    case 'integer':
      return `What number is that, for the ${named}?`;
    case 'boolean':
      return `Could you tell me, yes or no: ${named}?`;
    case 'name':
    case 'date-time':
    case 'phone':
    case 'email':
    case 'code':
    case 'text':
    case 'unreadable':
      return `Could you tell me the ${named}, please?`;
  }
}

/** Returns a question about the missing or unclear part of an answer. */
export function askClearer({ field, problem, missing, candidates = [] }: Unclear, conversation: Conversation): string {
  const label = isNoun(field.label) ? `the ${field.label}` : 'that';
  const again = pendingQuestion(conversation) || questionFor(field);
  const choices = candidates.slice(0, 4).map((candidate) => spokenValue(field, candidate));
  const first = ((): string => {
    if (missing === 'year') return `And the year, for ${label}?`;
    if (missing === 'area code') return 'Could you give me that number with its area code?';
    if (missing !== undefined) return `I am missing the ${missing}, for ${label}. Could you say all of it?`;
    if (problem === 'ambiguous' && choices.length > 1) return `Is that ${joined(choices)}, for ${label}?`;
    if (problem === 'out-of-range') return `I am afraid that does not work for ${label}. ${again}`;
    if (problem === 'invalid') return `I am not sure that I got ${label} right. ${again}`;
    return `Sorry, I did not quite get ${label}. ${again}`;
  })();
  return leastUsed(
    [first, `Sorry, could you say ${label} once more, all of it?`, `Sorry, I still need ${label}. ${again}`],
    conversation,
  );
}

/** Slot names such as "since", "lost on" and "reachable at" cannot follow an article. */
function isNoun(label: string): boolean {
  return label !== '' && !/\b(?:of|on|at|from|to|since|until|till|by|for|in|with|is|has|have)$/.test(label);
}

/** Returns the agent's last question without the apologies of earlier repetitions. */
function pendingQuestion({ items }: Conversation): string {
  const last = items.findLastIndex((item) => item.type === 'caller');
  const question =
    openQuestion(lastAgentText(items, last < 0 ? items.length : last)) || openQuestion(lastAgentText(items));
  if (/^(?:i am sorry, )?could you say that in other words\?$/i.test(question)) return '';
  const bare = withoutIntroduction(question).replace(
    /^(?:let me ask again|i still need to know|sorry, which one is it):\s*/i,
    '',
  );
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

/** Repeats the open question after a value was recorded that was not asked for. */
export function askOn(open: string, conversation: Conversation): string {
  const question = withoutIntroduction(open);
  return leastUsed([`Thank you. ${question}`, `Alright. ${question}`], conversation);
}

/** Returns the wording that was used least. */
function leastUsed(wordings: readonly string[], { items }: Conversation): string {
  const spoken = items.flatMap((item) => (item.type === 'agent' ? [item.text] : []));
  const uses = (wording: string): number => spoken.filter((text) => text.trim() === wording).length;
  const distinct = [...new Set(wordings)];
  return distinct.reduce((best, each) => (uses(each) < uses(best) ? each : best), distinct[0] ?? '');
}

const days = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const times = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

function spokenValue({ kind }: Field, value: string | number | boolean): string {
  const at =
    typeof value !== 'string'
      ? NaN
      : kind === 'date'
        ? Date.parse(`${value}T00:00:00Z`)
        : kind === 'time'
          ? Date.parse(`1970-01-01T${value}:00Z`)
          : NaN;
  if (!Number.isNaN(at)) return (kind === 'date' ? days : times).format(at);
  return nameWords(String(value));
}

/** Joins parts: "a", "a or b", "a, b or c". */
export function joined(parts: readonly string[], word = 'or'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

function lowered(text: string): string {
  return /^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
