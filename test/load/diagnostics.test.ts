import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes, type DiagnosticCode } from '../../src/flow/document/problems/diagnostic-codes.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { type Case, cases } from './diagnostic-cases.ts';
import { registered } from './graph-cases.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('a diagnostic tells its code, its place and how bad it is', () => {
  it.each(
    cases.map((entry) => [`${entry.code}${entry.when === undefined ? '' : `, where ${entry.when}`}`, entry] as const),
  )('%s', (_, entry) => {
    const { code, severity = 'error', at, file, also = [] } = entry;
    const { diagnostics, name } = check(entry);
    const found = diagnostics.map((diagnostic) => ({
      code: diagnostic.code,
      severity: diagnostic.severity,
      at: `${diagnostic.line}:${diagnostic.column}`,
      file: diagnostic.file,
    }));
    expect(found.filter((diagnostic) => !also.some((other) => other === diagnostic.code && other !== code))).toEqual([
      { code, severity, at, file: file === undefined ? name : join(name, '..', file) },
    ]);
  });

  it('has a case for every code there is', () => {
    const shown = new Set<string>([...cases.map(({ code }) => code), ...ELSEWHERE]);
    expect(Object.keys(diagnosticCodes).filter((code) => !shown.has(code))).toEqual([]);
  });
});

/** Codes of files that no text can cause: see read-flow.test.ts. */
const ELSEWHERE: readonly DiagnosticCode[] = ['file-not-found', 'not-a-file', 'file-unreadable'];

function check({ yaml, files, unregistered }: Case) {
  const options = { catalog: builtinCatalog, ...(unregistered === true ? {} : registered) };
  if (typeof yaml === 'string' && files === undefined && (yaml.includes('\n') || yaml.startsWith('{') || yaml === ''))
    return { ...checkFlow(yaml, options), name: '<text>' };
  const folder = temporaryFolder({ ...files, 'flow.yaml': yaml });
  const path = join(relative(process.cwd(), folder), 'flow.yaml');
  return { ...checkFlow(path, options), name: path };
}
