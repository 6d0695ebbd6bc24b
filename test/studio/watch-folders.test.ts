import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Saved, watchFolders } from '../../src/studio/dev/watch-folders.ts';
import { systemClock } from '../../src/system.ts';

test('what the studio itself saves is told at once, also where the system watches nothing', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'roomflow-watch-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: Saved[] = [];
  const watch = watchFolders([], systemClock, (saved) => void told.push(saved));
  onTestFinished(() => watch.stop());
  watch.saved(join(folder, 'flow.yaml'), 'name: shop\n');
  watch.saved(join(folder, 'tools.ts'), 'export {};\n');
  // Tests are run by their own command.
  watch.saved(join(folder, 'flow.flowtest.yaml'), 'flow: flow.yaml\n');
  expect(told).toEqual(['texts', 'code']);
});
