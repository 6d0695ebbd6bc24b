import type { AboutPart, TextAbout } from './text/text-about.ts';

/** The information about a name or key, as Markdown. */
export function toMarkdown({ name, kind, parts }: Pick<TextAbout, 'name' | 'kind' | 'parts'>): string {
  return [`**${name}**${kind === '' ? '' : ` (${kind})`}`, ...parts.map(paragraphOf)].join('\n\n');
}

function paragraphOf({ is, text }: AboutPart): string {
  switch (is) {
    case 'note':
      return text;
    case 'text':
      return escaped(text);
    case 'said':
      return text
        .split('\n')
        .map((line) => `> ${escaped(line)}`)
        .join('\n');
    case 'prompt':
      return fenced(text);
  }
}

/** Uses a fence longer than any fence in the text, so that an author's text always stays text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Escapes an author's text for Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+!|]/g, (sign) => `\\${sign}`);
}
