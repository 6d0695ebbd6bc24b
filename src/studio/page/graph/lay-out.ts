import { type Elk, startElk } from './elk.ts';
import { type Layout, layoutQuestion } from '../../../flow/picture/layout.ts';
import { createMeasure } from './measure.ts';
import type { Picture } from '../../../flow/picture/picture.ts';

let elk: Elk | null = null;

/** Lays out a picture in a worker, which is started with the first one. `workerUrl` is the address of ELK's file. */
export async function layOut(picture: Picture, workerUrl: string): Promise<Layout> {
  const { graph, placed } = layoutQuestion(picture, createMeasure());
  elk ??= startElk(workerUrl);
  try {
    return placed(await elk.layout(graph));
  } catch (error) {
    // The next call starts a new worker.
    elk = null;
    throw error;
  }
}
