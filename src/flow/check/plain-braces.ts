import { propertiesOf } from '../graph/compile/function.ts';
import { type Report, addProblem } from '../graph/report.ts';
import type { Declaration } from './declarations.ts';
import type { Offer } from './offers.ts';

/** Reports names in single braces: any in spoken texts, and known names in prompts. */
export function checkPlainBraces(report: Report, declarations: readonly Declaration[], offers: readonly Offer[]): void {
  if (report.braces.length === 0) return;
  const known = new Set(declarations.map(({ name }) => name));
  for (const { offered, source } of offers)
    if (offered.body === 'edge') for (const name of Object.keys(propertiesOf(source))) known.add(name);
  for (const { name, path, within, local, isSpoken } of report.braces) {
    const [first = ''] = name.split('.');
    if (!isSpoken && !known.has(first) && !local.includes(first)) continue;
    const heard = isSpoken ? 'spoken' : 'shown to the model';
    addProblem(
      report,
      'warning',
      'plain-braces',
      path,
      `${within.text} is ${heard} unchanged: a name needs two braces.`,
      {
        hint: `Write {{ ${name} }}.`,
        within,
      },
    );
  }
}
