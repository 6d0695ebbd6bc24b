import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { connectServers, type ServersOptions } from '../../../src/livekit/tools/mcp/connect-servers.ts';
import type { McpServers } from '../../../src/livekit/tools/mcp/mcp-schema.ts';
import { systemClock } from '../../../src/system.ts';
import { desk } from '../desk-functions.ts';

/** A desk that offers tools of the CRM, reads unless they are named in `writes`. */
export const crmDesk = (names: readonly string[], writes: readonly string[] = []): ConversationFlow =>
  desk(
    names.map((name) => ({
      name: `crm.${name}`,
      effect: writes.includes(name) ? ('write' as const) : ('read' as const),
      saveAs: 'found',
    })),
  );

export const connectCrm = async (crm: McpServers[string], options: Partial<ServersOptions> = {}) =>
  await connectServers({ crm }, { env: {}, clock: systemClock, ...options });
