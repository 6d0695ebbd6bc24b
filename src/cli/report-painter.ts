import type { Painter, Tone } from '../testing/flowtest/reports/pretty.ts';
import type { Style } from './output.ts';

const styles: Readonly<Record<Tone, Style>> = { good: 'green', bad: 'red', quiet: 'dim', warn: 'yellow' };

/** Colours of reports by `style`, which gives none where nobody sees them. */
export function reportPainter(style: (style: Style, text: string) => string): Painter {
  return (tone, text) => style(styles[tone], text);
}
