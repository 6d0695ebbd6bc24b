import type { JsonObject } from '../../model/json.ts';
import { FlowError } from '../../model/errors.ts';
import { explanationOf } from '../flows/explain.ts';
import { fileInRoot } from './file-in-root.ts';

/** The project that the tools work on. */
export interface Project {
  readonly root: string;
  /** The store of its sessions, or undefined for that of its configuration. */
  readonly store: string | undefined;
}

/** A command of this program: its arguments and its input. */
export interface CommandRun {
  readonly args: readonly string[];
  readonly input: string;
}

/** A tool: a command to run in the folder of the project, or a text. `arguments_` fit `parameters`. */
export interface McpToolOffer {
  readonly description: string;
  readonly parameters: JsonObject;
  run(arguments_: JsonObject, project: Project): CommandRun | string;
}

const file = (description: string) => ({ type: 'string', minLength: 1, maxLength: 500, description });
const files = (description: string) => ({
  type: 'array',
  maxItems: 100,
  items: file('A path in the project.'),
  description,
});
const sessionId = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  pattern: '^[^-]',
  description: 'The id of the session.',
};

/** Every tool, by name. */
export const mcpTools: Readonly<Record<string, McpToolOffer>> = {
  check: {
    description: 'Report all problems in flows, each with its line and a remedy. Run it after every change of a flow.',
    parameters: schemaOf({ files: files('Flow files or folders. Default: the flows of agent.config.ts.') }, []),
    run: ({ files: given }, { root }) => command('check', ...pathsOf(given, root)),
  },
  test: {
    description: 'Run conversation tests (*.flowtest.yaml) and show the conversations of those that fail.',
    parameters: schemaOf(
      {
        files: files('Test files or folders. Default: all tests of the project.'),
        name: { type: 'string', minLength: 1, maxLength: 500, description: 'Only scenarios whose name contains this.' },
      },
      [],
    ),
    run: ({ files: given, name }, { root }) =>
      command('test', ...pathsOf(given, root), ...(typeof name === 'string' ? [`--name=${name}`] : [])),
  },
  simulate: {
    description:
      'Play lines of a caller to a flow, and show the conversation, the recorded values and the nodes. The offline brain (English rules) replies, and every function is pretended: no code of the project runs.',
    parameters: schemaOf(
      {
        flow: file('The flow file.'),
        say: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          items: { type: 'string', maxLength: 4_000 },
          description: 'What the caller says, one item for each turn.',
        },
        language: { type: 'string', pattern: '^[A-Za-z0-9-]{2,35}$', description: 'A language that the flow lists.' },
      },
      ['flow', 'say'],
    ),
    run({ flow, say, language }, { root }) {
      const options = ['--pretend', `--flow=${fileInRoot(textOf(flow), root)}`];
      if (typeof language === 'string') options.push(`--language=${language}`);
      return { args: ['chat', ...options], input: [...textsIn(say).map(asLine), '/state', ''].join('\n') };
    },
  },
  explain: {
    description: 'Explain the code of a diagnostic or an error, with a remedy.',
    parameters: schemaOf({ code: { type: 'string', maxLength: 100, description: 'Such as unknown-target.' } }, [
      'code',
    ]),
    run: ({ code }) => explanationOf(textOf(code)),
  },
  sessions: {
    description: 'List the stored conversations of the project, the latest first.',
    parameters: schemaOf({ limit: { type: 'integer', minimum: 1, maximum: 1_000 } }, []),
    run: ({ limit }, { store }) =>
      command('sessions', ...(limit === undefined ? [] : [`--limit=${textOf(limit)}`]), ...storeIn(store)),
  },
  session: {
    description: 'Read a stored conversation: its values, open effects and last events. Personal values are masked.',
    parameters: schemaOf({ id: sessionId, events: { type: 'integer', minimum: 1, maximum: 1_000 } }, ['id']),
    run: ({ id, events = 50 }, { store }) =>
      command('show', textOf(id), `--events=${textOf(events)}`, ...storeIn(store)),
  },
};

function schemaOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function command(...args: readonly string[]): CommandRun {
  return { args, input: '' };
}

/** The schema has checked that it is a text or a number. */
function textOf(given: unknown): string {
  return typeof given === 'number' ? String(given) : typeof given === 'string' ? given : '';
}

function storeIn(store: string | undefined): readonly string[] {
  return store === undefined ? [] : [`--store=${store}`];
}

function pathsOf(given: unknown, root: string): readonly string[] {
  return textsIn(given).map((one) => fileInRoot(one, root));
}

function textsIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.map(textOf) : [];
}

/** Throws `option-invalid` for a text that the terminal would take for a command. */
function asLine(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  if (!line.startsWith('/')) return line;
  throw new FlowError('option-invalid', `"say" has a line that begins with "/". Write what the caller says.`);
}
