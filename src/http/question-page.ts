import type { Json, JsonObject } from '../model/json.ts';
import { timeLeft, wallTime } from './moment.ts';
import { attribute, escaped, listOf, pageOf, paragraph, type Sender } from './page.ts';

/** The question to an approver. All fields are text, not HTML: they may be words of a caller. */
export interface Question extends Sender {
  readonly question: string;
  readonly facts: JsonObject;
  readonly factsHash: string;
  /** One button each. The first is the primary one. */
  readonly decisions: readonly string[];
  readonly asksForWords: boolean;
  /** The flow that asks. */
  readonly flow: string;
  /** The time zone of the session that asks. */
  readonly zone: string;
  /** The time of the request and the end of the answer period, in epoch milliseconds; null without an end. */
  readonly now: number;
  readonly endsAt: number | null;
  /** The decision that counts without an answer; null if there is none. */
  readonly otherwise: string | null;
  /** The address of the form. Empty: the address of the page. */
  readonly action: string;
  /** Whether the facts have changed since the link was created. */
  readonly areChanged: boolean;
}

/** Renders the page with the facts and a button for each decision. */
export function questionPage(asked: Question): string {
  const { question, facts, factsHash, action, areChanged, flow } = asked;
  const target = action === '' ? '' : ` action="${attribute(action)}"`;
  return pageOf(asked, question === '' ? 'Please decide' : question, [
    areChanged
      ? '<p role="alert">The facts have changed since this link was sent. These are the current ones.</p>'
      : '',
    factsOf(facts, 0),
    flow === '' ? '' : `<p class="soft">The assistant asks, in its flow “${escaped(shownName(flow))}”.</p>`,
    untilWhen(asked),
    `<form method="post"${target}><input type="hidden" name="factsHash" value="${attribute(factsHash)}">`,
    fieldsOf(asked),
    '</form>',
  ]);
}

function untilWhen({ endsAt, now, zone, otherwise }: Question): string {
  if (endsAt === null) return '';
  const unless = otherwise === null ? '' : ` Without an answer it is “${shownName(otherwise)}”.`;
  return paragraph(`Please answer by ${wallTime(endsAt, zone)}: ${timeLeft(endsAt - now)} left.${unless}`);
}

function fieldsOf({ decisions, asksForWords }: Pick<Question, 'decisions' | 'asksForWords'>): string {
  const send = (isMain: boolean): string => `<button${isMain ? ' class="main"' : ''}>Send</button>`;
  if (asksForWords && decisions.length === 0)
    return `<p><label>Your words<br><textarea name="text" rows="4" required></textarea></label></p>${send(true)}`;
  if (decisions.length === 0) return '<p>This cannot be answered here.</p>';
  const words = asksForWords
    ? `<p><label>Or in your own words<br><textarea name="text" rows="4"></textarea></label></p>${send(false)}`
    : '';
  const buttons = decisions.map((decision, place) => {
    const kind = place === 0 ? ' class="main"' : '';
    return `<button${kind} name="decision" value="${attribute(decision)}">${escaped(shownName(decision))}</button>`;
  });
  return `<p><label>Comment (optional)<br><textarea name="comment" rows="2"></textarea></label></p>${buttons.join('')}${words}`;
}

/** Formats the name of a decision or a flow for people: `approve_in_part` becomes "Approve in part". */
export function shownName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Facts are shown field by field down to this depth, and as JSON below. */
const deepestPart = 4;

function factsOf(facts: JsonObject, depth: number): string {
  return listOf(Object.entries(facts).map(([name, value]) => [name, partOf(value, depth)]));
}

function partOf(value: Json, depth: number): string {
  if (typeof value === 'string') return escaped(value);
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return '–';
  if (typeof value !== 'object' || depth >= deepestPart) return escaped(JSON.stringify(value));
  if (!isList(value)) return factsOf(value, depth + 1);
  return `<ul>${value.map((one) => `<li>${partOf(one, depth + 1)}</li>`).join('')}</ul>`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
