import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const program = join(projectFolder, 'packages/create-roomflow/src/create.mjs');

/** In place of npm: links this package instead of the one of the registry. */
const linking = `import { mkdirSync, symlinkSync } from 'node:fs';
mkdirSync('node_modules');
for (const [name, folder] of [['roomflow', ${JSON.stringify(projectFolder)}], ['zod', ${JSON.stringify(join(projectFolder, 'node_modules/zod'))}]])
  symlinkSync(folder, 'node_modules/' + name, 'dir');
`;
const failing = 'process.exitCode = 1;';

function created(args: readonly string[], folder: string): Promise<{ code: number; out: string; errors: string }> {
  const env = { ...process.env, npm_execpath: join(folder, 'npm.mjs') };
  return new Promise((resolve) => {
    execFile(execPath, [program, ...args], { cwd: folder, env }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    );
  });
}

test('a new project has a flow that is right, its commands and what it needs', async () => {
  const folder = folderOf({ 'npm.mjs': linking });
  const { code, out } = await created(['table-booking'], folder);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('cd table-booking') as string });
  const project = join(folder, 'table-booking');
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toMatchObject({
    ...{ name: 'table-booking', private: true, type: 'module' },
    dependencies: { roomflow: `^${version}`, zod: '^4.0.0' },
  });
  expect(await roomflowHere(['check', 'table-booking/flow.yaml'], '', project)).toMatchObject({ code: 0 });
});

test('without a name, with a name of another kind, and beside a folder of that name it changes nothing', async () => {
  const folder = folderOf({ 'npm.mjs': linking, 'taken/a.txt': '' });
  for (const args of [[], ['../x'], ['Table'], ['a', 'b'], ['--help']])
    expect(await created(args, folder)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Usage: npm create roomflow NAME') as string,
    });
  expect(await created(['taken'], folder)).toMatchObject({
    code: 2,
    errors: 'taken already exists. Choose another name, or remove it.\n',
  });
  expect(existsSync(join(folder, 'taken/package.json'))).toBe(false);
});

test('if npm fails, it says what to do', async () => {
  const folder = folderOf({ 'npm.mjs': failing });
  expect(await created(['shop'], folder)).toMatchObject({
    code: 1,
    errors: 'npm install failed in shop. Remove the folder, and try again when npm works.\n',
  });
});
