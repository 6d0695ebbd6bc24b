import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../events/json.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}[role=alert]{font-weight:600}dd ul{margin:0;padding-left:1.25rem}dd dl{margin:0}
textarea{font:inherit;width:100%;box-sizing:border-box}button{font:inherit;padding:.5rem 1.25rem;margin:0 .5rem .5rem 0}`;

/** Of every page: no script, nothing from elsewhere, in no frame; forms go to this server alone. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** What an approver is asked. Everything in it is text: it may be what a caller said. */
export interface Question {
  readonly question: string;
  readonly facts: JsonObject;
  readonly factsHash: string;
  /** A button for each. */
  readonly decisions: readonly string[];
  readonly asksForWords: boolean;
  /** Until when, in epoch milliseconds; null where there is no end. */
  readonly endsAt: number | null;
  /** Where the form goes; the page's own address where empty. */
  readonly action: string;
  /** Whether the facts are others than those that the link was made for. */
  readonly areChanged: boolean;
}

/** The page with the facts and a button for each decision. */
export function questionPage({ question, facts, factsHash, action, areChanged, endsAt, ...asked }: Question): string {
  const target = action === '' ? '' : ` action="${escaped(action)}"`;
  return pageOf(question === '' ? 'Please decide' : question, [
    areChanged
      ? '<p role="alert">The facts have changed since this link was sent. These are the current ones.</p>'
      : '',
    listOf(facts, 0),
    endsAt === null ? '' : `<p>Please answer by ${wallTime(endsAt)}.</p>`,
    `<form method="post"${target}><input type="hidden" name="factsHash" value="${escaped(factsHash)}">`,
    fieldsOf(asked),
    '</form>',
  ]);
}

function fieldsOf({ decisions, asksForWords }: Pick<Question, 'decisions' | 'asksForWords'>): string {
  if (asksForWords && decisions.length === 0)
    return '<p><label>Your words<br><textarea name="text" rows="4" required></textarea></label></p><button>Send</button>';
  if (decisions.length === 0) return '<p>This cannot be answered here.</p>';
  const words = asksForWords
    ? '<p><label>Or in your own words<br><textarea name="text" rows="4"></textarea></label></p><button>Send</button>'
    : '';
  const buttons = decisions.map(
    (decision) => `<button name="decision" value="${escaped(decision)}">${escaped(decision)}</button>`,
  );
  return `<p><label>Comment<br><textarea name="comment" rows="2"></textarea></label></p>${buttons.join('')}${words}`;
}

/** A page that only says something; `again` is the text of a link that fetches it anew. */
export function answerPage(title: string, text: string, again: string | null = null): string {
  return pageOf(title, [`<p>${escaped(text)}</p>`, again === null ? '' : `<p><a href="">${escaped(again)}</a></p>`]);
}

function pageOf(title: string, body: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escaped(title)}</title><style>${style}</style></head>`,
    `<body><main><h1>${escaped(title)}</h1>${body.join('')}</main></body></html>`,
  ].join('');
}

/** How deep facts are told part by part; what lies deeper is told as JSON. */
const deepestPart = 4;

function listOf(facts: JsonObject, depth: number): string {
  const rows = Object.entries(facts).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${partOf(value, depth)}</dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

function partOf(value: Json, depth: number): string {
  if (typeof value === 'string') return escaped(value);
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return '–';
  if (typeof value !== 'object' || depth >= deepestPart) return escaped(JSON.stringify(value));
  if (!isList(value)) return listOf(value, depth + 1);
  return `<ul>${value.map((one) => `<li>${partOf(one, depth + 1)}</li>`).join('')}</ul>`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** `2026-12-01 09:00 UTC`: nobody knows where the reader is. */
export function wallTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '');
}
