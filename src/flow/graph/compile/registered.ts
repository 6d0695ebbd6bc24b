import type { JsonObject } from '../../../model/json.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { serverOf } from '../../document/function.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import type { AllowedHosts } from '../http-tool.ts';
import type { WaitOf } from '../nodes/outside-waits.ts';
import { type Report, addProblem } from '../report.ts';

/** Names that code has registered. If a set is absent, registrations are unknown, and a missing name is only a note. */
export interface Registered {
  readonly functions?: ReadonlySet<string>;
  /** MCP servers whose tools are not known here, because nothing has connected to them. */
  readonly servers?: ReadonlySet<string>;
  readonly handlers?: ReadonlySet<string>;
  /** Hosts that tools of the document may use. If absent, they are not known here. */
  readonly hosts?: AllowedHosts;
  /** Tools of the document itself. */
  readonly own?: ReadonlyMap<string, unknown>;
  readonly flows?: ReadonlySet<string>;
  /** Returns whether a task flow may wait for people, longer than a call. Reads flows on first use. */
  readonly waitOf?: WaitOf;
  /** Registered flows that cannot be run for their outputs. */
  readonly conversations?: ReadonlySet<string>;
  /** The conversation continues until the caller leaves: no node needs a way out. */
  readonly endless?: boolean;
  /** Declarations of registered functions, for documents that only name them. */
  readonly declared?: ReadonlyMap<string, Declaration>;
}

/** The declaration of a registered function. */
export interface Declaration {
  readonly description: string;
  readonly parameters: JsonObject;
  /** Its code validates arguments against its full declaration. */
  readonly isParsed?: boolean;
  /** A write, unless a document says otherwise. */
  readonly writes?: boolean;
  /** It may wait for people, longer than its call; its start is stored like a write's intent. */
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

/** Reports a name that is not registered; only a note if registrations are unknown. */
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
  const server = kind === 'function' ? serverOf(name) : null;
  if (server !== null && names !== undefined) {
    reportServerTool(report, server, name, path, registered);
    return;
  }
  if (kind === 'flow' && registered.conversations?.has(name) === true) {
    addProblem(
      report,
      'error',
      'unknown-flow',
      path,
      `flow "${name}" is a conversation, and only a task flow has outputs.`,
      {
        hint: 'Write it under flow:, or lead to it by the router or by the handoff of a generator.',
      },
    );
    return;
  }
  if (names === undefined)
    addProblem(
      report,
      'note',
      `unregistered-${kind}`,
      path,
      `${kind} "${name}" must be registered in code before the flow runs.`,
    );
  else
    addProblem(report, 'error', `unknown-${kind}`, path, `${kind} "${name}" is not registered.`, {
      hint: suggestion(name, names) ?? remedy,
    });
}

/** Reports a tool of an MCP server: a note if the server was not asked, else an error. */
function reportServerTool(
  report: Report,
  server: string,
  name: string,
  path: DocumentPath,
  { functions = new Set(), servers = new Set() }: Registered,
): void {
  const tool = name.slice(server.length + 1);
  if (servers.has(server)) {
    const fact = `"${tool}" is a tool of the MCP server "${server}", which was not asked.`;
    addProblem(report, 'note', 'unregistered-function', path, fact, {
      hint: 'roomflow check --mcp connects to it and checks the name.',
    });
    return;
  }
  const known = [...functions].filter((one) => one.startsWith(`${server}.`));
  const fact =
    known.length > 0
      ? `the MCP server "${server}" has no tool "${tool}".`
      : `there is no MCP server "${server}" with a tool "${tool}".`;
  addProblem(report, 'error', 'unknown-function', path, fact, {
    hint: suggestion(name, known) ?? `Correct the name, or mcp.${server} in agent.config.ts.`,
  });
}
