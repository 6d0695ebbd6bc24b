import { registeredTools } from '../src/livekit/tools/tool-registry.ts';

// Of files that share a process: a tool that one of them has registered would answer to its name in the flows of another.
(registeredTools() as Map<string, unknown>).clear(); // The map itself, which its readers may not change.
