import type { JsonObject } from '../../../model/json.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import type { WaitOf } from '../nodes/outside-waits.ts';
import { type Report, tell } from '../report.ts';

/** Names that code has registered. Where a set is absent nobody can tell yet, and a missing one is only a note. */
export interface Registered {
  readonly functions?: ReadonlySet<string>;
  readonly handlers?: ReadonlySet<string>;
  readonly flows?: ReadonlySet<string>;
  /** Tells of a task flow whether it may wait for people, longer than a call. Flows are read when it is first asked. */
  readonly waitOf?: WaitOf;
  /** Flows that are registered and cannot be run to their outputs. */
  readonly conversations?: ReadonlySet<string>;
  /** The conversation goes on until the caller leaves: no node needs a way out. */
  readonly endless?: boolean;
  /** What registered functions say of themselves, for documents that only name them. */
  readonly declared?: ReadonlyMap<string, Declaration>;
}

/** What a registered function says of itself. */
export interface Declaration {
  readonly description: string;
  readonly parameters: JsonObject;
  /** Its own code holds arguments against all that it says of them. */
  readonly isParsed?: boolean;
  /** It changes the world: it is a write wherever a document does not say otherwise. */
  readonly writes?: boolean;
  /** It may wait for people, longer than its call: what it has begun is kept as a write's intent is. */
  readonly waits?: boolean;
}

const kinds = {
  function: {
    names: 'functions',
    remedy: 'Register a tool of this name: list it under tools, or give flowTool register: true.',
  },
  handler: { names: 'handlers', remedy: 'Register a handler of this name.' },
  flow: { names: 'flows', remedy: 'Register a task flow of this name.' },
} as const;

/** Reports a name that code must register and has not; a note where nothing is known of the code. */
export function reportUnregistered(
  report: Report,
  kind: keyof typeof kinds,
  name: string,
  path: DocumentPath,
  registered: Registered,
): void {
  const { names: key, remedy } = kinds[kind];
  const names = registered[key];
  if (names?.has(name) === true) return;
  if (kind === 'flow' && registered.conversations?.has(name) === true) {
    tell(report, 'error', 'unknown-flow', path, `flow "${name}" is a conversation, and only a task flow has outputs.`, {
      hint: 'Write it under flow:, or lead to it by the router or by the handoff of a generator.',
    });
    return;
  }
  if (names === undefined)
    tell(
      report,
      'note',
      `unregistered-${kind}`,
      path,
      `${kind} "${name}" must be registered in code before the flow runs.`,
    );
  else
    tell(report, 'error', `unknown-${kind}`, path, `${kind} "${name}" is not registered.`, {
      hint: suggestion(name, names) ?? remedy,
    });
}
