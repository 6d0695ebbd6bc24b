import type { Picture, PictureArrow, PictureChip, PictureNode } from './picture.ts';

/** A node as it is drawn, before it has a place: what stands in it, and how large that makes it, in pixels. */
export interface Box {
  readonly node: PictureNode;
  readonly text: string;
  readonly chips: readonly { readonly chip: PictureChip; readonly text: string }[];
  readonly width: number;
  readonly height: number;
}

/** What is written on an arrow; null where nothing is. */
export interface ArrowLabel {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** How wide a text is in one of the fonts of the picture, in pixels. */
export type Measure = (text: string, font: 'title' | 'text') => number;

/** Sizes that the style sheet and the layout agree upon, in pixels. */
export const boxSizes = { head: 42, chip: 18, labelLine: 14, smallest: 96 } as const;

const longest = { text: 34, chip: 40, label: 30, lines: 4 } as const;

/** The boxes of a picture, in its order. Texts are cut to what can be read at a glance. */
export function boxesOf(picture: Picture, measure: Measure): readonly Box[] {
  return picture.nodes.map((node) => {
    const text = shortened(node.detail, longest.text);
    const chips = node.chips.map((chip) => ({ chip, text: shortened(chip.text, longest.chip) }));
    const widths = [
      boxSizes.smallest,
      measure(node.id, 'title') + 28,
      measure(text, 'text') + 24,
      ...chips.map((chip) => measure(chip.text, 'text') + 28),
    ];
    const height = boxSizes.head + (chips.length === 0 ? 0 : chips.length * boxSizes.chip + 2);
    return { node, text, chips, width: Math.ceil(Math.max(...widths)), height };
  });
}

/** The label of an arrow. */
export function labelOf({ labels }: PictureArrow, measure: Measure): ArrowLabel | null {
  if (labels.length === 0) return null;
  const shown = labels.slice(0, longest.lines).map((label) => shortened(label, longest.label));
  const rest = labels.length - shown.length;
  const lines = rest === 0 ? shown : [...shown.slice(0, -1), `and ${rest + 1} more`];
  const width = Math.ceil(Math.max(...lines.map((line) => measure(line, 'text')))) + 10;
  return { lines, width, height: lines.length * boxSizes.labelLine + 4 };
}

function shortened(text: string, most: number): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
