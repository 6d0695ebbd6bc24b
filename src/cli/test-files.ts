import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FlowError } from '../errors.ts';
import { isTestFile } from '../testing/flowtest/is-test-file.ts';

/** The files of tests that are meant; those of folders by their names. Throws `option-empty` where there is none. */
export function testFiles(given: readonly string[]): readonly string[] {
  const files = testPlaces(given).flatMap((place) => (isFolder(place) ? testFilesIn(place) : [place]));
  if (files.length > 0) return files;
  const where = given.length === 0 ? 'below this folder' : `in ${given.join(', ')}`;
  throw new FlowError('option-empty', `there is no file of tests ${where}. Their names end in .flowtest.yaml.`);
}

/** The files and folders that are meant: this folder where none is named. */
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
