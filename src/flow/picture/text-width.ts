import type { Measure } from './boxes.ts';

/** Relative widths of characters in common sans-serif fonts, used if no font can be measured. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljtfrI.,:;'’|!()[\]/\\ ]/u, 0.4],
  [/[mwMW@%—…→↩↺]/u, 1],
  [/[\p{Lu}\p{Nd}&<>=+#_]/u, 0.72],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u, 1.1],
];
const usual = 0.62;

const sizes = { title: 13 * 1.08, text: 11.5 } as const;

/** Estimates the width of a text, too wide rather than too narrow. */
export const textWidth: Measure = (text, font) => {
  let width = 0;
  for (const character of text) width += widths.find(([kind]) => kind.test(character))?.[1] ?? usual;
  return width * sizes[font];
};
