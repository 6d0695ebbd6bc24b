import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Saved, watchFolders } from '../../src/studio/dev/watch-folders.ts';
import { systemClock } from '../../src/system.ts';

test('files saved by the studio are reported at once, even if the system cannot watch them', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'roomflow-watch-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: Saved[] = [];
  const watch = watchFolders([], systemClock, (saved) => void told.push(saved));
  onTestFinished(() => watch.stop());
  watch.saved(join(folder, 'flow.yaml'), 'name: shop\n');
  watch.saved(join(folder, 'tools.ts'), 'export {};\n');
  // Tests have their own command.
  watch.saved(join(folder, 'flow.flowtest.yaml'), 'flow: flow.yaml\n');
  expect(told).toEqual(['texts', 'code']);
});

test('sources outside the project are watched too, flows with all files below their folder', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'roomflow-watch-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['project', 'flows/prompts', 'lib']) mkdirSync(join(folder, name), { recursive: true });
  const told: Saved[] = [];
  const watch = watchFolders([join(folder, 'project')], systemClock, (saved) => void told.push(saved));
  onTestFinished(() => watch.stop());
  const read = { flows: [join(folder, 'flows/flow.yaml')], code: [join(folder, 'lib/tools.ts')] };
  watch.also(read);
  // Known files and missing files change nothing.
  watch.also({ flows: [...read.flows, join(folder, 'gone/flow.yaml')], code: read.code });
  const isTold = (saved: Saved) => vi.waitFor(() => expect(told).toContain(saved), { timeout: 15_000, interval: 20 });
  writeFileSync(join(folder, 'flows/prompts/greeting.md'), 'Be brief.');
  await isTold('texts');
  writeFileSync(join(folder, 'lib/tools.ts'), 'export {};');
  await isTold('code');
});
