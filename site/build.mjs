// Builds the documentation site into .cache/site; with --serve, serves it on 127.0.0.1 and follows changes of docs/.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder, sitePages } from './pages.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const staged = siteFolder('site-pages');
const isServing = process.argv.includes('--serve');

install();
rmSync(staged, { recursive: true, force: true });
stage();
// The server looks for the generator's own packages beside the pages.
symlinkSync(join(folder, 'node_modules'), join(staged, 'node_modules'), 'junction');
const command = isServing ? ['dev', folder, '--host', '127.0.0.1'] : ['build', folder];
const program = join(folder, 'node_modules/vitepress/bin/vitepress.js');
const vitepress = spawn(process.execPath, [program, ...command], { stdio: ['ignore', 2, 2] });
vitepress.on('exit', (code) => process.exit(code ?? 1));
if (isServing) watch(join(folder, '../docs'), { recursive: true }, stage);

/** The generator is not a dependency of the project, whose installation would take a third longer. */
function install() {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const note = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(note) && readFileSync(note, 'utf8') === lock) return;
  process.stderr.write('roomflow: installing the generator of the site (once)\n');
  const options = { cwd: folder, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--ignore-scripts', '--loglevel=error'], options);
  if (status !== 0) {
    process.stderr.write('roomflow: npm could not install the generator of the site: the reason is above.\n');
    process.exit(status ?? 1);
  }
  writeFileSync(note, lock);
}

/** Writes the pages that differ from what is there. */
function stage() {
  const { pages, images } = sitePages();
  for (const [place, text] of pages) {
    const file = join(staged, place);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [place, source] of images) cpSync(source, join(staged, place));
}
