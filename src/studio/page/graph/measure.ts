import type { Measure } from '../../../flow/picture/boxes.ts';

/** Creates a measure of texts in the fonts of the page. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.body).fontFamily;
  const fonts = { title: `600 13px ${family}`, text: `11.5px ${family}` } as const;
  return (text, font) => {
    if (context === null) return text.length * 7;
    context.font = fonts[font];
    return context.measureText(text).width;
  };
}
