import { z } from 'zod';
import { FlowError } from './errors.ts';
import type { ConversationFlow } from './flow/document.ts';
import type { GeneratorFlow } from './flow/generator.ts';
import type { FunctionTool } from './session/function-tool.ts';
import { importDefault } from './load/import-default.ts';
import type { Store } from './ports/store.ts';
import type { ModelChoices, VoiceOptions } from './session/plug-in-choice.ts';
import type { Handler } from './session/run-function.ts';

const functionTool = z.custom<FunctionTool>(
  (value) => typeof value === 'object' && value !== null && 'name' in value && 'execute' in value,
  'must be a tool made by flowTool or llm.tool',
);

const timeMs = z.number().int().min(0).max(86_400_000);

function plugIn<Choice>() {
  return z.custom<Exclude<NonNullable<Choice>, string>>(
    (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
    'must be a name, a LiveKit plug-in, or a function that makes one',
  );
}

// Named, because the types of plug-ins cannot be spelled out in a declaration.
const modelChoices: z.ZodType<ModelChoices, ModelChoices> = z.strictObject({
  llm: z
    .union([z.enum(['offline', 'openai']), plugIn<ModelChoices['llm']>()])
    .optional()
    .describe('"openai", "offline" or any LiveKit LLM; OpenAI where OPENAI_API_KEY is set, else offline.'),
  stt: z
    .union([z.enum(['openai', 'deepgram', 'offline']), plugIn<ModelChoices['stt']>()])
    .optional()
    .describe('What hears the caller; without it calls are in text.'),
  tts: z
    .union([z.enum(['openai', 'deepgram', 'offline']), plugIn<ModelChoices['tts']>()])
    .optional()
    .describe('What speaks to the caller; without it calls are in text.'),
  realtime: z
    .union([z.enum(['openai']), plugIn<ModelChoices['realtime']>()])
    .optional()
    .describe('One model that hears, thinks and speaks, instead of the three.'),
});

const configSchema = z.strictObject({
  flows: z
    .record(
      z.string(),
      z.union([z.string(), z.custom<ConversationFlow | GeneratorFlow>((value) => typeof value === 'object')]),
    )
    .optional()
    .describe('Flows by name: a file, a flow written in TypeScript, or a generator.'),
  initialFlow: z.string().optional().describe('The flow that a session begins with.'),
  tools: z.array(functionTool).optional().describe('The functions that flows may name.'),
  handlers: z
    .record(
      z.string(),
      z.custom<Handler>((value) => typeof value === 'function', 'must be a function'),
    )
    .optional()
    .describe('Handlers of actions and of transition_callback, by name.'),
  models: modelChoices
    .optional()
    .describe('The models of an agent: names, LiveKit plug-ins, or functions that make one.'),
  voice: z
    .custom<VoiceOptions>((value) => typeof value === 'object' && value !== null, 'must be an object')
    .optional()
    .describe('Turns and interruptions, as AgentSession takes them; voice activity decides where absent.'),
  worker: z
    .strictObject({
      agentName: z.string().optional().describe('Jobs come by this name only; without it, for every new room.'),
      healthHost: z.string().min(1).optional().describe('Where health is told; 127.0.0.1 where absent.'),
      healthPort: z.number().int().min(0).max(65_535).optional().describe('8081 where absent; 0 takes a free one.'),
      maxJobs: z.number().int().min(1).optional().describe('How many calls at once; 8 where absent.'),
      idleProcesses: z.number().int().min(0).max(64).optional().describe('Processes kept warm for the next call.'),
      drainTimeoutMs: timeMs.optional().describe('How long calls may go on after SIGTERM; 60,000 where absent.'),
      rejoinTimeoutMs: timeMs.optional().describe('How long a caller who dropped out is waited for; 30,000.'),
      keyPauseMs: timeMs.optional().describe('Keys pressed within this time of each other are one turn; 1,000.'),
      connectAttempts: z.number().int().min(1).max(100).optional().describe('How often the server is sought; 5.'),
      onEnd: z.enum(['leave', 'delete-room']).optional().describe('What becomes of the room; leave where absent.'),
      apology: z.string().min(1).optional().describe('What a caller hears whose call cannot be taken.'),
      logLevel: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('info where absent.'),
    })
    .optional()
    .describe('How `roomflow worker` takes calls.'),
  store: z
    .union([
      z.string().min(1),
      z.custom<Store>((value) => typeof value === 'object' && value !== null && 'commit' in value, 'must be a store'),
    ])
    .optional()
    .describe('Where sessions are kept: memory, sqlite:PATH, postgres://…, or a store of your own.'),
  timeZone: z.string().optional().describe('IANA time zone in which dates are meant; the machine’s where absent.'),
});

/** What `agent.config.ts` says: the flows of an agent, and what they may use. */
export type AgentConfig = z.input<typeof configSchema>;

/** Writes `agent.config.ts` with types; it is checked when it is read. */
export function defineConfig(config: AgentConfig): AgentConfig {
  return config;
}

/** Reads a configuration file. Throws `file-not-found`, `file-broken` or `config-invalid`. */
export async function openConfig(file: string): Promise<AgentConfig> {
  return parseConfig(await importDefault(file), file);
}

/** Checks a configuration. Throws `config-invalid` with the place, the fact and the remedy of every fault. */
function parseConfig(value: unknown, file: string): AgentConfig {
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
