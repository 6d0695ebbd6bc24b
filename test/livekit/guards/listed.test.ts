import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const guards = readdirSync(join(root, 'src/livekit/guards'))
  .map((file) => ({ file, text: read(`src/livekit/guards/${file}`) }))
  // Shared helpers are not guards.
  .filter(({ text }) => text.startsWith('// `@livekit/'));

it('a guard names its release and the upstream issue, has a test, and is listed for users', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  const guide = read('docs/rooms-and-deployment.md');
  expect(guards.length).toBeGreaterThan(8);
  for (const { file, text } of guards) {
    const [, name = '', version = ''] = /^\/\/ `(@livekit\/[\w-]+)`(?: and `[^`]*`)? ([\d.]+)/.exec(text) ?? [];
    expect(`${devDependencies[name]}.`, `${file} is for another release: is the fault still there?`).toContain(
      `${version}.`,
    );
    const [, upstream = ''] = /\bUpstream:\s(?:\/\/ )?(?:(https:\S+?)[,;.]?\s|not reported)/.exec(text) ?? [null];
    expect(guide, file).toContain(`| \`${file}\` |`);
    if (upstream !== '') expect(guide, file).toContain(`(${upstream})`);
    else expect(text, file).toMatch(/\bUpstream:\s(?:\/\/ )?not reported/);
    expect(existsSync(join(root, `test/livekit/guards/${file.replace('.ts', '.test.ts')}`)), file).toBe(true);
  }
});
