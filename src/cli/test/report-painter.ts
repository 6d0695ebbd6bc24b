import type { Painter, Tone } from '../../flowtest/reports/pretty.ts';
import type { Style } from '../output.ts';

const styles: Readonly<Record<Tone, Style>> = { good: 'green', bad: 'red', quiet: 'dim', warn: 'yellow' };

/** Returns a painter of reports that uses `style`. */
export function reportPainter(style: (style: Style, text: string) => string): Painter {
  return (tone, text) => style(styles[tone], text);
}
