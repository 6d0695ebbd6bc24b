import type { Measure } from './boxes.ts';

/** Pixels of a line of text for each pixel of its font, where no font can be measured: as wide as common fonts without serifs are. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljtfrI.,:;'’|!()[\]/\\ ]/u, 0.4],
  [/[mwMW@%—…→↩↺]/u, 1],
  [/[\p{Lu}\p{Nd}&<>=+#_]/u, 0.72],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u, 1.1],
];
const usual = 0.62;

const sizes = { title: 13 * 1.08, text: 11.5 } as const;

/** Estimates the width of a text, rather too wide than too narrow. */
export const textWidth: Measure = (text, font) => {
  let width = 0;
  for (const character of text) width += widths.find(([kind]) => kind.test(character))?.[1] ?? usual;
  return width * sizes[font];
};
