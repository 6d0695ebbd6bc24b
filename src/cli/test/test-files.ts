import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FlowError } from '../../model/errors.ts';
import { isTestFile } from '../../flowtest/document/is-test-file.ts';

/** Returns the test files, including those in the given folders. Throws `option-empty` if there are none. */
export function testFiles(given: readonly string[]): readonly string[] {
  const files = testPlaces(given).flatMap((place) => (isFolder(place) ? testFilesIn(place) : [place]));
  if (files.length > 0) return files;
  const where = given.length === 0 ? 'below this folder' : `in ${given.join(', ')}`;
  throw new FlowError('option-empty', `there is no test file ${where}. Names of test files end in .flowtest.yaml.`);
}

/** Returns the given files and folders, or the current folder. */
export function testPlaces(given: readonly string[]): readonly string[] {
  return given.length === 0 ? ['.'] : given;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '.' ? entry.name : join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist'
          ? []
          : testFilesIn(path);
      return isTestFile(entry.name) ? [path] : [];
    });
}
