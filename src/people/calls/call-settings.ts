import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';
import { durationMs, durationSchema } from '../duration.ts';
import type { CallRules } from './call-out.ts';
import { type Missed, missedSchema } from './call-result.ts';

/** A call before it is placed. */
export interface PlannedCall {
  readonly sessionId: string;
  /** The input of the session, including `contact`. */
  readonly input: JsonObject;
}

/** A person who is called into a room, because there is no telephone number or no line. */
export interface RungPerson extends PlannedCall {
  /** The room in which the agent waits. */
  readonly room: string;
}

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

/** `calls` of `agent.config.ts`. */
export const callsSchema = z.strictObject({
  trunk: z
    .string()
    .min(1)
    .optional()
    .describe('The outbound SIP trunk (ST_…) for telephone calls. Default: LIVEKIT_SIP_TRUNK.'),
  from: z
    .string()
    .min(1)
    .optional()
    .describe('The caller id. Default: LIVEKIT_SIP_NUMBER, else the number of the trunk.'),
  ringFor: durationSchema.optional().describe('How long a telephone rings. Default: 30s.'),
  room: functionOf<(call: PlannedCall) => string | Promise<string>>()
    .optional()
    .describe('Returns the name of the room of a call. Default: a unique name per session.'),
  ring: functionOf<(person: RungPerson) => unknown>()
    .optional()
    .describe('Notifies a person without a telephone of a call, such as by a push message with a token.'),
  retry: z
    .array(missedSchema)
    .readonly()
    .optional()
    .describe('Results after which the person is called again. Default: busy, no-answer and rang-out.'),
  attempts: z.number().int().min(1).max(100).optional().describe('Maximum number of calls to a person. Default: 3.'),
  every: durationSchema.optional().describe('Delay after an unanswered call. Default: 10m.'),
});

/** The type of `calls` in `agent.config.ts`. */
export type CallSettings = z.input<typeof callsSchema>;

const defaultAttempts = 3;
const defaultEvery = '10m';
const defaultRetry: readonly Missed[] = ['busy', 'no-answer', 'rang-out'];

/** Default ringing time. */
export const defaultRingFor = '30s';

/** Returns the rules for repeated calls. */
export function callRulesOf({
  attempts = defaultAttempts,
  every = defaultEvery,
  ringFor = defaultRingFor,
  retry = defaultRetry,
}: CallSettings = {}): CallRules {
  return { attempts, everyMs: durationMs(every), ringMs: durationMs(ringFor), retry: new Set(retry) };
}
