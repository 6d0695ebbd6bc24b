import { defineNodeType, FlowError } from 'roomflow';
import { z } from 'zod';
import type { RunContext } from './run-context.ts';
import { type ClaudeQuery, type ClaudeUserMessage, installedQuery, readMessage } from './sdk.ts';

export interface ClaudeAgentOptions {
  /** Default: `query` of the installed SDK. */
  readonly query?: ClaudeQuery;
  /** Options of `query()` for every node. A node's `config` overrides them, except options that only code may set. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Options that a flow, which is data, may not set: they choose programs and their environment, or disable permissions. */
const setByCode = [
  ...['env', 'executable', 'executableArgs', 'extraArgs', 'pathToClaudeCodeExecutable', 'mcpServers', 'plugins'],
  ...['abortController', 'allowDangerouslySkipPermissions', 'includePartialMessages', 'settings', 'managedSettings'],
];

const config = z
  .looseObject({
    maxTurns: z.number().int().min(1).max(1_000).optional().describe('How many messages it answers. Default: 16.'),
    turnTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(86_400_000)
      .optional()
      .describe('Milliseconds to wait for the next message. Default: 30,000 with max_turns above 1, otherwise 0.'),
  })
  .refine((given) => setByCode.every((key) => !Object.hasOwn(given, key)), {
    message: `a flow cannot set ${setByCode.join(', ')}. Give them to createClaudeAgent({ options }).`,
  });

/**
 * Defines the node type `claude.agent`: a session of the Claude Agent SDK over `query()` with streaming input. The prompt file and
 * `system` form the system prompt. `config` is passed to the SDK unchanged, except `maxTurns` and `turnTimeoutMs`. `sendToRun`
 * sends a message to the session. A run fails with `model-missing`, `model-failed`, `config-invalid` or `aborted`.
 *
 * @example
 * export default [createClaudeAgent({ options: { model: 'claude-sonnet-4-5', tools: [] } })];
 */
export function createClaudeAgent({ query, options = {} }: ClaudeAgentOptions = {}) {
  return defineNodeType({
    name: 'claude.agent',
    description: 'A session of the Claude Agent SDK.',
    input: z.strictObject({
      input: z.unknown().describe('The first message. A value that is not text is sent as JSON.'),
      system: z.string().optional().describe('The system prompt, after the node’s prompt file.'),
    }),
    output: z.strictObject({ result: z.string().describe('The answer of its last turn, as text.') }),
    config,
    capabilities: { isAgent: true, supportsMultiTurn: true, isStreaming: true },
    async run({ input, system }, context) {
      const read = config.safeParse(context.config);
      if (!read.success) throw new FlowError('config-invalid', `config: ${read.error.issues[0]?.message ?? ''}`);
      const { maxTurns: _maxTurns, turnTimeoutMs: _turnTimeoutMs, ...given } = read.data;
      const systemPrompt = [context.prompt, system ?? ''].filter((part) => part.trim() !== '').join('\n\n');
      const settings = { ...options, ...given, ...(systemPrompt === '' ? {} : { systemPrompt }) };
      return { result: await runSession({ query: query ?? (await installedQuery()), settings }, input, context) };
    },
  });
}

interface Session {
  readonly query: ClaudeQuery;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Runs one session from `agent:start` to `agent:complete`. Returns the answer of the last turn. */
async function runSession({ query, settings }: Session, input: unknown, context: RunContext): Promise<string> {
  const { hub, runId, signal } = context;
  const abortController = new AbortController();
  const abort = (): void => abortController.abort();
  signal.addEventListener('abort', abort);
  const about = { runId };
  const first = typeof input === 'string' ? input : JSON.stringify(input ?? null);
  let answer = '';
  let turns = 0;
  let answered = (): void => undefined;
  // An abort ends the session by the signal, so the input only ends.
  const nextMessage = (): Promise<string | null> => context.nextMessage().catch(() => null);
  /** Yields the messages to the SDK, each after the answer to the previous one. */
  async function* said(): AsyncGenerator<ClaudeUserMessage> {
    for (let next: string | null = first; next !== null; next = await nextMessage()) {
      const isAnswered = new Promise<void>((resolve) => (answered = resolve));
      yield { type: 'user', message: { role: 'user', content: next }, parent_tool_use_id: null };
      await isAnswered;
    }
  }
  const texts: string[] = [];
  const tools = new Map<string, string>();
  try {
    if (signal.aborted) throw aborted();
    hub.emit('agent:start', { input: first }, about);
    const options = { ...settings, abortController, includePartialMessages: true };
    for await (const message of query({ prompt: said(), options })) {
      for (const event of readMessage(message)) {
        if (event.kind === 'text') {
          texts.push(event.delta);
          hub.emit('agent:text', { delta: event.delta }, about);
        } else if (event.kind === 'tool') {
          tools.set(event.callId, event.tool);
          hub.emit('agent:tool:start', { tool: event.tool, callId: event.callId }, about);
        } else if (event.kind === 'tool-result') {
          const told = { tool: tools.get(event.callId) ?? '', callId: event.callId };
          if (event.failed) hub.emit('agent:tool:error', { ...told, message: 'The tool failed.' }, about);
          else hub.emit('agent:tool:complete', told, about);
        } else if (event.kind === 'turn') {
          turns += 1;
          answer = event.text;
          answered();
        } else
          throw new FlowError('model-failed', `the session has ended with ${event.reason}. See the SDK's own log.`);
      }
    }
    if (signal.aborted) throw aborted();
    if (turns === 0) throw new FlowError('model-failed', 'the session has ended without an answer.');
    hub.emit('agent:complete', { text: texts.join('') }, about);
    return answer;
  } catch (error) {
    if (signal.aborted) throw aborted();
    if (error instanceof FlowError) throw error;
    throw new FlowError('model-failed', "the session of the SDK broke off. See the SDK's own log.", { cause: error });
  } finally {
    answered();
    abort();
    signal.removeEventListener('abort', abort);
  }
}

function aborted(): FlowError {
  return new FlowError('aborted', 'the run was aborted.');
}
