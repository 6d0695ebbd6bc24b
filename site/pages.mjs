// The pages of the site: every page of docs/, and what a page links to elsewhere in the repository, with links that hold between them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');

/** The pages by their path in the site, with the images that they show. Throws an error that lists the dead links. */
export function sitePages() {
  const pages = new Map();
  const images = new Map();
  const dead = [];
  const waiting = ['docs/decisions', ...filesBelow('docs')];
  const linkTo = (from, link) => {
    const [path, ...heading] = link.split('#');
    if (path === '' || /^[a-z]+:/.test(link)) return link;
    const target = posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, '');
    if (!existsSync(join(root, target))) dead.push(`${from}: ${link}`);
    const isImage = /\.(png|svg)$/.test(target);
    if (isImage) images.set(placeOf(target), join(root, target));
    else waiting.push(target);
    const place = isImage ? placeOf(target) : pagePlace(target);
    return [relativePath(pagePlace(from), place), ...heading].join('#');
  };
  for (const source of waiting) {
    const place = pagePlace(source);
    if (!pages.has(place) && existsSync(join(root, source))) pages.set(place, textOf(source, linkTo));
  }
  if (dead.length > 0) throw new Error(`These links lead nowhere:\n${dead.join('\n')}`);
  return { pages, images };
}

/** The sidebar: the tables of docs/README.md with their headings, then the decisions. */
export function sidebar() {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      text: part.split('\n')[0],
      collapsed: false,
      items: [...part.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, name, file]) => ({
        text: name.startsWith('`') ? `API: ${name.slice(1, -1)}` : name[0].toUpperCase() + name.slice(1),
        link: `/${file.replace(/\.md$/, '')}`,
      })),
    }));
  const decisions = filesBelow('docs/decisions').map((file) => ({
    text: titleOf(file),
    link: `/decisions/${basename(file, '.md')}`,
  }));
  return [...groups, { text: 'Decisions', collapsed: true, items: decisions }];
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .toSorted();
}

/** The place in the site of a file or folder: docs/ is its root, and the rest of the repository a folder of it. */
function placeOf(path) {
  return path.startsWith('docs/') ? path.slice('docs/'.length) : `repository/${path}`;
}

function pagePlace(path) {
  const place = placeOf(path);
  if (isFolder(path)) return `${place}/index.md`;
  return place.endsWith('.md') ? place.replace(/(^|\/)README\.md$/, '$1index.md') : `${place}.md`;
}

function isFolder(path) {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
}

function relativePath(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** A page as it is, a folder as its README or the list of its files, and any other file as a listing. */
function textOf(path, linkTo) {
  const readme = `${path}/README.md`;
  if (isFolder(path)) return existsSync(join(root, readme)) ? textOf(readme, linkTo) : folderText(path, linkTo);
  const text = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.md')) return pageText(text, (link) => linkTo(path, link));
  const language = basename(path).startsWith('Dockerfile') ? 'dockerfile' : (/\.(\w+)$/.exec(path)?.[1] ?? 'text');
  return `# ${basename(path)}\n\n\`${path}\`\n\n\`\`\`\`${language}\n${text}\n\`\`\`\`\n`;
}

function folderText(path, linkTo) {
  const names = readdirSync(join(root, path)).filter((name) => !name.startsWith('.') && !isFolder(`${path}/${name}`));
  const items = names.map((name) => {
    const title = name.endsWith('.md') ? titleOf(`${path}/${name}`) : name;
    return `- [${title}](${linkTo(`${path}/README.md`, name)})`;
  });
  const title = basename(path);
  return `# ${title[0].toUpperCase()}${title.slice(1)}\n\n${items.join('\n')}\n`;
}

function titleOf(path) {
  return /^# (?:\d+ )?(.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? basename(path);
}

/** A page without its comments, which hold files for tests, and with the links of the site outside of code. */
function pageText(text, linkOf) {
  const parts = text.replaceAll(/^<!--[\s\S]*?-->\n/gm, '').split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m);
  const linked = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replaceAll(/\]\(([^)\s]+)\)/g, (_, link) => `](${linkOf(link)})`),
  );
  return linked.join('');
}

export function siteFolder(name) {
  return join(root, '.cache', name);
}

/** The anchor of a heading, as GitHub makes it: test/docs/prose.test.ts holds the links to these. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
