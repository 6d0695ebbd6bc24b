import type { z } from 'zod';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { momentNames } from '../../expression/moment.ts';
import { compileTerm, termKey, type termSchema } from '../../expression/term.ts';
import type { ComputedValue } from '../graph.ts';
import { addProblem, type Report } from '../report.ts';

/** Compiles the computed values. Each may read the ones before it, so none depends on itself. */
export function computedOf(
  report: Report,
  terms: Readonly<Record<string, z.output<typeof termSchema>>>,
  path: DocumentPath,
): ReadonlyMap<string, ComputedValue> {
  const computed = new Map<string, ComputedValue>();
  const names = Object.keys(terms);
  let left = mostParts;
  for (const [index, [name, term]] of Object.entries(terms).entries()) {
    const at = [...path, name];
    const reads = new Set<string>();
    const refuse = (place: DocumentPath, reason: string, hint: string): void =>
      addProblem(report, 'error', 'when-operand', [...at, ...place], reason, { hint });
    const key = termKey(term);
    if (key === undefined) {
      refuse([], `"${name}" needs exactly one computation.`, 'Write one of var, count, add, days_between and weekday.');
      continue;
    }
    const { value } = compileTerm(term, key, [], {
      refuse,
      spend: () => (left -= 1) >= 0,
      reads: ([first = '', ...rest], place) => {
        report.names.push({ reference: [first, ...rest], path: [...at, ...place], local: momentNames });
        if (names.slice(index).includes(first))
          refuse(
            place,
            `"${name}" reads "${first}", which is computed after it.`,
            `Write "${first}" before "${name}".`,
          );
        else if (momentNames.includes(first) && rest.length === 0)
          refuse(place, 'A computed value does not know the time.', 'Store the time with a data.set node.');
        for (const one of computed.get(first)?.reads ?? [first]) reads.add(one);
      },
    });
    computed.set(name, { value, reads: [...reads] });
  }
  return computed;
}

const mostParts = 10_000;
