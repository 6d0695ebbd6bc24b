import type { OpenedConfig } from '../config.ts';
import type { Registered } from '../graph/registered.ts';
import { declarationsOf } from '../livekit/tools/function-tool.ts';
import { registeredTools } from '../livekit/tools/tool-registry.ts';
import { readableFlows, taskFlowNames, waitsAmong } from '../load/task-flows.ts';
import { builtinCatalog } from '../nodes/builtin.ts';

/** What a configuration has registered for flows to name, and what its functions say of themselves. */
export async function registeredBy({
  tools: listed = [],
  handlers = {},
  flows = {},
  followUps,
  catalog = builtinCatalog,
}: OpenedConfig): Promise<Registered> {
  // What the configuration has registered by `flowTool` as it was read counts for the runner as well.
  // A tool of its own is made by LiveKit, which whoever has none need not wait for.
  const own = followUps === undefined ? [] : [(await import('./follow-ups.ts')).followUpTool(() => null)];
  const tools = [...registeredTools().values(), ...listed, ...own];
  const ownTaskFlows = taskFlowNames(flows);
  return {
    functions: new Set(tools.map((tool) => tool.name)),
    handlers: new Set(Object.keys(handlers)),
    flows: ownTaskFlows,
    waitOf: waitsAmong(readableFlows(flows, catalog)),
    conversations: new Set(Object.keys(flows).filter((name) => !ownTaskFlows.has(name))),
    declared: declarationsOf(tools),
  };
}
