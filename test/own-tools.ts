import { registeredTools } from '../src/livekit/tools/tool-registry.ts';

// For files that share a process: a tool registered by one file would answer to its name in the flows of another.
(registeredTools() as Map<string, unknown>).clear(); // The map itself, which its readers may not change.
