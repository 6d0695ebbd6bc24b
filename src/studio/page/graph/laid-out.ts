import { computed, effect, signal } from '@preact/signals';
import { shownFlow } from '../model/view.ts';
import { layOut } from './lay-out.ts';
import type { Layout } from '../../../flow/picture/layout.ts';
import { type Picture, pictureOf } from '../../../flow/picture/picture.ts';

/** The picture of the shown flow; null if there is none. */
const picture = computed<Picture | null>(() => {
  const flow = shownFlow.value;
  return flow === null || flow.kind === 'generator' ? null : pictureOf(flow);
});

/** The picture with its layout; the previous one while a new one is computed. */
export const layout = signal<{ readonly picture: Picture; readonly layout: Layout; readonly tookMs: number } | null>(
  null,
);

/** Why the layout failed; null if it did not. */
export const layoutFault = signal<string | null>(null);

const known = new Map<string, { readonly layout: Layout; readonly tookMs: number }>();

/** Lays out each shown picture. Equal pictures keep their layout. */
export function startLayout(): void {
  effect(() => {
    const wanted = picture.value;
    if (wanted === null) return;
    const shape = JSON.stringify(wanted);
    const ready = known.get(shape);
    if (ready !== undefined) {
      layout.value = { picture: wanted, ...ready };
      return;
    }
    const begun = performance.now();
    layOut(wanted, '/assets/elk-worker.min.js').then(
      (placed) => {
        const made = { layout: placed, tookMs: performance.now() - begun };
        known.set(shape, made);
        if (picture.peek() === wanted) layout.value = { picture: wanted, ...made };
        layoutFault.value = null;
      },
      (error: unknown) => {
        layoutFault.value = error instanceof Error ? error.message : String(error);
      },
    );
  });
}
