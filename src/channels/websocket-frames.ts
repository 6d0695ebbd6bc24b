import { z } from 'zod';
import type { Event } from '../events/event.ts';
import { digitsLost, unkeptNumber } from '../ports/kept-numbers.ts';

const id = z
  .union([z.string().max(200), z.number()])
  .optional()
  .describe('Comes back in the answer to this frame.');
const text = z.string().max(20_000).describe('What is said.');

/** What a client may send: one JSON object a text frame. */
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

/** What a client sends. */
export type ClientFrame = z.output<typeof clientFrame>;

/** What a client is sent: one JSON object a text frame. */
export type ServerFrame =
  /** The first frame of a connection. */
  | { readonly type: 'hello'; readonly sessionId: string }
  /** Whoever connects again with `from` one above the last `seq` has missed nothing that is still held. */
  | { readonly type: 'event'; readonly event: Event }
  /** A piece of what the agent of a conversation says. */
  | { readonly type: 'speech'; readonly text: string }
  | { readonly type: 'speech_end' }
  | {
      readonly type: 'question';
      readonly question: number;
      readonly text: string;
      readonly choices: readonly string[];
    }
  | { readonly type: 'question_over'; readonly question: number }
  /** The answer to a frame; to `send` once the conversation has answered. */
  | {
      readonly type: 'result';
      readonly id?: string | number;
      readonly outcome: 'taken' | 'duplicate' | 'over';
      readonly run?: string;
    }
  /** The frame changed nothing. */
  | { readonly type: 'error'; readonly id?: string | number; readonly code: string; readonly message: string };

/** Reads a frame of a client. Never throws, and quotes nothing of it. */
export function parseFrame(
  given: string,
): { readonly ok: true; readonly frame: ClientFrame } | { readonly ok: false; readonly message: string } {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    return { ok: false, message: 'a frame is a text with one JSON object.' };
  }
  if (unkeptNumber(given) !== null) return { ok: false, message: `the frame ${digitsLost}` };
  const { data, error } = clientFrame.safeParse(json);
  if (error === undefined) return { ok: true, frame: data };
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the frame' : issue.path.join('.');
  return { ok: false, message: `${place} is not as it is to be: ${issue?.code ?? 'invalid'}.` };
}
