import type { View } from '../../kernel/state/view.ts';
import type { ModelName, SpeakingModel } from '../../model/ports/model.ts';
import { type Chunk, readChunk, writeChunk } from './chunk.ts';
import { readAhead } from './read-ahead.ts';

/** The model of a session, as one reply uses it. */
export interface ReplyModel extends SpeakingModel<View, Chunk> {
  /** Asks under a view before the caller's turn is complete. `ask` uses that answer if the view is still the same. */
  thinkAhead(view: View): void;
  /** Stops an early answer that is not wanted. */
  forget(): void;
}

/** Creates the reply model. `offered` returns the functions of the last request. */
export function createReplyModel(
  request: (view: View) => AsyncIterableIterator<Chunk>,
  offered: () => readonly string[],
  name: () => ModelName,
): ReplyModel {
  let ahead: (Pick<View, 'visit' | 'language'> & { readonly chunks: AsyncIterableIterator<Chunk> }) | null = null;
  const model: ReplyModel = {
    thinkAhead(view) {
      const { visit, language } = view;
      ahead = { visit, language, chunks: readAhead(request(view)) };
    },
    forget() {
      void ahead?.chunks.return?.();
      ahead = null;
    },
    ask(view) {
      if (ahead?.visit !== view.visit || ahead.language !== view.language) {
        model.forget();
        return request(view);
      }
      const { chunks } = ahead;
      ahead = null;
      return chunks;
    },
    offered,
    name,
    read: readChunk,
    write: writeChunk,
  };
  return model;
}
