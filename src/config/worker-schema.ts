import { z } from 'zod';

const timeMs = z.number().int().min(0).max(86_400_000);

/** Schema of `worker` in `agent.config.ts`. */
export const workerSchema = z
  .strictObject({
    agentName: z.string().optional().describe('Jobs come by this name only; without it, for every new room.'),
    healthHost: z
      .string()
      .min(1)
      .optional()
      .describe('Where health is told: 127.0.0.1 where absent; 0.0.0.0 in a container, for probes from outside.'),
    healthPort: z.number().int().min(0).max(65_535).optional().describe('8081 where absent; 0 takes a free one.'),
    maxJobs: z.number().int().min(1).optional().describe('How many calls at once; 8 where absent.'),
    // With 0, LiveKit keeps counting ended calls, so that a worker is full after `maxJobs` of them.
    idleProcesses: z
      .number()
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe('Processes kept warm for the next call, at least 1; one for each core, at most 4, where absent.'),
    drainTimeoutMs: timeMs.optional().describe('How long calls may go on after SIGTERM; 60,000 where absent.'),
    rejoinTimeoutMs: timeMs.optional().describe('How long a caller who dropped out is waited for; 30,000.'),
    remoteSession: z
      .boolean()
      .optional()
      .describe('Lets the caller’s client use LiveKit’s RemoteSession: it sees prompt, tools and history. Never else.'),
    showFlow: z
      .boolean()
      .optional()
      .describe('Shows everybody in the room flow.name, flow.node and flow.status as attributes of the agent.'),
    keyPauseMs: timeMs.optional().describe('Keys pressed within this time of each other are one turn; 1,000.'),
    connectAttempts: z.number().int().min(1).max(100).optional().describe('How often the server is sought; 5.'),
    onEnd: z.enum(['leave', 'delete-room']).optional().describe('What becomes of the room; leave where absent.'),
    apology: z.string().min(1).optional().describe('What a caller hears whose call cannot be taken.'),
    lines: z
      .strictObject({
        deaf: z.string().min(1).optional().describe('Said before a call ends in which the caller cannot be heard.'),
        farewell: z.string().min(1).optional().describe('Said before a call ends that cannot be kept.'),
        again: z.string().min(1).optional().describe('Said where words were lost before anybody understood them.'),
      })
      .optional()
      .describe('What a caller hears where not the flow fails, but what the call stands on.'),
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('info where absent.'),
  })
  .optional()
  .describe('How `roomflow worker` takes calls.');
