import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { FlowError } from '../errors.ts';
import { configName } from '../load/config-above.ts';
import { filesOfNewFlow, linesForConfig, linesForTsconfig } from './init-files.ts';
import { paint, print } from './output.ts';
import { writeOut } from './written-file.ts';

export const initCommand = defineCommand({
  args: {
    flow: { type: 'positional', description: 'What the new flow is called, such as table-booking.', required: true },
  },
  run({ args: { flow: name } }) {
    if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
      throw new FlowError('option-invalid', `"${name}" is no name of a flow. Write small letters, digits and hyphens.`);
    if (existsSync(name))
      throw new FlowError('option-invalid', `${name} is there already. Give the flow another name, or remove it.`);
    const hasConfig = existsSync(configName);
    const hasTsconfig = existsSync('tsconfig.json');
    for (const [file, text] of Object.entries(filesOfNewFlow(name))) {
      // What somebody may have changed stays.
      if (existsSync(file)) continue;
      writeOut(file, text);
      print(`${paint('green', 'made')} ${file}`);
    }
    if (hasConfig)
      print(
        [`${configName} is there already. Add to it:`, ...linesForConfig(name).map((line) => `  ${line}`)].join('\n'),
      );
    if (hasTsconfig) print(`tsconfig.json is there already. Imports of ./x.ts need in it: ${linesForTsconfig}`);
    if (!isInstalled('roomflow'))
      print('Its code needs the package, which is not installed here: npm install roomflow');
    print(
      [
        `Next: npx roomflow dev ${name}/flow.yaml   talk to it in the browser, and change it`,
        `      npx roomflow test${' '.repeat(name.length + 11)}   play its tests`,
        `      npx roomflow chat ${name}${' '.repeat(10)}   talk to it here`,
      ].join('\n'),
    );
  },
});

/** Whether code of this folder finds a package. */
function isInstalled(name: string): boolean {
  try {
    createRequire(resolve('here.js')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
