import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { workerSchema } from './worker-schema.ts';
import { FlowError } from '../model/errors.ts';
import { type Json, type JsonObject, isRecord } from '../model/json.ts';
import { classic } from '../flow/document/classic.ts';
import { fallbackFault, unknownFlow } from '../flow/document/known-flows.ts';
import type { ConversationFlow } from '../flow/document/document.ts';
import { moveSchema } from '../flow/document/move.ts';
import type { GeneratorFlow } from '../flow/document/generator.ts';
import { schemaFaults } from '../flow/document/problems/schema-faults.ts';
import type { TaskFlow } from '../flow/document/task-document.ts';
import { type Catalog, createCatalog } from '../flow/graph/nodes/catalog.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import { importDefault } from '../flow/load/files/import-default.ts';
import { openNodePacks } from '../flow/load/node-packs.ts';
import { isFlowText } from '../flow/load/open-source.ts';
import { importTaskFlows } from '../flow/load/task-flows.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { durationSchema } from '../people/duration.ts';
import { callsSchema } from '../people/calls/call-settings.ts';
import { notifySchema } from '../people/messages/notify.ts';
import { outcomesSchema } from '../people/outcomes/outcome-settings.ts';
import { planFaults, planShape } from '../people/schedules/plan-shape.ts';
import { isTimeZone } from '../people/schedules/time-zone.ts';
import type { Can, ResolveActor } from '../people/authority.ts';
import type { Store } from '../model/ports/store.ts';
import type { FlatStore } from '../store/flat-store.ts';
import type { Timekeeper } from '../model/ports/timekeeper.ts';
import { httpHostsSchema } from '../livekit/tools/http/http-hosts.ts';
import { type McpServer, mcpSchema, type McpServers } from '../livekit/tools/mcp/mcp-schema.ts';
import { modelChoices } from '../livekit/plug-ins/model-choices.ts';
import type { VoiceOptions } from '../livekit/plug-ins/plug-in-choice.ts';
import type { Handler } from '../livekit/tools/run-function.ts';
import { sameNameFault } from '../livekit/tools/tool-names.ts';
import { systemCivilTime, systemTimeZone } from '../system.ts';
import { takenFlowNames } from '../engine/commands.ts';
import { tokenPricesSchema } from '../engine/token-prices.ts';
import { limitsSchema } from '../engine/limits.ts';
import { commandsSchema, hooksSchema, outputSchema, routerSchema } from '../engine/policy/policy-schema.ts';
import { intentFault } from '../engine/policy/router.ts';

const functionTool = z.custom<FunctionTool>(
  (value) => typeof value === 'object' && value !== null && 'name' in value && 'execute' in value,
  'must be a tool made by flowTool or llm.tool',
);

/** Data about a call before it begins. */
export interface CallInfo {
  readonly sessionId: string;
  /** Room of a worker's call; null if there is none. */
  readonly room: string | null;
  /** The participant that the job names; null if it names none. */
  readonly participant: string | null;
  /** Values for the flow from outside. */
  readonly input: JsonObject;
}

type Values = Readonly<Record<string, unknown>>;

// The values are the author's own, such as a client, and must not be copied.
const values = z.custom<Values>(isRecord, 'must be an object');

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

const json = z.custom<Json>((value) => z.json().safeParse(value).success, 'must be JSON');

export const configSchema = z.strictObject({
  prompt: z
    .string()
    .trim()
    .min(1, 'must say something')
    .optional()
    .describe('The classic path: the prompt of the model while no flow is active.'),
  context: z.record(z.string(), json).optional().describe('Values for {{ name }} in the prompt.'),
  router: routerSchema.optional().describe('Chooses a flow for callers while no flow is active.'),
  commands: commandsSchema
    .optional()
    .describe('Commands that callers may type, in addition to /flow. {} is /flow alone. Default: no commands.'),
  output: outputSchema
    .optional()
    .describe('The structured answer to the prompt: a zod object with the required text `reply`, which is spoken.'),
  hooks: hooksSchema.optional().describe('Functions that decide about turns and replies.'),
  flows: z
    .record(
      z.string(),
      z.union(
        [
          z.string(),
          z.custom<ConversationFlow | TaskFlow | GeneratorFlow>((value) => typeof value === 'object' && value !== null),
        ],
        'must be a file, a flow in TypeScript, or a generator made by defineFlow',
      ),
    )
    .optional()
    .describe('Flows by name: a file, relative to this folder; a flow or task flow in TypeScript; or a generator.'),
  initialFlow: z
    .string()
    .optional()
    .describe('The flow that a session begins with. Default: the prompt, or the first flow if there is no prompt.'),
  fallback: z
    .string()
    .optional()
    .describe('The flow that continues if a generator cannot. Default: the prompt, if there is one.'),
  moves: z
    .array(moveSchema)
    .optional()
    .describe('How stored sessions move from older versions of these flows. Default: they stay in their version.'),
  tools: z
    .array(functionTool)
    .optional()
    .describe('The functions that flows may name, and the functions of the prompt.'),
  mcp: mcpSchema
    .optional()
    .describe('MCP servers by name. A flow names their tools SERVER.TOOL, such as crm.find_patient.'),
  httpTools: httpHostsSchema
    .optional()
    .describe(
      'Hosts that requests in flows (tools) may reach, by origin, such as https://api.example.com. Default: none.',
    ),
  handlers: z
    .record(
      z.string(),
      z.custom<Handler>((value) => typeof value === 'function', 'must be a function'),
    )
    .optional()
    .describe('Handlers of actions and of transition_callback, by name.'),
  nodePacks: z
    .array(z.string())
    .optional()
    .describe(
      'Packs of node types that flows may name: files of this folder, such as ./pack.ts, and packages. Other packs are refused.',
    ),
  models: modelChoices
    .optional()
    .describe('The models of an agent: names, LiveKit plug-ins, or functions that create one.'),
  voice: z
    .custom<VoiceOptions>((value) => typeof value === 'object' && value !== null, 'must be an object')
    .optional()
    .describe('Turn and interruption options of AgentSession. Default: voice activity decides.'),
  worker: workerSchema,
  http: z
    .strictObject({
      host: z.string().min(1).optional().describe('The address to listen at. Default: 127.0.0.1.'),
      port: z.number().int().min(0).max(65_535).optional().describe('The port. Default: 8090; 0 chooses a free port.'),
      publicUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('The public address, such as https://desk.example. Links to approve need it.'),
      business: z
        .string()
        .min(1)
        .optional()
        .describe('Your name on the page of an approver, such as Acme Clinic. Default: the host of publicUrl.'),
      hosts: z.array(z.string().min(1)).optional().describe('Additional host names that requests may use (Host).'),
    })
    .optional()
    .describe('The server of `roomflow serve`. If set, it also runs beside each worker.'),
  resolveActor: functionOf<ResolveActor>()
    .optional()
    .describe(
      'Returns the sender of a request; null if the sender is unknown. An error or 2 seconds without an answer count as null.',
    ),
  can: functionOf<Can>()
    .optional()
    .describe(
      'Decides whether an actor may do something, on the server and the command line. An error or 2 seconds without an answer count as no.',
    ),
  timekeeper: functionOf<() => Timekeeper>()
    .optional()
    .describe('Creates an engine that also keeps timers. Default: the store alone.'),
  store: z
    .union(
      [
        z.string().min(1),
        z.custom<Store | FlatStore>(
          (value) => typeof value === 'object' && value !== null && ('steps' in value || 'commit' in value),
        ),
      ],
      'must be a store, or the address of one, such as sqlite:./data/calls.db',
    )
    .optional()
    .describe('The store of sessions: memory, sqlite:PATH, postgres://…, or your own store.'),
  notify: notifySchema.optional(),
  calls: callsSchema.optional().describe('How people are called for `reach: call`. Default: no calls.'),
  outcomes: outcomesSchema.optional(),
  retention: durationSchema
    .optional()
    .describe('How long conversations and runs are kept after their last step, such as 90d. Default: forever.'),
  ...planShape,
  prices: tokenPricesSchema
    .optional()
    .describe('Prices of a million tokens, by model name, in your currency; * is for all other models.'),
  limits: limitsSchema.optional().describe('Limits of each turn. Each has a default.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Paris')
    .optional()
    .describe('IANA time zone of dates. Default: the time zone of the machine.'),
  user: z
    .union([values, functionOf<(call: CallInfo) => Values | Promise<Values>>()], 'must be an object or a function')
    .optional()
    .describe('Data about the caller for hooks and generators (ctx.user): values, or a function of the call.'),
  replyTarget: z
    .union([z.string(), functionOf<(call: CallInfo) => string | Promise<string>>()], 'must be a text or a function')
    .optional()
    .describe('The address for answers (ctx.replyTarget), such as a number; or a function of the call.'),
  resources: values
    .optional()
    .describe(
      'Resources for hooks and generators (ctx.resources), such as an API client. They are shared by all calls.',
    ),
});

/** Contents of `agent.config.ts`: the flows of an agent, and what they may use. */
export interface AgentConfig extends z.input<typeof configSchema> {}

/** A configuration with the node types of its flows; the built-in ones if absent. */
export type OpenedConfig = AgentConfig & {
  readonly catalog?: Catalog;
  /** The tools of the MCP servers, once they are connected. */
  readonly serverTools?: () => readonly FunctionTool[];
};

/** Reads a configuration file and its node packs. Throws `file-not-found`, `file-broken` or `config-invalid`. */
export async function openConfig(file: string): Promise<OpenedConfig> {
  const { flows, mcp, ...config } = parseConfig(await importDefault(file), file);
  const { packs, faults } = await openNodePacks(config.nodePacks ?? [], file, builtinCatalog);
  if (faults.length > 0) throw invalid(file, faults);
  return {
    ...config,
    ...(mcp === undefined ? {} : { mcp: besideFile(file, mcp) }),
    ...(flows === undefined ? {} : { flows: await importTaskFlows(flowsFrom(file, flows)) }),
    ...(packs.size === 0 ? {} : { catalog: createCatalog(builtinCatalog.values(), packs) }),
  };
}

/** Resolves flow files relative to the configuration's folder. */
function flowsFrom<Source>(file: string, flows: Readonly<Record<string, Source>>): Record<string, Source | string> {
  const found = Object.entries(flows).map(([name, flow]) => {
    const isFile = typeof flow === 'string' && !isFlowText(flow) && !isAbsolute(flow);
    return [name, isFile ? join(dirname(file), flow) : flow] as const;
  });
  return Object.fromEntries(found);
}

/** Makes the programs of MCP servers start in the folder of the configuration, as flow files are found there. */
function besideFile(file: string, servers: McpServers): McpServers {
  const placed = Object.entries(servers).map(([name, server]): [string, McpServer] => [
    name,
    'command' in server ? { ...server, cwd: resolve(dirname(file), server.cwd ?? '.') } : server,
  ]);
  return Object.fromEntries(placed);
}

/** Checks a configuration. Throws `config-invalid` with the place, the fact and the remedy of every fault. */
function parseConfig(value: unknown, file: string): AgentConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) {
    const faults = faultsBetween(parsed.data);
    if (faults.length > 0) throw invalid(file, faults);
    return parsed.data;
  }
  throw invalid(file, schemaFaults(configSchema, parsed.error.issues, value, '(config)'));
}

function invalid(file: string, faults: readonly string[]): FlowError {
  return new FlowError('config-invalid', `${file}\n  ${faults.join('\n  ')}`);
}

/** Returns the faults of fields that are valid separately but not together. */
function faultsBetween(config: AgentConfig): readonly string[] {
  const { flows = {}, initialFlow, prompt, context, output, router, commands } = config;
  const isKnown = (flow: string): boolean => flow === classic || Object.hasOwn(flows, flow);
  const unknown = (place: string, flow: string): string => unknownFlow(place, flow, Object.keys(flows));
  const twice = sameNameFault(config.tools ?? []);
  const faults = twice === null ? [] : [twice];
  if (config.resolveActor !== undefined && config.can === undefined)
    faults.push('resolveActor: without can, no actor may do anything. Add can.');
  if (config.http !== undefined && config.resolveActor === undefined)
    faults.push('http: without resolveActor, the server rejects every request. Add resolveActor and can.');
  for (const fault of takenFlowNames(Object.keys(flows), commands)) faults.push(`flows.${fault}`);
  if (initialFlow !== undefined && !Object.hasOwn(flows, initialFlow)) faults.push(unknown('initialFlow', initialFlow));
  const unfit = fallbackFault(config);
  if (unfit !== null) faults.push(unfit);
  if (context !== undefined && prompt === undefined)
    faults.push('context: its values are for the prompt, which is missing. Add a prompt.');
  if (output !== undefined && prompt === undefined)
    faults.push('output: it is the schema of answers to the prompt, which is missing. Add a prompt.');
  if (config.calls !== undefined && (config.worker?.agentName ?? '') === '')
    faults.push('calls: an agent is dispatched by name, and the worker has no name. Set worker.agentName.');
  faults.push(...planFaults(config, new Set(Object.keys(flows)), { zone: zoneOf(config), civil: systemCivilTime }));
  if (router === undefined) return faults;
  const intent = intentFault(router, output);
  if (intent !== null) faults.push(intent);
  if (prompt === undefined || initialFlow !== undefined)
    faults.push('router: it chooses for callers without a flow. Add a prompt for them, and remove initialFlow.');
  if (router.fallback !== undefined && !isKnown(router.fallback))
    faults.push(unknown('router.fallback', router.fallback));
  for (const flow of Object.keys(router.mode === 'rules' ? router.rules : {}))
    if (!isKnown(flow)) faults.push(unknown(`router.rules.${flow}`, flow));
  return faults;
}

/** Returns the IANA time zone of dates, schedules and quiet hours. */
export function zoneOf({ timeZone = systemTimeZone() }: AgentConfig): string {
  return timeZone;
}

/** Checks whether sessions begin with the prompt instead of a flow. */
export function beginsClassic({ initialFlow, prompt }: AgentConfig): boolean {
  return initialFlow === undefined && prompt !== undefined;
}

/** Returns a runner's options for one call. Rejects if a function of the configuration does. */
export async function callOptions({ user, replyTarget, resources }: AgentConfig, call: CallInfo) {
  const target = typeof replyTarget === 'function' ? await replyTarget(call) : replyTarget;
  const caller = typeof user === 'function' ? await user(call) : user;
  return {
    ...(caller === undefined ? {} : { user: caller }),
    ...(target === undefined ? {} : { replyTarget: target }),
    ...(resources === undefined ? {} : { resources }),
  };
}

/** Returns a runner's options from a configuration, for every channel. */
export function agentOptions(config: OpenedConfig) {
  const { flows = {}, moves = [], handlers = {} } = config;
  const tools = [...(config.tools ?? []), ...(config.serverTools?.() ?? [])];
  const { prompt, context, fallback, router, commands, hooks, output, limits, prices, timeZone, catalog, followUps } =
    config;
  const { httpTools } = config;
  return {
    flows,
    moves,
    tools,
    handlers,
    ...(httpTools === undefined ? {} : { httpTools }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(context === undefined ? {} : { context }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(router === undefined ? {} : { router }),
    ...(commands === undefined ? {} : { commands }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(output === undefined ? {} : { output }),
    ...(limits === undefined ? {} : { limits }),
    ...(prices === undefined ? {} : { prices }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(catalog === undefined ? {} : { catalog }),
    ...(followUps === undefined ? {} : { followUps }),
  };
}
