import type { ScenarioResult } from '../play/scenario-result.ts';
import { escaped } from '../../flow/picture/markup.ts';

interface Bar {
  readonly kind: 'caller' | 'agent' | 'model' | 'tool';
  readonly label: string;
  /** In milliseconds from the beginning of the turn. */
  readonly from: number;
  readonly to: number;
}

const rowHeight = 18;
const nameWidth = 150;
const barsWidth = 560;

/** The events of one turn over time, in the scenario's own time. */
export function waterfallOf(result: ScenarioResult, turn: number): string {
  const startedAt = result.turnsAt[turn] ?? 0;
  const bars = barsOf(result, turn, startedAt);
  const end = Math.max(1, ...bars.map(({ to }) => to));
  if (bars.length === 0) return '';
  const x = (ms: number): number => nameWidth + (barsWidth * Math.max(0, ms)) / end;
  const rows = bars.map(({ kind, label, from, to }, row) => {
    const y = row * rowHeight;
    const width = Math.max(3, x(to) - x(from));
    const ms = to === from ? `${Math.round(from)} ms` : `${Math.round(from)}-${Math.round(to)} ms`;
    const isLeft = x(from) + width < nameWidth + barsWidth - 90;
    const text = isLeft ? `x="${(x(from) + width + 4).toFixed(0)}"` : `x="${(x(from) - 4).toFixed(0)}" class="end"`;
    return `<text x="0" y="${y + 13}">${escaped(label.length > 24 ? `${label.slice(0, 23)}…` : label)}</text><rect class="${kind}" x="${x(from).toFixed(0)}" y="${y + 3}" width="${width.toFixed(0)}" height="12" rx="2"/><text ${text} y="${y + 13}">${ms}</text>`;
  });
  const height = bars.length * rowHeight + 4;
  return `<svg class="fall" role="img" aria-label="what happened when in this turn" viewBox="0 0 ${nameWidth + barsWidth} ${height}" width="${nameWidth + barsWidth}" height="${height}">${rows.join('')}</svg>`;
}

function barsOf({ lines, requests, runs }: ScenarioResult, turn: number, startedAt: number): readonly Bar[] {
  const spoken = lines.filter((line) => line.turn === turn);
  const bars: readonly Bar[] = [
    ...spoken.map(({ who, at }): Bar => {
      return {
        kind: who === 'agent' ? 'agent' : 'caller',
        label: who === 'agent' ? 'agent speaks' : who,
        from: at - startedAt,
        to: at - startedAt,
      };
    }),
    ...requests
      .filter((one) => one.turn === turn)
      .map(({ at, request }): Bar => ({
        kind: 'model',
        label: `model in ${request.node}`,
        from: at - startedAt,
        to: at - startedAt,
      })),
    ...runs
      .filter((one) => one.turn === turn)
      .map(({ name, startedAt: from, endedAt }): Bar => {
        return { kind: 'tool', label: name, from: from - startedAt, to: (endedAt ?? from) - startedAt };
      }),
  ];
  return bars.toSorted((one, other) => one.from - other.from);
}
