import { once } from '../document/problems/schema-shape.ts';
import { type OutputSource, reportField, withinOf } from '../check/names.ts';
import { nearNames } from '../check/near-names.ts';
import { checkNamed, placeOf } from '../check/place.ts';
import type { NodeSource } from './nodes/node-source.ts';
import { type NameUse, type Report, addProblem } from './report.ts';
import type { TaskNodeDocument } from '../document/task-node.ts';
import { type Link, precedenceOf } from './task-order.ts';

/**
 * The meaning of a name where it is read. `later`: the output of a task that does not precede; `own`: the task's own
 * output; `outside`: possibly known to the surrounding conversation.
 */
type Known =
  | { readonly kind: 'value' | 'later' | 'own' | 'outside' }
  | { readonly kind: 'output'; readonly task: OutputSource | undefined };

/** The names that can be read at one place. */
export interface Names {
  find(name: string): Known | undefined;
  /** All names, for suggestions. */
  all(): readonly string[];
}

/** The names that every task knows: `flow`, whose `input` is the flow's input. */
export const namesOfFlow: Names = { find: (name) => (name === flowName ? value : undefined), all: () => [flowName] };

/** Names around tasks inside a conversation, which checks them itself. */
export const namesOutside: Names = { find: () => outside, all: () => [] };

/** Adds names that exist only in a body. */
export function withValues(names: Names, own: readonly string[]): Names {
  return {
    find: (name) => (own.includes(name) ? value : names.find(name)),
    all: () => [...own, ...names.all()],
  };
}

const flowName = 'flow';
const value: Known = { kind: 'value' };
const outside: Known = { kind: 'outside' };

/** Tasks whose outputs can be read, by position. */
export interface Outputs {
  readonly indexOf: ReadonlyMap<string, number>;
  readonly tasks: readonly (OutputSource | undefined)[];
  readonly links: readonly Link[];
  /** All positions in topological order; null if there is a cycle. */
  readonly order: readonly number[] | null;
}

/** Returns the names that a task reads. An outgoing edge (`after`) also reads the task's own output. */
export function namesAt(
  { indexOf, tasks, links, order }: Outputs,
  outer: Names,
): (reader: number, after: boolean) => Names {
  const precedes = once(() => (order === null ? () => true : precedenceOf(order, links)));
  const all = once(() => [...indexOf.keys(), ...outer.all()]);
  return (reader, after) => ({
    find(name) {
      const index = indexOf.get(name);
      if (index === undefined) return outer.find(name);
      if (index === reader && !after) return { kind: 'own' };
      return index === reader || precedes()(index, reader) ? { kind: 'output', task: tasks[index] } : { kind: 'later' };
    },
    all,
  });
}

/** Reports ids that are already in use for something else. */
export function checkIds(report: Report, sources: readonly NodeSource<TaskNodeDocument>[], outer: Names): void {
  for (const source of sources) {
    const { id } = source;
    checkNamed(report, source);
    const known = outer.find(id);
    if (known === undefined || known === outside) continue;
    const { path, atKey } = placeOf(source);
    const fact =
      id === flowName ? `"${flowName}" stands for what the flow was given.` : `"${id}" is known here already.`;
    addProblem(report, 'error', id === flowName ? 'reserved-name' : 'name-collision', path, fact, {
      hint: 'Rename the node.',
      atKey,
    });
  }
}

/** Reports undeclared names, and names that are not known yet where they are read. */
export function checkUses(
  report: Report,
  uses: readonly NameUse[],
  names: Names,
  input: ReadonlyMap<string, unknown>,
): void {
  for (const use of uses) {
    const [name = '', ...fields] = use.reference;
    if (name === '' || use.local.includes(name)) continue;
    const known = names.find(name);
    if (known === undefined) undeclared(report, use, name, input.has(name) ? [`flow.input.${name}`] : names.all());
    else if (known.kind === 'outside') report.names.push(use);
    else if (known.kind === 'output') reportField(report, known.task, use);
    else if (known.kind === 'own')
      addProblem(
        report,
        'error',
        'unordered-read',
        use.path,
        `"${name}" is this task itself, which has no output yet.`,
        {
          hint: 'Name a task that comes before.',
          ...withinOf(use),
        },
      );
    else if (known.kind === 'later')
      addProblem(
        report,
        'error',
        'unordered-read',
        use.path,
        `"${name}" need not have run when its output is read here.`,
        {
          hint: `Lead an edge from "${name}" to where it is read.`,
          ...withinOf(use),
        },
      );
    else if (name === flowName) {
      const [field = '', key = ''] = fields;
      if (field !== 'input') undeclared(report, use, `flow.${field}`, ['flow.input']);
      else if (key !== '' && !input.has(key))
        undeclared(
          report,
          use,
          `flow.input.${key}`,
          Array.from(input.keys(), (each) => `flow.input.${each}`),
        );
    }
  }
}

function undeclared(report: Report, use: NameUse, name: string, names: readonly string[]): void {
  addProblem(report, 'error', 'undeclared-name', use.path, `nothing in the flow declares "${name}".`, {
    hint: nearNames(names)(name) ?? remedyFor(names),
    ...withinOf(use),
  });
}

function remedyFor(names: readonly string[]): string {
  const [only, ...others] = names;
  if (only?.startsWith('flow.input') === true && others.length === 0) return `Write ${only}.`;
  return 'Name a task that comes before, or declare it under input of the flow and write flow.input.NAME.';
}
