import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';
import { durationMs, durationSchema } from '../duration.ts';
import type { CallRules } from './call-out.ts';
import { type Missed, missedSchema } from './call-result.ts';

/** A call that is about to be made. */
export interface PlannedCall {
  readonly sessionId: string;
  /** What the session began with, `contact` included. */
  readonly input: JsonObject;
}

/** A person who is called in a room, because they have no telephone or there is no line. */
export interface RungPerson extends PlannedCall {
  /** The room in which the agent waits for them. */
  readonly room: string;
}

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

/** How people are called: `calls` of `agent.config.ts`. */
export const callsSchema = z.strictObject({
  trunk: z
    .string()
    .min(1)
    .optional()
    .describe('The outbound SIP trunk, ST_…, by which telephones are called; LIVEKIT_SIP_TRUNK where absent.'),
  from: z
    .string()
    .min(1)
    .optional()
    .describe('The number that is shown; LIVEKIT_SIP_NUMBER or the trunk’s where absent.'),
  ringFor: durationSchema.optional().describe('How long a telephone rings; 30s where absent.'),
  room: functionOf<(call: PlannedCall) => string | Promise<string>>()
    .optional()
    .describe('Names the room of a call; a name of its own for each session where absent.'),
  ring: functionOf<(person: RungPerson) => unknown>()
    .optional()
    .describe('Tells somebody without a telephone that they are called, such as by a push message with a token.'),
  retry: z
    .array(missedSchema)
    .readonly()
    .optional()
    .describe('After which results somebody is called again: busy, no-answer and rang-out where absent.'),
  attempts: z.number().int().min(1).max(100).optional().describe('How often somebody is called who is not there; 3.'),
  every: durationSchema.optional().describe('How long after a call that was not answered the next one is made; 10m.'),
});

/** How people are called, as it is written in `agent.config.ts`. */
export type CallSettings = z.input<typeof callsSchema>;

const defaultAttempts = 3;
const defaultEvery = '10m';
const defaultRetry: readonly Missed[] = ['busy', 'no-answer', 'rang-out'];

/** How long a telephone rings where nothing else is said. */
export const defaultRingFor = '30s';

/** How often and when somebody is called who is not reached. */
export function callRulesOf({
  attempts = defaultAttempts,
  every = defaultEvery,
  ringFor = defaultRingFor,
  retry = defaultRetry,
}: CallSettings = {}): CallRules {
  return { attempts, everyMs: durationMs(every), ringMs: durationMs(ringFor), retry: new Set(retry) };
}
