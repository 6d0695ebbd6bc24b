import { createRequire } from 'node:module';
import type { ELK } from 'elkjs/lib/elk-api.js';
import { type ElkPlaces, type Layout, layoutQuestion } from './layout.ts';
import type { Picture } from './picture.ts';
import { textWidth } from './text-width.ts';

/** Lays a picture out in this process, as the page of the studio does in the browser. */
export async function placePicture(picture: Picture): Promise<Layout> {
  const { graph, placed } = layoutQuestion(picture, textWidth);
  // Loaded when a picture is drawn: it is larger than all the rest. Its types do not fit how it is exported.
  const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;
  // ELK writes into the graph that it is given.
  const given = structuredClone(graph) as unknown as Parameters<ELK['layout']>[0];
  return placed((await new Elk().layout(given)) as ElkPlaces);
}
