import { llm } from '@livekit/agents';
import type { Effect } from '../../model/effect.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { modelPort } from '../model/model-port.ts';
import { keptHistory } from './kept-history.ts';
import { summarise } from './summarise.ts';

/** How long the summary of a past conversation may take, in milliseconds. */
const afterwardsMs = 60_000;

/** Asks a model for a summary of a stored conversation; null if it fails or takes too long. */
export async function summariseLog(
  model: llm.LLM,
  { log, effects }: { readonly log: readonly LoggedSignal[]; readonly effects: readonly Effect[] },
  prompt: string,
  clock: Clock,
): Promise<string | null> {
  const context = new llm.ChatContext([...keptHistory(log, effects)]);
  return await summarise(modelPort(model), context, prompt, clock, afterwardsMs);
}
