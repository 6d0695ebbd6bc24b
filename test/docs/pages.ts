import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectFolder = join(import.meta.dirname, '../..');

/** A fenced block of a page, or a file in a comment of the page: `<!-- file NAME … -->`. */
export interface Block {
  /** `yaml`, `ts`, `console`, …; empty if the fence names none. */
  readonly language: string;
  /** The file name, which is the second word of the fence; null if it has none. */
  readonly file: string | null;
  readonly text: string;
  readonly line: number;
}

export interface Page {
  /** Path from the project's folder. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const skill = 'skills/roomflow/SKILL.md';

/** Returns every handwritten page, README first. */
export function handwrittenPages(): readonly Page[] {
  const guides = readdirSync(join(projectFolder, 'docs')).filter((name) => name.endsWith('.md'));
  const root = readdirSync(projectFolder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return ['README.md', ...root, ...guides.toSorted().map((name) => `docs/${name}`), skill, ...packagePages()].map(
    openPage,
  );
}

/** Returns every Markdown file of the project, including generated pages, decisions and examples. */
export function allPages(): readonly Page[] {
  const below = ['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const root = readdirSync(projectFolder).filter((name) => name.endsWith('.md'));
  return [...root, ...below.toSorted(), skill, ...packagePages()].map(openPage);
}

function packagePages(): readonly string[] {
  return readdirSync(join(projectFolder, 'packages')).map((name) => `packages/${name}/README.md`);
}

function openPage(path: string): Page {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  return { path, text, blocks: blocksOf(text) };
}

/** Returns the blocks of a page in their order. */
function blocksOf(text: string): readonly Block[] {
  const form = /^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$|^<!-- file (\S+)\n([\s\S]*?)^-->$/gm;
  return [...text.matchAll(form)].map(({ index, 1: language, 2: file, 3: shown, 4: hiddenFile, 5: hidden }) => {
    const line = text.slice(0, index).split('\n').length;
    const name = hiddenFile ?? file ?? null;
    return { language: language ?? name?.split('.').at(-1) ?? '', file: name, text: shown ?? hidden ?? '', line };
  });
}
