import type { FlowShown, NodeShown } from './flow-shown.ts';

/** Returns the ids of the nodes that match a search: first by name, then by what they say, ask or call. */
export function foundNodes({ nodes }: FlowShown, query: string): readonly string[] {
  const words = plain(query)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const holds = (text: string): boolean => words.every((word) => text.includes(word));
  const byName = nodes.filter(({ id }) => holds(plain(id)));
  const byText = nodes.filter((node) => !byName.includes(node) && holds(plain(textOf(node))));
  return [...byName, ...byText].map(({ id }) => id);
}

function textOf({ id, detail, say, prompts, collect, functions, type, end }: NodeShown): string {
  return [
    ...[id, detail, ...say, ...prompts.map(({ text }) => text), ...collect, type ?? '', end ?? ''],
    ...functions.flatMap(({ name, description }) => [name, description]),
  ].join(' ');
}

/** Removes case, accents and underscores. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}
