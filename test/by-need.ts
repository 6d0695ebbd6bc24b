import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/**
 * The order of what runs beside the rooms, whose calls take a core: what computes comes first, what has processes, pages and
 * voices of its own when the calls are over.
 */
const folders = [
  ...['explore', 'durable', 'offline', 'flows', 'people', 'tasks', 'http', 'lsp', 'packages', 'studio', 'cli'],
  ...['docs', 'setup.test.ts', 'worker', 'examples', 'bench'],
];

/** What is spread among the folders from this one on. */
const firstMixed = 'people';
const spreadFolders = [
  // What waits for voices and connections in real time: a core is idle where all that runs are these.
  ['testing', 'livekit', 'providers'],
  // What computes without a pause: many short files, which keep a core busy while others wait.
  ['load', 'reading', 'kernel', 'importers', 'graph', 'expression', 'nodes', 'slots'],
];

/** Files in a process of their own come first: a process that files share ends where the next one may not share it. */
const projects = ['alone', 'shared'];

/** Files that wait longest, the longest first: none of them is left over at the end of its folder. */
const longest = [
  'test/studio/dev.test.ts',
  'test/studio/in-browser.test.ts',
  'test/livekit/memory.test.ts',
  'test/packages/timekeepers.test.ts',
  'test/people/campaign-kills.test.ts',
  'test/durable/trouble.test.ts',
  'test/explore/talk.test.ts',
  'test/durable/crash-sweep.test.ts',
  'test/durable/people-sweep.test.ts',
  // A third of all that has few calls at once.
  'test/rooms/studio-voice.test.ts',
];

/** By size and by name. */
const { sort: byHabit } = BaseSequencer.prototype;

/** Sorts test files by what they need. */
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
    // Only of those that share processes: the others stay ahead.
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

/** All lists in their order, each spread over the whole. */
function mixed<Each>(lists: readonly (readonly Each[])[]): Each[] {
  const spread = lists.flatMap((list) => list.map((each, index) => ({ each, at: (index + 1) / (list.length + 1) })));
  return spread.toSorted((a, b) => a.at - b.at).map(({ each }) => each);
}

/** What is not named comes after all that is. */
function place(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  return index === -1 ? names.length : index;
}
