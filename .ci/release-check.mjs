// Refuses a release whose page on a registry would be broken. npm runs it before it publishes a package (prepublishOnly),
// in the folder of the package.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Hosts for which npm turns a relative link of README into an address in the repository. */
const rewritten =
  /^(git\+)?(https?|ssh|git):\/\/(git@)?(github\.com|gitlab\.com|bitbucket\.org)\/|^(github|gitlab|bitbucket):|^[\w-]+\/[\w.-]+$/;

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const unset = ['repository', 'homepage', 'bugs'].filter((field) => addressOf(manifest[field]) === '');
const faults = [
  ...unset.map((field) => `package.json has no "${field}". Set it to the address of this project.`),
  ...brokenLinks(),
];
for (const fault of faults) process.stderr.write(`${manifest.name}: ${fault}\n`);
if (faults.length > 0) {
  process.stderr.write(`${manifest.name} is not ready for a release: ${faults.length} faults.\n`);
  process.exitCode = 1;
}

function addressOf(field) {
  return (typeof field === 'string' ? field : (field?.url ?? '')).trim();
}

/** The links and pictures of README that lead nowhere on a registry's page. */
function brokenLinks() {
  const isRewritten = rewritten.test(addressOf(manifest.repository));
  return relativeLinks().flatMap(({ link, line }) => {
    const place = `README.md:${line}: ${link}`;
    if (!existsSync(join(folder, link.replace(/[#?].*$/, ''))))
      return [`${place} leads to a file that does not exist.`];
    if (isRewritten) return [];
    return [`${place} breaks on a registry's page. Set "repository" to a GitHub, GitLab or Bitbucket address.`];
  });
}

function relativeLinks() {
  const text = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, (fence) =>
    fence.replaceAll(/[^\n]/g, ''),
  );
  const inText = /\]\(([^)\s]+)[^)]*\)|<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"|^\[[^\]]+\]:\s*(\S+)/gm;
  return [...text.matchAll(inText)]
    .map(({ index, 1: inline, 2: html, 3: reference }) => ({
      link: inline ?? html ?? reference ?? '',
      line: text.slice(0, index).split('\n').length,
    }))
    .filter(({ link }) => !/^([a-z][a-z+.-]*:|#|\/\/)/i.test(link));
}
