import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import pLimit from 'p-limit';
import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { schemaCheck } from '../../flow/graph/schema-check.ts';
import { ownVersion } from '../own-version.ts';
import { mcpTools, type Project } from './mcp-tools.ts';
import { runCommand } from './run-command.ts';

const skill = {
  uri: 'roomflow://skill',
  name: 'The flow format',
  description: 'How to write, check and test a Roomflow flow. Read it before you write one.',
  mimeType: 'text/markdown',
};

const instructions =
  'Roomflow runs conversation flows on LiveKit. Read the resource roomflow://skill before you write a flow. ' +
  'After each change call check, then test; simulate shows a conversation.';

/** A command loads LiveKit, which takes a second of a core. */
const mostAtOnce = 2;

/** Serves the tools over standard input and output until the input ends. */
export async function serveMcp(project: Project): Promise<void> {
  const atOnce = pLimit(mostAtOnce);
  const server = new Server(
    { name: 'roomflow', version: ownVersion() },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(mcpTools).map(([name, { description, parameters }]) => ({
      ...{ name, description, annotations: { readOnlyHint: name !== 'test' } },
      inputSchema: parameters as JsonObject & { type: 'object' },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    atOnce(() => answer(params.name, (params.arguments ?? {}) as JsonObject, project, signal)),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [skill] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (params.uri !== skill.uri)
      throw new FlowError('option-invalid', `there is no resource "${params.uri}". Read ${skill.uri}.`);
    return { contents: [{ uri: skill.uri, mimeType: skill.mimeType, text: skillText() }] };
  });
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  await server.connect(new StdioServerTransport(process.stdin, ownOutput()));
  await ended;
  await server.close();
}

/** The text of a tool. A mistake of the client is an error result with its remedy. */
async function answer(name: string, given: JsonObject, project: Project, signal: AbortSignal): Promise<CallToolResult> {
  try {
    const tool = Object.hasOwn(mcpTools, name) ? mcpTools[name] : undefined;
    if (tool === undefined)
      throw new FlowError(
        'option-invalid',
        `there is no tool "${name}". There are ${Object.keys(mcpTools).join(', ')}.`,
      );
    const [violation] = schemaCheck(tool.parameters).violations(given);
    if (violation !== undefined)
      throw new FlowError('option-invalid', `the arguments of ${name}: ${violation.message}`);
    const started = tool.run(given, project);
    if (typeof started === 'string') return textResult(started);
    const { code, out, errors } = await runCommand(started, project.root, signal);
    const text = [out, errors, code === null ? 'The command was stopped after five minutes.' : ''].filter(
      (part) => part.trim() !== '',
    );
    // Found problems and failed tests are results; a refused command prints nothing.
    return textResult(
      text.join('\n').trim() || `Done (exit code ${code}).`,
      code === null || (code !== 0 && out.trim() === ''),
    );
  } catch (error) {
    if (error instanceof FlowError) return textResult(error.message, true);
    throw error;
  }
}

function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}

function skillText(): string {
  return readFileSync(new URL('../../../skills/roomflow/SKILL.md', import.meta.url), 'utf8');
}

/** Returns a stream to standard output, and sends all other output there to standard error: it would break the protocol. */
function ownOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, () => done()),
  });
}
