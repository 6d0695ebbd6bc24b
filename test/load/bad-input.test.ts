import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What reading cost in a process of its own, and what it found. */
interface Outcome {
  readonly codes: readonly string[];
  readonly hasPlaces: boolean;
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** Files of nearly 2 MB, or just over a limit, each the expression that makes it. */
const files: Readonly<Record<string, readonly [source: string, codes: string]>> = {
  '100,000 nodes': ['"nodes:\\n" + lines(i => ` n${i}: {}\\n`)', 'too-many-nodes'],
  '77,000 keys in one map': ['lines(i => `k${i}: 1\\n`, 77_000)', 'too-many-keys'],
  'a million nested lists': ['"x: " + fill("[") + "\\n"', 'too-deep'],
  'a stair of maps': ['stair() + "\\n"', 'too-deep'],
  'half a million list items': ['"x: [" + fill("1,") + "]\\n"', 'too-many-keys'],
  'half a million items run together': ['"x: [" + fill("\\"a\\"") + "]\\n"', 'yaml-syntax'],
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
  'a key twice in each of 9,000 maps': [
    'lines(i => `k${i}: {a: 1, a: 2}\\n`, 9_000)',
    'document-kind duplicate-key missing-key unknown-key',
  ],
  'three mistakes in each of 9,000 nodes': [
    '"initial_node: n0\\nnodes:\\n" + lines(i => ` n${i}: {sayy: 1, end: 5, collect: {}}\\n`, 9_000)',
    'unknown-key wrong-type',
  ],
  'mistakes in one line of 2 MB': [
    '`{"initial_node":"a","nodes":{` + lines(i => `"n${i}":{"sayy":1,"description":"${"x".repeat(150)}"},`, 9_000) + `"a":{}}}`',
    'unknown-key',
  ],
};

const program = `
  import { readFlow } from ${JSON.stringify(join(import.meta.dirname, '../../src/load/read-flow.ts'))};
  const fill = (unit) => unit.repeat(1_999_000 / unit.length);
  const lines = (line, count = 1e9) => { let text = ''; for (let i = 0; i < count && text.length < 1_999_000; i += 1) text += line(i); return text; };
  const stair = () => { let text = ''; for (let i = 0; text.length < 1_990_000; i += 1) text += ' '.repeat(i) + 'a:\\n'; return text; };
  readFlow('initial_node: a\\nnodes: { a: { end: x } }\\n');
  const run = (source) => {
    const before = process.memoryUsage().rss;
    const { user, system } = process.cpuUsage();
    const { diagnostics } = readFlow(source);
    const after = process.cpuUsage();
    return {
      codes: [...new Set(diagnostics.map(({ code }) => code))].sort(),
      hasPlaces: diagnostics.length > 0 && diagnostics.every(({ line, column, frame }) => line > 0 && column > 0 && frame.length < 1_000),
      cpuMs: (after.user - user + after.system - system) / 1_000,
      megabytes: (process.resourceUsage().maxRSS * 1_024 - before) / 1e6,
    };
  };
`;

function outcome(source: string): Outcome {
  const code = `${program}\nconsole.log(JSON.stringify(run(${source})));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Outcome;
}

describe('a file made to hurt', () => {
  it.each(Object.entries(files))('%s: is told in two seconds and 300 MB', (_, [source, codes]) => {
    const { cpuMs, megabytes, ...found } = outcome(source);
    expect(found).toEqual({ codes: codes.split(' '), hasPlaces: true });
    expect(megabytes).toBeLessThan(300);
    // Collecting garbage runs beside us on other cores and counts as well; a busy machine doubles it.
    expect(cpuMs).toBeLessThan(4_000);
  });
});
