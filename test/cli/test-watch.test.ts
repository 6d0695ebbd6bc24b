import { spawn } from 'node:child_process';
import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder, linkedFolderOf } from './run-cli.ts';

const flow = (question: string): string => `name: order
initial_node: details
role_messages: [{ role: system, content: You take orders. }]
slots: { flowers: { type: enum, ask: "${question}", values: { roses: [rose], tulips: [tulip] } } }
nodes:
  details: { collect: [flowers], default_transition: done }
  done: { task_messages: [{ role: system, content: Say what it costs. }], functions: [{ name: price, description: The price., transition_to: bye }] }
  bye: { say: "Goodbye.", end: told }

`;
const tests = (flowFile: string, said: string, rest = ''): string =>
  `flow: ${flowFile}\n${rest}scenarios:\n  - name: it asks in ${flowFile}\n    turns: [{ expect: { said: "${said}" } }]\n`;
const config = `import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import { amount } from './amount.ts';
export default { flows: { shop: './shop.yaml' }, initialFlow: 'shop', tools: [flowTool({ name: 'price', description: 'The price.', parameters: z.object({}), execute: () => amount })] };
`;

/** Starts `roomflow test --watch` in a folder and captures its output. */
function watch(folder: string) {
  const child = spawn(process.execPath, [join(projectFolder, 'dist/cli/main.js'), 'test', '--watch'], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  let read = 0;
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      for (const look of waiting) look();
    });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  return {
    child,
    ended,
    /** Returns the output up to the end of the next round. */
    round: () =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const end = shown.indexOf('Waiting for changes', read);
          if (end < 0) return;
          waiting.delete(look);
          const text = shown.slice(read, end);
          read = end + 1;
          resolve(text);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Saves like editors do: a new file replaces the old one. */
function save(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.tmp`), text);
  renameSync(join(folder, `${name}.tmp`), join(folder, name));
}

test('--watch runs again what a change touches, tells errors of a half-typed file, keeps the last result, and ends at once', async () => {
  const folder = linkedFolderOf({
    'order.yaml': flow('Roses or tulips?'),
    'order.flowtest.yaml': tests('order.yaml', 'Roses or tulips'),
    'shop.yaml': flow('Which flowers?'),
    'shop.flowtest.yaml': `flow: shop.yaml
config: agent.config.ts
scenarios:
  - name: it tells the price
    turns:
      - expect: { said: Which flowers }
      - user: roses
        model: [{ record: { flowers: roses } }, Anything else?]
      - user: what is it?
        model: { call: price }
        expect: { tool: price }
`,
    'agent.config.ts': config,
    'amount.ts': 'export const amount = { amount: 5 };\n',
  });
  symlinkSync(join(projectFolder, 'node_modules/zod'), join(folder, 'node_modules/zod'), 'dir');
  const { child, round, ended } = watch(folder);
  const first = await round();
  expect(first).toContain('running 2 files');
  expect(first).toContain('2 scenarios: 2 passed');

  // The flow of one test: the other test is not run, and its result stays.
  save(folder, 'order.yaml', flow('Lilies or tulips?'));
  const afterFlow = await round();
  expect(afterFlow).toContain('running order.flowtest.yaml');
  expect(afterFlow).toContain('ok it tells the price');
  expect(afterFlow).toContain('found     Lilies or tulips?');
  expect(afterFlow).toContain('2 scenarios: 1 passed, 1 failed');

  save(
    folder,
    'order.flowtest.yaml',
    'flow: order.yaml\nscenarios:\n  - name: it asks in order.yaml\n    turns: [{ exp',
  );
  const halfTyped = await round();
  expect(halfTyped).toMatch(/order\.flowtest\.yaml:\d+:\d+ yaml-syntax/);
  expect(halfTyped).toContain('previous result: order.flowtest.yaml');
  expect(halfTyped).toContain('1 file with errors, not run');

  save(folder, 'order.flowtest.yaml', tests('order.yaml', 'Lilies or tulips'));
  expect(await round()).toContain('2 scenarios: 2 passed');

  // Code that a configuration imports is loaded anew.
  save(folder, 'amount.ts', "export const amount = (() => { throw new Error('no price list'); })();\n");
  const afterCode = await round();
  expect(afterCode).toContain('running shop.flowtest.yaml');
  expect(afterCode).toContain('no price list');

  save(folder, 'amount.ts', 'export const amount = { amount: 7 };\n');
  expect(await round()).toContain('2 scenarios: 2 passed');

  // A test that hangs in an endless loop does not delay the next round.
  save(folder, 'amount.ts', 'for (;;);\nexport const amount = 1;\n');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`roomflow-watch-${child.pid}-`))).toEqual([]);
});
