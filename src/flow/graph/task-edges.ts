import type { When } from '../expression/when.ts';
import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { TaskPartDocument } from '../document/task-node.ts';
import { circleText, shortestCircle } from '../check/ways/circle.ts';
import { nearNames } from '../check/near-names.ts';
import { type Report, addProblem } from './report.ts';

/** An edge between existing tasks, by position. */
export interface EdgeSource {
  readonly from: number;
  readonly to: number;
  readonly when: When | undefined;
  readonly path: DocumentPath;
}

/** Returns the valid edges and reports the others. */
export function edgesOf(
  report: Report,
  document: TaskPartDocument,
  path: DocumentPath,
  indexOf: ReadonlyMap<string, number>,
): readonly EdgeSource[] {
  const near = nearNames(indexOf.keys());
  const find = (key: 'from' | 'to', id: string, at: DocumentPath): number | undefined => {
    const index = indexOf.get(id);
    if (index !== undefined) return index;
    const [code, fact] =
      key === 'from'
        ? (['unknown-source', 'an edge leaves'] as const)
        : (['unknown-target', 'an edge leads to'] as const);
    const hint = near(id) ?? 'Add a node of this name, or name another.';
    addProblem(report, 'error', code, [...at, key], `${fact} "${id}", which does not exist.`, { hint });
    return undefined;
  };
  return (document.edges ?? []).flatMap(({ from, to, when }, index) => {
    const at = [...path, 'edges', index];
    const [source, target] = [find('from', from, at), find('to', to, at)];
    if (source === undefined || target === undefined) return [];
    if (source !== target) return [{ from: source, to: target, when, path: at }];
    addProblem(
      report,
      'error',
      'self-loop',
      [...at, 'to'],
      `node "${from}" leads to itself, so it would wait for itself.`,
      {
        hint: 'To repeat it, put it into the body of a control.loop.',
      },
    );
    return [];
  });
}

/** Reports each cycle of tasks. Returns true if there is none. */
export function checkCircles(
  report: Report,
  components: readonly (readonly number[])[],
  ids: readonly string[],
  successors: readonly (readonly number[])[],
  edges: readonly EdgeSource[],
): boolean {
  const circles = components.filter(({ length }) => length > 1);
  for (const component of circles) {
    const members = new Set(component);
    const start = component.reduce((first, index) => Math.min(first, index));
    const circle = shortestCircle(successors, start, (index) => members.has(index));
    const back = edges.find(({ from, to }) => from === circle.at(-1) && to === start);
    const names = circle.map((index) => ids[index] ?? '');
    addProblem(
      report,
      'error',
      'task-circle',
      [...(back?.path ?? []), 'to'],
      `tasks wait for each other: ${circleText(names)}.`,
      {
        hint: 'Remove one of the edges, or put what repeats into the body of a control.loop.',
      },
    );
  }
  return circles.length === 0;
}
