#!/usr/bin/env node
import { styleText } from 'node:util';
import { FlowError } from '../errors.ts';
import { isError } from '../load/diagnose.ts';
import type { Totals } from '../testing/flowtest/reports/totals.ts';
import { diagnosticText, type Style } from './output.ts';
import { reportPainter } from './report-painter.ts';
import { type FilesRead, playRound, type RoundOptions } from './test-round.ts';

/** What the process of a round is to do. */
export interface RoundOrder {
  readonly options: RoundOptions;
  readonly hasColours: boolean;
}

/** What it tells meanwhile. */
export type RoundNews =
  | {
      readonly kind: 'opened';
      readonly file: string;
      readonly reads: FilesRead;
      /** What is wrong in it, each as text for people. */
      readonly problems: readonly string[];
      readonly isBroken: boolean;
    }
  | { readonly kind: 'ran'; readonly file: string; readonly text: string; readonly totals: Totals }
  /** What is told of all files together, behind the totals. */
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'over' };

// The process of one round of `roomflow test --watch`: it has the code of the project as it is now, and ends with its round.
process.once('disconnect', () => process.exit(0));
process.once('message', (order: RoundOrder) => void play(order));

async function play({ options, hasColours }: RoundOrder): Promise<void> {
  const style = (name: Style, text: string): string =>
    // Its own output is no terminal; that of the process above may be one.
    hasColours ? styleText(name, text, { validateStream: false }) : text;
  const paint = reportPainter(style);
  const tell = (news: RoundNews): void => void process.send?.(news);
  try {
    await playRound(
      { ...options, goesOn: true },
      {
        paint,
        opened: (file, reads, diagnostics) =>
          tell({
            ...{ kind: 'opened', file, reads, isBroken: diagnostics.some(isError) },
            problems: diagnostics.map((one) => diagnosticText(one, style)),
          }),
        ran: (file, text, totals) => tell({ kind: 'ran', file, text, totals }),
        // The totals are those of all rounds together.
        totals: () => undefined,
        print: (text) => tell({ kind: 'told', text }),
        write: () => undefined,
        complain: (text) => tell({ kind: 'told', text: paint('bad', text) }),
      },
    );
  } catch (error) {
    const text = error instanceof FlowError ? error.message : String(error instanceof Error ? error.stack : error);
    tell({ kind: 'told', text: paint('bad', text) });
  }
  process.send?.({ kind: 'over' } satisfies RoundNews, () => process.exit(0));
}
