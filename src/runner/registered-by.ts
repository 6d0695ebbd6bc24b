import type { OpenedConfig } from '../config/config.ts';
import type { Registered } from '../flow/graph/compile/registered.ts';
import { declarationsOf } from '../livekit/tools/function-tool.ts';
import { registeredTools } from '../livekit/tools/tool-registry.ts';
import { readableFlows, taskFlowNames, waitsAmong } from '../flow/load/task-flows.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';

/** Returns the names that a configuration registers for flows, and the declarations of its functions. */
export async function registeredBy({
  tools: listed = [],
  mcp = {},
  httpTools = {},
  serverTools,
  handlers = {},
  flows = {},
  followUps,
  catalog = builtinCatalog,
}: OpenedConfig): Promise<Registered> {
  // `flowTool` registrations made while the configuration was read count as well.
  // The follow-up tool needs LiveKit, which is imported only if it is used.
  const own = followUps === undefined ? [] : [(await import('./follow-ups.ts')).followUpTool(() => null)];
  const tools = [...registeredTools().values(), ...listed, ...(serverTools?.() ?? []), ...own];
  const ownTaskFlows = taskFlowNames(flows);
  return {
    functions: new Set(tools.map((tool) => tool.name)),
    ...(serverTools === undefined ? { servers: new Set(Object.keys(mcp)) } : {}),
    hosts: httpTools,
    handlers: new Set(Object.keys(handlers)),
    flows: ownTaskFlows,
    waitOf: waitsAmong(readableFlows(flows, catalog)),
    conversations: new Set(Object.keys(flows).filter((name) => !ownTaskFlows.has(name))),
    declared: declarationsOf(tools),
  };
}
