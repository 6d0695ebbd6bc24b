import type { Transfers } from '../../model/ports/transfers.ts';

/** Prints what a transfer would do, and pretends that the person answers and later hangs up. `note` prints a line. */
export function pretendedTransfers(note: (text: string) => void): Transfers {
  return {
    begin({ to, mode, brief, ringMs }, end) {
      const target = to.kind === 'line' ? to.address : `the agent ${to.name}`;
      note(`transfer (${to.kind === 'line' ? mode : 'agent'}) to ${target}, rings for ${Math.round(ringMs / 1_000)} s`);
      if (brief !== null) note('text' in brief ? `briefing: ${brief.text}` : 'briefing: a summary by the model');
      note('pretending: answered');
      void end({ outcome: 'answered' });
    },
  };
}
