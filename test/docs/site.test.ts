import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { sidebar, sitePages } from '../../site/pages.mjs';
import { projectFolder } from './pages.ts';

// The site itself is built by .ci/run: 12 seconds of a processor, and a generator that only it installs.
const { pages, images } = sitePages();

test('every page of docs is a page of the site, and its links lead to others', () => {
  expect(pages.size).toBeGreaterThan(80);
  const dead = [...pages].flatMap(([place, text]) => {
    const prose = text.replaceAll(/^(`{3,4})[^`][\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');
    return [...prose.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, link = '']) => {
      const target = posix.join(posix.dirname(place), link);
      return /^(https?|mailto):/.test(link) || pages.has(target) || images.has(target) ? [] : [`${place}: ${link}`];
    });
  });
  expect(dead).toEqual([]);
});

test('the sidebar has the subjects of docs/README.md, and every page of them', () => {
  const groups = sidebar();
  const index = readFileSync(join(projectFolder, 'docs/README.md'), 'utf8');
  const headings = [...index.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(groups.map(({ text }) => text)).toEqual([...headings, 'Decisions']);
  const listed = new Set(groups.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`)));
  const own = [...pages.keys()].filter((place) => !/^repository\/|(^|\/)index\.md$/.test(place));
  expect(own.filter((place) => !listed.has(place))).toEqual([]);
});

test('the pages of the site hold no file that a page only has for its tests', () => {
  expect([...pages].filter(([, text]) => text.includes('<!-- file ')).map(([place]) => place)).toEqual([]);
});
