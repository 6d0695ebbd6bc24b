import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { type JobMetadata, parseMetadata } from './job-metadata.ts';

const placeSchema = z.strictObject({
  room: z.string(),
  /** The room's own id: a server that was started anew gives the same room another one. */
  roomId: z.string(),
  agentName: z.string(),
  /** The dispatch that called the agent, and the agent's identity in the room; null while none has come. */
  dispatch: z.string(),
  agent: z.string().nullable(),
  /** The identity of the one who is listened to; null for whoever comes first. */
  caller: z.string().nullable(),
  /** What the next job of the call is told. */
  metadata: z.string(),
});

/** Where a call takes place, and who attends to it, as a worker keeps it beside the session. */
export type CallPlace = z.output<typeof placeSchema>;

/** Reads a kept place; null for what another release may have kept. */
export function readPlace(kept: Json): CallPlace | null {
  return placeSchema.safeParse(kept).data ?? null;
}

/** A place as a store keeps it. */
export function toKeptPlace(place: CallPlace): JsonObject {
  return { ...place };
}

/** The session of a job: the one that it is told of, else one that is named after its dispatch, however often that is repeated. */
export function sessionIdOf(job: { readonly id: string; readonly dispatchId: string }, metadata: JobMetadata): string {
  return metadata.sessionId ?? (job.dispatchId === '' ? job.id : job.dispatchId);
}

/** What a dispatch tells its job; null where that is broken: whoever takes it only apologises. */
export function metadataOf(text: string): JobMetadata | null {
  try {
    return parseMetadata(text);
  } catch {
    return null;
  }
}
