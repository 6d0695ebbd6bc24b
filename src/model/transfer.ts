import type { EffectKey } from './effect.ts';

/** The outcomes of a transfer, as conditions, events and tests name them. */
export const transferOutcomes = ['answered', 'busy', 'no_answer', 'refused', 'voicemail', 'failed'] as const;

/** The outcome of a transfer. `failed`: no line, no trunk, an invalid target or an error of the network. */
export type TransferOutcome = (typeof transferOutcomes)[number];

/**
 * `cold`: the caller's line is handed over, and the agent hears nothing of it. `warm`: the agent dials the person,
 * briefs them out of the caller's hearing, and then connects both in the room of the call.
 */
export type TransferMode = 'cold' | 'warm';

/** The person or system that a caller is put through to. A queue is asked by a wait and needs no effect. */
export type TransferTarget =
  | { readonly kind: 'line'; readonly address: string }
  | { readonly kind: 'agent'; readonly name: string };

/** One attempt to put the caller through. It resolves the wait of the transfer, under whose key it happens once. */
export interface TransferPayload {
  readonly wait: EffectKey;
  readonly to: TransferTarget;
  readonly mode: TransferMode;
  /** The words for the person, or the prompt of a summary of the conversation; null for none. */
  readonly brief: { readonly text: string } | { readonly prompt: string } | null;
  /** What the caller hears meanwhile in a warm transfer: `music`, `silence`, or an audio file. */
  readonly hold: string;
  readonly ringMs: number;
}

/** A transfer as its node requests it, before the wait has a key. */
export type TransferRequest = Omit<TransferPayload, 'wait'>;
