import { createRequire } from 'node:module';
import type { ELK } from 'elkjs/lib/elk-api.js';
import { type ElkPlaces, type Layout, layoutQuestion } from './layout.ts';
import type { Picture } from './picture.ts';
import { textWidth } from './text-width.ts';

/** Lays out a picture in this process, like the page of the studio in the browser. */
export async function placePicture(picture: Picture): Promise<Layout> {
  const { graph, placed } = layoutQuestion(picture, textWidth);
  // Loaded on demand because of its size. Its types do not match its exports.
  const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;
  // ELK modifies the given graph.
  const given = structuredClone(graph) as unknown as Parameters<ELK['layout']>[0];
  return placed((await new Elk().layout(given)) as ElkPlaces);
}
