import type { FlowShown, NodeShown } from './flow-shown.ts';

/** The nodes that a search means, by id: those whose name holds the words first, then those that say, ask or call them. */
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

/** Without case and accents; names are searched with or without their underscores. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}
