#!/usr/bin/env node
import { styleText } from 'node:util';
import { FlowError } from '../../model/errors.ts';
import { isError } from '../../flow/load/problems/diagnose.ts';
import type { Totals } from '../../flowtest/reports/totals.ts';
import { diagnosticText, type Style } from '../output.ts';
import { reportPainter } from './report-painter.ts';
import { type FilesRead, playRound, type RoundOptions } from './test-round.ts';

/** The order to the process of a round. */
export interface RoundOrder {
  readonly options: RoundOptions;
  readonly hasColours: boolean;
}

/** Messages from the process of a round. */
export type RoundNews =
  | {
      readonly kind: 'opened';
      readonly file: string;
      readonly reads: FilesRead;
      /** Its problems as text. */
      readonly problems: readonly string[];
      readonly isBroken: boolean;
    }
  | { readonly kind: 'ran'; readonly file: string; readonly text: string; readonly totals: Totals }
  /** A text about all files, printed after the totals. */
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'over' };

// The process of one round of `roomflow test --watch`. It loads the current code of the project and ends with the
// round.
process.once('disconnect', () => process.exit(0));
process.once('message', (order: RoundOrder) => void play(order));

async function play({ options, hasColours }: RoundOrder): Promise<void> {
  const style = (name: Style, text: string): string =>
    // The output of this process is a pipe; the parent process may have a terminal.
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
        // The parent process sums the totals of all rounds.
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
