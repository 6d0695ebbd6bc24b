import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The flow of a folder is in the first of these that it holds; `agent.json` is Dialogflow's, and is told of as such. */
const flowFiles = ['flow.yaml', 'flow.yml', 'flow.json', 'flow.ts', 'flow.mts', 'flow.js', 'flow.mjs', 'agent.json'];

/** The file that a path means: of a folder, the flow in it; any other path, and a folder without one, is itself. */
export function flowFile(path: string): string {
  if (!isFolder(path)) return path;
  const name = flowFiles.find((each) => existsSync(join(path, each)));
  return name === undefined ? path : join(path, name);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // What cannot be looked at, or is no path at all, is told of where it is read.
    return false;
  }
}
