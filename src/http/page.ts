import { createHash } from 'node:crypto';
import { escapeBidi } from '../model/ports/escape-bidi.ts';

// Both themes use `prefers-color-scheme`, because the page has no script.
const style = `:root{color-scheme:light dark;--paper:#f4f5f7;--card:#fff;--ink:#16191d;--soft:#5a6470;--line:#d9dde2;--deed:#1550a8;--on:#fff;--warn:#8a4b00;--warnpaper:#fff4e0}
@media(prefers-color-scheme:dark){:root{--paper:#12151a;--card:#1c2128;--ink:#e8ebef;--soft:#a2acb8;--line:#38414c;--deed:#8ab8ff;--on:#0b1c33;--warn:#ffce80;--warnpaper:#33260d}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:40rem;margin:2rem auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
header{display:flex;flex-wrap:wrap;gap:0 .75rem;justify-content:space-between;margin-bottom:1rem;padding-bottom:.75rem;border-bottom:1px solid var(--line)}
header strong{font-size:1.05rem}.soft{color:var(--soft)}h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.35rem 1rem;margin:0 0 1rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}dd ul,dd dl{margin:0}dd ul{padding-left:1.25rem}
[role=alert]{padding:.75rem 1rem;border-radius:8px;background:var(--warnpaper);color:var(--warn);font-weight:600}
textarea{width:100%;padding:.5rem;border:1px solid var(--soft);border-radius:8px;background:var(--card);color:inherit;font:inherit}
button{min-height:44px;margin:0 .75rem .75rem 0;padding:.5rem 1.5rem;border:1px solid var(--deed);border-radius:8px;background:transparent;color:var(--deed);font:inherit;font-weight:600;cursor:pointer}
button.main{background:var(--deed);color:var(--on)}a{color:var(--deed)}:focus-visible{outline:3px solid var(--deed);outline-offset:2px}
@media(max-width:44rem){main{margin:0;border:0;border-radius:0;min-height:100vh}}`;

/** The policy of every page: no scripts, no external resources, no frames; forms only to this server. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The owner of a page: the business, or the name of the server; empty if neither is known. */
export interface Sender {
  readonly business: string;
  /** The queue or person that the link was made for; empty if there is none. */
  readonly to: string;
}

/** Renders a page with a message. `again` is the text of a link that reloads it. */
export function answerPage(
  sender: Sender,
  title: string,
  parts: readonly string[],
  again: string | null = null,
): string {
  return pageOf(sender, title, [...parts, again === null ? '' : `<p><a href="">${escaped(again)}</a></p>`]);
}

/** `body` is HTML. */
export function pageOf({ business, to }: Sender, title: string, body: readonly string[]): string {
  const asked = to === '' ? '' : `<span class="soft">for ${escaped(to)}</span>`;
  const header = business === '' && to === '' ? '' : `<header><strong>${escaped(business)}</strong>${asked}</header>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escaped(business === '' ? title : `${title} · ${business}`)}</title><style>${style}</style></head>`,
    `<body><main>${header}<h1>${escaped(title)}</h1>${body.join('')}</main></body></html>`,
  ].join('');
}

export function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

/** Renders terms and their values. A value is HTML. */
export function listOf(rows: readonly (readonly [term: string, value: string])[]): string {
  return `<dl>${rows.map(([term, value]) => `<dt>${escaped(term)}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML. */
export function escaped(text: string): string {
  return attribute(escapeBidi(text));
}

/** Escapes text for an attribute, so that a form sends it back unchanged. */
export function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '');
}
