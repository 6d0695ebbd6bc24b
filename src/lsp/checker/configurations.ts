import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { configAbove } from '../../flow/load/files/config-above.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { type Checker, createChecker } from './checker.ts';
import { createChildChecker } from './child-checker.ts';

/** Finds the configuration that a flow is checked with. */
export interface Configurations {
  /** The checker of a flow: with the nearest configuration above it, or without one. */
  checkerFor(path: string): Checker;
  /** The checker of conversation tests, each with the configuration that it names. */
  tests(): Checker;
  /** The checker without any configuration. */
  readonly bare: Checker;
  /** Reloads configurations whose code has changed on disk. Returns whether there were any. */
  refresh(): boolean;
  close(): void;
}

/**
 * Looks for `agent.config.ts` from the folder of a flow upwards to `root`. `given` is the configuration for all flows,
 * if one was named.
 */
export function createConfigurations(root: string, given: string | null): Configurations {
  const bare = createChecker(builtinCatalog, {});
  const open = new Map<string, { readonly checker: Checker; readonly code: string }>();

  const checkerOf = (config: string): Checker => {
    const known = open.get(config);
    if (known !== undefined) return known.checker;
    const checker = createChildChecker(config, relative(root, config), dirname(config));
    open.set(config, { checker, code: codeOf(config) });
    return checker;
  };
  return {
    tests() {
      const place = join(root, '*.flowtest.yaml');
      const known = open.get(place);
      if (known !== undefined) return known.checker;
      const checker = createChildChecker(null, 'a test', root);
      open.set(place, { checker, code: codeOf(place) });
      return checker;
    },
    bare,
    checkerFor(path) {
      const config = given ?? configAbove(path, root);
      return config === undefined ? bare : checkerOf(config);
    },
    refresh() {
      let isChanged = false;
      for (const [config, { checker, code }] of [...open]) {
        if (codeOf(config) === code) continue;
        checker.close();
        open.delete(config);
        isChanged = true;
      }
      return isChanged;
    },
    close() {
      for (const { checker } of open.values()) checker.close();
      open.clear();
    },
  };
}

/** The maximum number of code files to look at: more than a project of flows has. */
const mostFiles = 2_000;

/**
 * The modification times of the code near a configuration, as a text to compare. Flows are read again at each check.
 */
function codeOf(config: string): string {
  const times: string[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (times.length >= mostFiles) return;
      if (entry.isDirectory()) {
        if (depth > 0 && !/^(?:\.|node_modules$|dist$|build$|coverage$)/.test(entry.name))
          look(join(folder, entry.name), depth - 1);
      } else if (/\.(?:[cm]?[jt]s|json)$/.test(entry.name)) {
        const file = join(folder, entry.name);
        times.push(`${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0}`);
      }
    }
  };
  look(dirname(config), 5);
  return times.join('\n');
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
