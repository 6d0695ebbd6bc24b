import { suggestion } from '../document/problems/suggestion.ts';

/**
 * Returns a function that suggests the nearest known name. Results are cached, and only the first hundred wrong names
 * are looked up: a document with more has other problems than spelling.
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
