import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The flow of a folder is the first of these files that it has. `agent.json` is Dialogflow's, and is reported as such.
 */
const flowFiles = ['flow.yaml', 'flow.yml', 'flow.json', 'flow.ts', 'flow.mts', 'flow.js', 'flow.mjs', 'agent.json'];

/**
 * Returns the file that a path means: for a folder, the flow in it. Any other path, and a folder without a flow, is
 * returned unchanged.
 */
export function flowFile(path: string): string {
  if (!isFolder(path)) return path;
  const name = flowFiles.find((each) => existsSync(join(path, each)));
  return name === undefined ? path : join(path, name);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A path that cannot be read, or is not a path, is reported when it is read.
    return false;
  }
}
