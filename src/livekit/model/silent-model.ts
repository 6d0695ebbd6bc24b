import type { View } from '../../kernel/state/view.ts';
import type { ChunkContent, SpeakingModel } from '../../model/ports/model.ts';

/** A model for sessions without a listener. Their performance stops before speech and never asks it. */
export const silentModel: SpeakingModel<View, ChunkContent> = {
  async *ask() {},
  offered: () => null,
  read: (chunk) => chunk,
  write: () => [],
};
