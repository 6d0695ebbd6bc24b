#!/usr/bin/env node
// `npm create roomflow NAME`: a folder with a flow, its tools, its tests and a configuration, and Roomflow installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env, execPath, exit, stderr, stdout } from 'node:process';

const [name = '', ...others] = argv.slice(2);
if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || others.length > 0)
  fail(2, 'Usage: npm create roomflow NAME, with lowercase letters, digits and hyphens, such as table-booking.');
if (existsSync(name)) fail(2, `${name} already exists. Choose another name, or remove it.`);

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const manifest = {
  name,
  private: true,
  type: 'module',
  scripts: {
    start: 'roomflow start',
    dev: `roomflow dev ${name}/flow.yaml`,
    check: 'roomflow check',
    test: 'roomflow test',
  },
  dependencies: { roomflow: `^${version}`, zod: '^4.0.0' },
};
mkdirSync(name);
writeFileSync(join(name, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(name, '.gitignore'), 'node_modules/\n.env\ndata/\n');

stdout.write(`Installing roomflow in ${name}.\n`);
if (!runs(...npm(), 'install', '--no-audit', '--no-fund'))
  fail(1, `npm install failed in ${name}. Remove the folder, and try again when npm works.`);
if (!runs(execPath, 'node_modules/roomflow/dist/cli/main.js', 'init', name))
  fail(1, `roomflow init failed in ${name}. Run there: npx roomflow init ${name}`);
stdout.write(`\nThen: cd ${name}\n`);

/** The npm that runs this program, else the one on the path. */
function npm() {
  const own = env.npm_execpath ?? '';
  return own === '' ? ['npm'] : [execPath, own];
}

function runs(command, ...args) {
  return spawnSync(command, args, { cwd: name, stdio: 'inherit' }).status === 0;
}

function fail(code, text) {
  stderr.write(`${text}\n`);
  exit(code);
}
