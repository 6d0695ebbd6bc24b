import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { defineCommand } from 'citty';
import { FlowError } from '../errors.ts';
import { configName } from '../load/config-above.ts';
import { filesOfNewFlow, linesForConfig } from './init-files.ts';
import { paint, print } from './output.ts';

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
    for (const [file, text] of Object.entries(filesOfNewFlow(name))) {
      // What somebody may have changed stays.
      if (existsSync(file)) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      print(`${paint('green', 'made')} ${file}`);
    }
    if (hasConfig)
      print(
        [`${configName} is there already. Add to it:`, ...linesForConfig(name).map((line) => `  ${line}`)].join('\n'),
      );
    print(`Next: roomflow check, roomflow test, roomflow chat ${name}`);
  },
});
