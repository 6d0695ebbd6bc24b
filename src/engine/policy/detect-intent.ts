import { z } from 'zod';
import { classic } from '../../flow/document/classic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Model } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { DetectorRouter, RouteFailure } from './router.ts';

export interface Detection {
  readonly config: DetectorRouter;
  readonly text: string;
  /** The agent's previous words, because "the second one" is meaningless without them. */
  readonly lastSaid: string;
  readonly flows: readonly string[];
  readonly model: Model;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How much of the agent's last words the detector is shown, in characters. */
const mostSaid = 1_000;

/** How long the caller may wait for the detector, in milliseconds. */
const detectWithinMs = 3_000;

/** Asks the model for the intent of a caller's words, in one inference without a retry. Never throws. */
export async function detectIntent(
  detection: Detection,
): Promise<{ readonly intent: string; readonly confidence?: number | undefined } | RouteFailure> {
  const { config, text, lastSaid, flows, model, clock, signal } = detection;
  const abort = new AbortController();
  const cancelLimit = clock.schedule(detectWithinMs, () => abort.abort());
  const onAbort = (): void => abort.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  let written = '';
  try {
    // The JSON Schema of an object is a JSON object.
    const output = z.toJSONSchema(config.outputSchema, { unrepresentable: 'any' }) as unknown as JsonObject;
    const instructions = [
      config.prompt.trim(),
      `The intents are: ${[...flows, classic].join(', ')}.`,
      // Not every model accepts a schema apart from the messages.
      `Answer with nothing but JSON of this schema: ${JSON.stringify(output)}`,
    ].join('\n\n');
    const request = {
      messages: [
        { role: 'system', content: instructions } as const,
        ...(lastSaid === '' ? [] : [{ role: 'assistant', content: lastSaid.slice(-mostSaid) } as const]),
        { role: 'user', content: text } as const,
      ],
      tools: [],
      output,
      signal: abort.signal,
    };
    for await (const chunk of model.generate(request)) {
      if (abort.signal.aborted) return 'model-failed';
      if (chunk.type === 'text') written += chunk.delta;
    }
  } catch {
    return 'model-failed';
  } finally {
    cancelLimit();
    signal.removeEventListener('abort', onAbort);
  }
  if (abort.signal.aborted) return 'model-failed';
  return readDetection(config, written);
}

function readDetection(
  config: DetectorRouter,
  written: string,
): { intent: string; confidence?: number | undefined } | RouteFailure {
  // Models without structured output often wrap the JSON in other text.
  const json = /\{[\s\S]*\}/.exec(written)?.[0];
  if (json === undefined) return 'parse-error';
  try {
    const parsed = config.outputSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : 'parse-error';
  } catch {
    return 'parse-error';
  }
}
