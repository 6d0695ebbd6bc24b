import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/**
 * The order of what runs beside the rooms, whose calls take a core: what computes comes first, what has processes, pages and
 * voices of its own when the calls are over.
 */
const folders = [
  ...['explore', 'durable', 'offline', 'flows', 'people', 'tasks', 'http', 'lsp', 'packages', 'studio', 'cli'],
  ...['testing', 'livekit', 'providers', 'worker', 'examples', 'docs', 'setup.test.ts', 'bench'],
];

/** What computes without a pause comes last, in many files: no core waits for another in the end. */
const fillers = ['load', 'reading', 'kernel', 'importers', 'graph', 'expression', 'nodes', 'slots'];

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
      const folder = path.split(sep)[1] ?? '';
      return [
        project.config.sequence.groupOrder,
        place(projects, project.name),
        fillers.indexOf(folder),
        place(folders, folder),
        place(longest, path),
      ];
    };
    const sorted = await byHabit.call(this, files);
    return sorted.toSorted((a, b) => {
      const [ranks, others] = [rank(a), rank(b)];
      return ranks.map((one, index) => one - (others[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
    });
  }
}

/** What is not named comes after all that is. */
function place(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  return index === -1 ? names.length : index;
}
