import { z } from 'zod';
import type { Event } from '../../model/events/event.ts';
import { digitsLost, lossyNumber } from '../../model/ports/lossy-numbers.ts';

const id = z
  .union([z.string().max(200), z.number()])
  .optional()
  .describe('Comes back in the answer to this frame.');
const text = z.string().max(20_000).describe('The text that is said.');

/** Schema of client frames: one JSON object per text frame. */
const clientFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('send'),
    id,
    text,
    event_id: z.string().min(1).max(200).optional().describe('The same id is taken once, however often it is sent.'),
  }),
  z.strictObject({ type: z.literal('send_to'), id, node: z.string(), text }),
  z.strictObject({ type: z.literal('send_to_run'), id, run: z.string(), text }),
  z.strictObject({ type: z.literal('close_run'), id, run: z.string() }),
  z.strictObject({ type: z.literal('answer'), id, question: z.number().int().describe('Of a question frame.'), text }),
  z.strictObject({ type: z.literal('abort'), id }),
]);

/** A frame from a client. */
export type ClientFrame = z.output<typeof clientFrame>;

/** A frame to a client: one JSON object per text frame. */
export type ServerFrame =
  /** The first frame of a connection. */
  | { readonly type: 'hello'; readonly sessionId: string }
  /** A client that reconnects with `from` one above its last `seq` misses no event that is still buffered. */
  | { readonly type: 'event'; readonly event: Event }
  /** A piece of the agent's speech in a conversation. */
  | { readonly type: 'speech'; readonly text: string }
  | { readonly type: 'speech_end' }
  | {
      readonly type: 'question';
      readonly question: number;
      readonly text: string;
      readonly choices: readonly string[];
    }
  | { readonly type: 'question_over'; readonly question: number }
  /** The answer to a frame; for `send`, after the conversation has answered. */
  | {
      readonly type: 'result';
      readonly id?: string | number;
      readonly outcome: 'taken' | 'duplicate' | 'over';
      readonly run?: string;
    }
  /** The frame was rejected without any effect. */
  | { readonly type: 'error'; readonly id?: string | number; readonly code: string; readonly message: string };

/** Parses a client's frame. Never throws, and never quotes the frame. */
export function parseFrame(
  given: string,
): { readonly ok: true; readonly frame: ClientFrame } | { readonly ok: false; readonly message: string } {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    return { ok: false, message: 'a frame is a text with one JSON object.' };
  }
  if (lossyNumber(given) !== null) return { ok: false, message: `the frame ${digitsLost}` };
  const { data, error } = clientFrame.safeParse(json);
  if (error === undefined) return { ok: true, frame: data };
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the frame' : issue.path.join('.');
  return { ok: false, message: `${place} is invalid: ${issue?.code ?? 'invalid'}.` };
}
