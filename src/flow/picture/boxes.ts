import type { Picture, PictureArrow, PictureChip, PictureNode } from './picture.ts';

/** A node as it is drawn, without position: its texts and its size in pixels. */
export interface Box {
  readonly node: PictureNode;
  readonly text: string;
  readonly chips: readonly { readonly chip: PictureChip; readonly text: string }[];
  readonly width: number;
  readonly height: number;
}

/** The label of an arrow. */
export interface ArrowLabel {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Returns the width of a text in a font of the picture, in pixels. */
export type Measure = (text: string, font: 'title' | 'text') => number;

/** Sizes shared by the style sheet and the layout, in pixels. */
export const boxSizes = { head: 42, chip: 18, labelLine: 14, smallest: 96 } as const;

const longest = { text: 34, chip: 40, label: 30, lines: 4 } as const;

/** Returns the boxes of a picture, in its order. Long texts are shortened. */
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

/** Returns the label of an arrow; null if it has none. */
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
