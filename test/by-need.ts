import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/**
 * Order of the tests that run beside the rooms, whose calls occupy a core: computing tests first, then, once the calls
 * are over, tests with their own processes, pages and voices.
 */
const folders = [
  ...['explore', 'durable', 'offline', 'flows', 'people', 'tasks', 'http', 'lsp', 'packages', 'studio', 'cli'],
  ...['docs', 'setup.test.ts', 'worker', 'examples', 'bench'],
];

/** From this folder on, the mixed tests are spread among the folders. */
const firstMixed = 'people';
const spreadFolders = [
  // These wait for voices and connections in real time: a core is idle if only they run.
  ['testing', 'livekit', 'providers'],
  // These compute without a pause: many short files, which keep a core busy while others wait.
  ['load', 'reading', 'kernel', 'importers', 'graph', 'expression', 'nodes', 'slots'],
];

/** Files with their own process come first: a shared process ends when the next file may not share it. */
const projects = ['alone', 'shared'];

/** Files that wait longest, in descending order, so that none is left over at the end of its folder. */
const longest = [
  'test/studio/dev.test.ts',
  'test/packages/timekeepers.test.ts',
  'test/durable/trouble.test.ts',
  'test/explore/talk.test.ts',
  'test/durable/crash-sweep.test.ts',
  'test/durable/people-sweep.test.ts',
  // At most a few calls at once for a third of the time.
  'test/rooms/studio-voice.test.ts',
];

/** Sorts by size and by name. */
const { sort: byHabit } = BaseSequencer.prototype;

/** Sorts test files by their needs. */
export class ByNeed extends BaseSequencer {
  readonly #root: string;

  constructor(vitest: Vitest) {
    super(vitest);
    this.#root = vitest.config.root;
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): readonly number[] => {
      const path = relative(this.#root, moduleId);
      return [
        project.config.sequence.groupOrder,
        place(projects, project.name),
        place(folders, this.#folder(moduleId)),
        place(longest, path),
      ];
    };
    const sorted = (await byHabit.call(this, files)).toSorted((a, b) => {
      const [ranks, others] = [rank(a), rank(b)];
      return ranks.map((one, index) => one - (others[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
    });
    // Only for tests that share processes: the others stay ahead.
    const isIn = (names: readonly string[]) => (file: TestSpecification) =>
      file.project.name === 'shared' && names.includes(this.#folder(file.moduleId));
    const mixedFolders = folders.slice(folders.indexOf(firstMixed));
    const rest = sorted.filter((file) => !isIn(spreadFolders.flat())(file));
    const first = rest.findIndex(isIn(mixedFolders));
    if (first === -1) return sorted;
    const spread = spreadFolders.map((names) => sorted.filter(isIn(names)));
    return [...rest.slice(0, first), ...mixed([rest.slice(first), ...spread])];
  }

  #folder(moduleId: string): string {
    return relative(this.#root, moduleId).split(sep)[1] ?? '';
  }
}

/** Returns all lists in their order, each spread over the whole. */
function mixed<Each>(lists: readonly (readonly Each[])[]): Each[] {
  const spread = lists.flatMap((list) => list.map((each, index) => ({ each, at: (index + 1) / (list.length + 1) })));
  return spread.toSorted((a, b) => a.at - b.at).map(({ each }) => each);
}

/** Names that are not listed come last. */
function place(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  return index === -1 ? names.length : index;
}
