import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The content under a name: text, bytes, or a link. */
export type Content = string | Uint8Array | { readonly link: string };

/** Creates a folder with these files, which is removed when the test ends. */
export function temporaryFolder(files: Readonly<Record<string, Content>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'roomflow-load-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
    else symlinkSync(content.link, path);
  }
  return folder;
}
