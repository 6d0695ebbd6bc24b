import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { configName } from '../../flow/load/files/config-above.ts';
import { filesOfNewFlow, linesForConfig, linesForTsconfig } from './init-files.ts';
import { paint, print } from '../output.ts';
import { writeOut } from '../written-file.ts';

export const initCommand = defineCommand({
  args: {
    flow: { type: 'positional', description: 'The name of the new flow, such as table-booking.', required: true },
  },
  run({ args: { flow: name } }) {
    if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
      throw new FlowError(
        'option-invalid',
        `"${name}" is not a valid flow name. Use lowercase letters, digits and hyphens.`,
      );
    if (existsSync(name))
      throw new FlowError('option-invalid', `${name} already exists. Choose another name, or remove it.`);
    const hasConfig = existsSync(configName);
    const hasTsconfig = existsSync('tsconfig.json');
    for (const file of writeNewFiles(name)) print(`${paint('green', 'made')} ${file}`);
    if (hasConfig)
      print(
        [`${configName} already exists. Add to it:`, ...linesForConfig(name).map((line) => `  ${line}`)].join('\n'),
      );
    if (hasTsconfig) print(`tsconfig.json already exists. For imports of ./x.ts add: ${linesForTsconfig}`);
    if (!isInstalled('roomflow')) print('The package roomflow is not installed here. Run: npm install roomflow');
    print(
      [
        `Next: npx roomflow dev ${name}/flow.yaml   talk to it in the browser, and change it`,
        `      npx roomflow test${' '.repeat(name.length + 11)}   play its tests`,
        `      npx roomflow chat ${name}${' '.repeat(10)}   talk to it here`,
      ].join('\n'),
    );
  },
});

/** Writes the files of a new flow, or none: a flow that is half written would refuse the next attempt. */
function writeNewFiles(name: string): readonly string[] {
  // Existing files are not overwritten.
  const wanted = Object.entries(filesOfNewFlow(name)).filter(([file]) => !existsSync(file));
  const files = wanted.map(([file]) => file);
  const folders = [...new Set(files.map((file) => dirname(file)))].filter((folder) => !existsSync(folder));
  try {
    for (const [file, text] of wanted) writeOut(file, text);
  } catch (error) {
    for (const path of [...folders, ...files]) if (existsSync(path)) rmSync(path, { recursive: true });
    throw error;
  }
  return files;
}

/** Checks whether code in this folder can resolve a package. */
function isInstalled(name: string): boolean {
  try {
    createRequire(resolve('here.js')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
