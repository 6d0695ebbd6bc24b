import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { isBroad } from '../tries.ts';

/** The diagnostics of one file, and its reading time as a multiple of the CPU time of a fixed sum. */
interface Outcome {
  readonly codes: readonly string[];
  readonly hasPlaces: boolean;
  readonly cpuSeconds: number;
}

/** Heap limit for all files, one after the other. */
const heapMegabytes = 250;
/** The slowest takes less than 2 s of CPU, even on a busy machine. Quadratic growth takes minutes. */
const mostCpuSeconds = 30;

/** Mistakes in a file that has thousands: each takes time, and `npm run laws` has all of them. */
const many = isBroad ? 9_000 : 3_000;

/** Files of nearly 2 MB, or just over a limit, each with the expression that makes it. */
const files: Readonly<Record<string, readonly [source: string, codes: string]>> = {
  '100,000 nodes': ['"nodes:\\n" + lines(i => ` n${i}: {}\\n`)', 'too-many-nodes'],
  '77,000 keys in one map': ['lines(i => `k${i}: 1\\n`, 77_000)', 'too-many-keys'],
  'a million nested lists': ['"x: " + fill("[") + "\\n"', 'too-deep'],
  'a stair of maps': ['stair() + "\\n"', 'too-deep'],
  'half a million list items': ['"x: [" + fill("1,") + "]\\n"', 'too-many-keys'],
  'items run together': [`"x: [" + '"a"'.repeat(${isBroad ? 600_000 : 200_000}) + "]\\n"`, 'yaml-syntax'],
  'two million empty lines': ['"a: 1\\n" + fill("\\n")', 'file-too-large'],
  'half a million anchors': ['"x: " + fill("&a ") + "\\n"', 'yaml-syntax'],
  'half a million tags': ['"x: [" + fill("!a b,") + "]\\n"', 'unknown-tag'],
  'half a million documents': ['fill("---\\n")', 'several-documents too-many-keys'],
  'an open quote': ['"a: \\"" + fill("x") + "\\n"', 'yaml-syntax'],
  'a million quotes': ['fill("\\"") + "\\n"', 'file-too-large'],
  'broken flow maps': ['"x: {\\n" + fill("a\\n")', 'too-many-keys'],
  'an alias bomb': [
    '"a0: &a0 [1]\\n" + lines(i => `a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i},*a${i}]\\n`, 60)',
    'alias-limit document-kind missing-key unknown-key',
  ],
  'a key twice in each of thousands of maps': [
    `lines(i => \`k\${i}: {a: 1, a: 2}\\n\`, ${many})`,
    'document-kind duplicate-key missing-key unknown-key',
  ],
  'three mistakes in each of thousands of nodes': [
    `"initial_node: n0\\nnodes:\\n" + lines(i => \` n\${i}: {sayy: 1, end: 5, collect: {}}\\n\`, ${many})`,
    'unknown-key wrong-type',
  ],
  'thousands of mistakes in one line': [
    `'{"initial_node":"a","nodes":{' + lines(i => \`"n\${i}":{"sayy":1,"description":"\${"x".repeat(150)}"},\`, ${many}) + '"a":{}}}'`,
    'unknown-key',
  ],
};

const program = `
  import { readFlow } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../dist/flow/load/read-flow.js')))};
  const fill = (unit) => unit.repeat(1_999_000 / unit.length);
  const lines = (line, count = 1e9) => { let text = ''; for (let i = 0; i < count && text.length < 1_999_000; i += 1) text += line(i); return text; };
  const stair = () => { let text = ''; for (let i = 0; text.length < 1_990_000; i += 1) text += ' '.repeat(i) + 'a:\\n'; return text; };
  const cpuOf = (work) => { const before = process.cpuUsage(); work(); const { user, system } = process.cpuUsage(before); return user + system; };
  const run = (source) => {
    let found = [];
    const cpu = cpuOf(() => { found = readFlow(source).diagnostics; });
    return {
      codes: [...new Set(found.map(({ code }) => code))].sort(),
      hasPlaces: found.length > 0 && found.every(({ line, column, frame }) => line > 0 && column > 0 && frame.length < 1_000),
      cpuSeconds: cpu / 1_000_000,
    };
  };
  readFlow('initial_node: a\\nnodes: { a: { end: x } }\\n');
  console.log(JSON.stringify([${Object.values(files)
    .map(([source]) => `run(${source})`)
    .join()}]));
`;

describe('a file made to hurt', () => {
  let outcomes: readonly Outcome[];
  beforeAll(() => {
    const options = [`--max-old-space-size=${heapMegabytes}`, '--input-type=module', '--eval', program];
    outcomes = JSON.parse(execFileSync(execPath, options, { encoding: 'utf8' })) as readonly Outcome[]; // Returned by `run`.
  }, 600_000);

  it.each(Object.entries(files).map(([name, [, codes]], index) => [name, codes, index] as const))(
    '%s: is told in proportion to its length, within 250 MB',
    (_, codes, index) => {
      const outcome = outcomes[index];
      expect(outcome).toMatchObject({ codes: codes.split(' '), hasPlaces: true });
      expect(outcome?.cpuSeconds).toBeLessThan(mostCpuSeconds);
    },
  );
});
