/** Returns a question that proposes an action. `call` is the action's name in words; `details` are its arguments. */
export function proposal(call: string, details: readonly string[]): string {
  return `${[`Shall I ${doing(call.toLowerCase())}`, ...details].join(', ')}?`;
}

/** Describes a function by its name: "book the visit". Descriptions are not written to be spoken. */
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
