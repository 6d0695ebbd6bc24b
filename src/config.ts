import { z } from 'zod';
import { FlowError } from './errors.ts';
import type { ConversationFlow } from './flow/document.ts';
import type { FunctionTool } from './session/function-tool.ts';
import type { ModelChoice } from './session/models.ts';
import type { Handler } from './session/run-function.ts';

const functionTool = z.custom<FunctionTool>(
  (value) => typeof value === 'object' && value !== null && 'name' in value && 'execute' in value,
  'must be a tool made by flowTool or llm.tool',
);

const configSchema = z.strictObject({
  flows: z
    .record(z.string(), z.union([z.string(), z.custom<ConversationFlow>((value) => typeof value === 'object')]))
    .optional()
    .describe('Flows by name: a file, or a flow written in TypeScript.'),
  initialFlow: z.string().optional().describe('The flow that a session begins with.'),
  tools: z.array(functionTool).optional().describe('The functions that flows may name.'),
  handlers: z
    .record(
      z.string(),
      z.custom<Handler>((value) => typeof value === 'function', 'must be a function'),
    )
    .optional()
    .describe('Handlers of actions and of transition_callback, by name.'),
  models: z
    .strictObject({
      llm: z
        .union([
          z.enum(['offline', 'openai']),
          z.custom<ModelChoice>((value) => typeof value === 'object' && value !== null),
        ])
        .optional()
        .describe('"openai", "offline" or any LiveKit LLM; OpenAI where OPENAI_API_KEY is set, else offline.'),
    })
    .optional()
    .describe('The models of an agent.'),
  timeZone: z.string().optional().describe('IANA time zone in which dates are meant; the machine’s where absent.'),
});

/** What `agent.config.ts` says: the flows of an agent, and what they may use. */
export type AgentConfig = z.input<typeof configSchema>;

/** Writes `agent.config.ts` with types; it is checked when it is read. */
export function defineConfig(config: AgentConfig): AgentConfig {
  return config;
}

/** Checks a configuration. Throws `config-invalid` with the place, the fact and the remedy of every fault. */
export function parseConfig(value: unknown, file: string): AgentConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) {
    const { flows, initialFlow } = parsed.data;
    if (initialFlow !== undefined && !Object.hasOwn(flows ?? {}, initialFlow))
      throw new FlowError(
        'config-invalid',
        `${file}: initialFlow "${initialFlow}" is not among flows. Add it or name another.`,
      );
    return parsed.data;
  }
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.map(String).join('.') || '(config)'}: ${issue.message}`,
  );
  throw new FlowError('config-invalid', `${file}\n  ${faults.join('\n  ')}`);
}
