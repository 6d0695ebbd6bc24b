/** Asks whether to do something: `call` is the name of what does it, in words, with what and how. */
export function proposal(call: string, details: readonly string[]): string {
  return `${[`Shall I ${doing(call.toLowerCase())}`, ...details].join(', ')}?`;
}

/** What a function does, by its name, which unlike its description is not written to be told: "book the visit". */
function doing(name: string): string {
  const [verb = '', next, ...more] = name.split(' ');
  if (next === undefined) return verb;
  return [verb, ...(TAKES_NO_ARTICLE.has(next) ? [] : ['the']), next, ...more].join(' ');
}

const TAKES_NO_ARTICLE = new Set(
  'up in out off on back over down to for with by as of at into it me my him her them us you your a an the all any this that and or'.split(
    ' ',
  ),
);
