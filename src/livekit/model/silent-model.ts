import type { View } from '../../kernel/view.ts';
import type { ChunkContent, SpeakingModel } from '../../ports/model.ts';

/** Stands for the model where nobody listens: a performance that stops before what is to be said never asks it. */
export const silentModel: SpeakingModel<View, ChunkContent> = {
  async *ask() {},
  offered: () => null,
  read: (chunk) => chunk,
  write: () => [],
};
