import { z } from 'zod';

const timeMs = z.number().int().min(0).max(86_400_000);

/** Schema of `worker` in `agent.config.ts`. */
export const workerSchema = z
  .strictObject({
    agentName: z.string().optional().describe('Accepts only jobs for this name. Without it, accepts every new room.'),
    healthHost: z
      .string()
      .min(1)
      .optional()
      .describe('Address of the health probe. Default: 127.0.0.1. Use 0.0.0.0 in a container.'),
    healthPort: z.number().int().min(0).max(65_535).optional().describe('Default: 8081; 0 takes a free port.'),
    maxJobs: z.number().int().min(1).optional().describe('Maximum concurrent calls. Default: 8.'),
    // With 0, LiveKit keeps counting ended calls, so that a worker is full after `maxJobs` of them.
    idleProcesses: z
      .number()
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe('Idle processes for the next calls, at least 1. Default: one per core, at most 4.'),
    drainTimeoutMs: timeMs.optional().describe('How long calls may continue after SIGTERM. Default: 60,000.'),
    rejoinTimeoutMs: timeMs.optional().describe('How long to wait for a caller who dropped out. Default: 30,000.'),
    remoteSession: z
      .boolean()
      .optional()
      .describe(
        'Allows LiveKit’s RemoteSession for the caller’s client, which then sees prompt, tools and history. Default: false.',
      ),
    showFlow: z
      .boolean()
      .optional()
      .describe('Shows flow.name, flow.node and flow.status as attributes of the agent to all participants.'),
    keyPauseMs: timeMs.optional().describe('Maximum pause between keys that are words. Default: 1,000.'),
    connectAttempts: z.number().int().min(1).max(100).optional().describe('Attempts to reach the server. Default: 5.'),
    onEnd: z
      .enum(['leave', 'delete-room'])
      .optional()
      .describe('Whether the room stays after the call. Default: leave.'),
    apology: z.string().min(1).optional().describe('Said to a caller whose call cannot be taken.'),
    lines: z
      .strictObject({
        deaf: z.string().min(1).optional().describe('Said before a call ends because the caller cannot be heard.'),
        farewell: z
          .string()
          .min(1)
          .optional()
          .describe('Said before a call ends because its store or model has failed.'),
        again: z.string().min(1).optional().describe('Said when words of the caller were lost.'),
      })
      .optional()
      .describe('Lines for failures outside the flow.'),
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('Default: info.'),
  })
  .optional()
  .describe('How `roomflow worker` takes calls.');
