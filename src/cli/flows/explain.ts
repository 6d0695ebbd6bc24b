import { readFileSync } from 'node:fs';
import { defineCommand } from 'citty';
import { diagnosticCodes } from '../../flow/document/problems/diagnostic-codes.ts';
import { closestName } from '../../flow/document/problems/suggestion.ts';
import { testCodes } from '../../flowtest/document/test-codes.ts';
import { errorCodes } from '../../model/error-codes.ts';
import { FlowError } from '../../model/errors.ts';
import { print } from '../output.ts';

export const explainCommand = defineCommand({
  args: {
    code: {
      type: 'positional',
      description: 'The code of a diagnostic or an error, for example unknown-target.',
      required: false,
    },
  },
  run({ args }) {
    print(args.code === undefined ? listOfCodes() : explanationOf(args.code));
  },
});

const diagnostics: Readonly<Record<string, string>> = { ...diagnosticCodes, ...testCodes };
const errors = new Map(Object.values(errorCodes).flatMap((rows) => Object.entries(rows)));

/** Returns the meaning of a code, its remedy or an example, and its page. Throws `option-invalid` for another text. */
export function explanationOf(code: string): string {
  const meaning = Object.hasOwn(diagnostics, code) ? diagnostics[code] : undefined;
  const error = errors.get(code);
  if (meaning === undefined && error === undefined) throw unknownCode(code);
  const parts: string[] = [];
  if (meaning !== undefined) {
    const example = exampleOf(code);
    parts.push(`${code} is a diagnostic of a file.\n${meaning}`);
    if (example !== null) parts.push(`The smallest file with this problem gives:\n${example}`);
    parts.push(`See docs/reference/diagnostics.md#${code}.`);
  }
  if (error !== undefined)
    parts.push(`${code} is an error.\n${error.fact}\n${error.remedy}`, 'See docs/reference/errors.md.');
  return parts.join('\n\n');
}

/** Returns the example of a diagnostic from its page in this package; null if it has none. */
function exampleOf(code: string): string | null {
  let page: string;
  try {
    page = readFileSync(new URL('../../../docs/reference/diagnostics.md', import.meta.url), 'utf8');
  } catch {
    return null; // A bundle of the user's without the pages.
  }
  const section = page.split(/^### /m).find((part) => part.startsWith(`${code}\n`));
  return /^```text\n(.*?)\n```$/ms.exec(section ?? '')?.[1] ?? null;
}

function listOfCodes(): string {
  return [
    'Diagnostics',
    ...Object.keys(diagnostics).map((code) => `  ${code}`),
    'Errors',
    ...[...errors.keys()].map((code) => `  ${code}`),
  ].join('\n');
}

function unknownCode(code: string): FlowError {
  const close = closestName(code, [...Object.keys(diagnostics), ...errors.keys()]);
  const hint = close === undefined ? '"roomflow explain" lists all codes.' : `Did you mean ${close}?`;
  return new FlowError('option-invalid', `there is no code "${code}". ${hint}`);
}
