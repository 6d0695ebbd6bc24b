import { type Refreshed, refreshTests } from '../../flowtest/record/refresh.ts';
import { differingLines } from '../../flowtest/document/differing-lines.ts';
import { paint, print } from '../output.ts';
import { playRound, type RoundOptions } from './test-round.ts';

/**
 * Runs tests silently once, updates the texts of `exactly` and prints the changes. Scenarios with a live model are
 * skipped because their words differ in each run.
 */
export async function refresh(options: RoundOptions): Promise<void> {
  const { junit: _junit, html: _html, lcov: _lcov, ...asked } = options;
  const { results } = await playRound(
    { ...asked, json: false, github: false, coverage: false, minimums: {}, withoutLive: true, bail: false },
    silent,
  );
  const all = refreshTests(results);
  for (const one of all) print(textOf(one));
  const written = all.filter(({ leftFor }) => leftFor === null).length;
  const left = all.length - written;
  if (all.length > 0) print(`${written} updated${left === 0 ? '' : `, ${left} unchanged`}\n`);
}

const silent = {
  paint: (_tone: unknown, text: string) => text,
  opened: () => undefined,
  ran: () => undefined,
  totals: () => undefined,
  print: () => undefined,
  write: () => undefined,
  complain: () => undefined,
};

function textOf({ file, line, scenario, before, after, leftFor }: Refreshed): string {
  const differing = differingLines(before ?? '', after);
  const what = leftFor === null ? paint('green', 'updated') : paint('yellow', `not updated: ${leftFor}`);
  return [
    `${file}:${line ?? 1} ${what} (${scenario})`,
    ...differing.before.map((one) => paint('red', `  - ${one}`)),
    ...differing.after.map((one) => paint('green', `  + ${one}`)),
  ].join('\n');
}
