import { suggestion } from '../document/problems/suggestion.ts';

/**
 * Suggests the nearest of the names for a wrong one. Each wrong name is looked up once and only the first hundred are:
 * a document with thousands of them has another problem than spelling.
 */
export function nearNames(names: Iterable<string>): (wrong: string) => string | undefined {
  const known = [...names];
  const answers = new Map<string, string | undefined>();
  return (wrong) => {
    if (answers.has(wrong) || answers.size >= maxLookups) return answers.get(wrong);
    const answer = suggestion(wrong, known);
    answers.set(wrong, answer);
    return answer;
  };
}

const maxLookups = 100;
