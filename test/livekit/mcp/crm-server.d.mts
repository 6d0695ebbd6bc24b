import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

export function createCrm(on?: { aborted?: () => void }): Server;
