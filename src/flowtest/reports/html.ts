import { createHash } from 'node:crypto';
import { coverageKinds, type FlowCoverage, shareOf } from '../coverage.ts';
import type { FlowPosition } from '../document/flow-places.ts';
import type { FileResult } from '../run-tests.ts';
import type { ScenarioResult } from '../play/scenario-result.ts';
import { heatMapOf } from './heat-map.ts';
import { escaped } from '../../flow/picture/markup.ts';
import { placeInTurn } from './place-in-turn.ts';
import { totalsOf } from './totals.ts';
import { waterfallOf } from './waterfall.ts';

/**
 * The results as one page that needs no script and loads nothing: conversations, waterfalls, and coverage on the drawn
 * flow.
 */
export async function htmlOf(results: readonly FileResult[], coverages: readonly FlowCoverage[]): Promise<string> {
  const totals = totalsOf(results);
  const counts = (['passed', 'failed', 'broken', 'skipped'] as const)
    .filter((status) => totals[status] > 0)
    .map((status) => `<span class="${status}">${totals[status]} ${status}</span>`);
  const maps = await Promise.all(coverages.map(coverageHtml));
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Conversation tests</title><style>${style}</style></head>
<body><main><h1>Conversation tests</h1><p>${totals.scenarios} scenarios: ${counts.join(', ')}</p>
${results.map(fileHtml).join('\n')}
${coverages.length === 0 ? '' : `<h2>Coverage</h2>${maps.join('\n')}`}
</main></body></html>
`;
}

function fileHtml({ test, scenarios }: FileResult): string {
  return `<section><h2>${escaped(test.file)}</h2><p>Flow: ${escaped(test.flow.file)}</p>${scenarios.map(scenarioHtml).join('')}</section>`;
}

function scenarioHtml(one: ScenarioResult): string {
  const turns = [...one.turnsAt.keys()].map((turn) => turnHtml(one, turn)).join('');
  const failures = one.failures.map(({ path, message, expected, found, place, flowPlace }) => {
    const facts = [
      `<strong>${escaped(placeInTurn(path))}: ${escaped(message)}</strong>`,
      ...(expected === null
        ? []
        : [`<dl><dt>expected</dt><dd>${escaped(expected)}</dd><dt>found</dt><dd>${escaped(found ?? '')}</dd></dl>`]),
      placeHtml('the test', place),
      placeHtml('the flow', flowPlace),
    ];
    return `<li>${facts.join('')}</li>`;
  });
  const reason = one.reason === null ? '' : ` <small>${escaped(one.reason)}</small>`;
  return `<details${one.status === 'failed' ? ' open' : ''}><summary><span class="${one.status}">${one.status}</span> ${escaped(one.name)} <small>${one.engine}</small>${reason}</summary>${failures.length === 0 ? '' : `<ul class="failures">${failures.join('')}</ul>`}${turns}${stateHtml(one)}</details>`;
}

function placeHtml(what: string, place: FlowPosition | null): string {
  if (place === null) return '';
  const frame = place.frame === undefined ? '' : `<pre>${escaped(place.frame)}</pre>`;
  return `<p>${what}: ${escaped(place.file)}:${place.line}</p>${frame}`;
}

function turnHtml(one: ScenarioResult, turn: number): string {
  const lines = one.lines.filter((line) => line.turn === turn);
  const moves = one.events.flatMap(({ turn: of, event }) =>
    of === turn && event.type === 'transition:taken' ? [`${event.data.from} → ${event.data.to}`] : [],
  );
  if (lines.length === 0 && moves.length === 0) return '';
  const talk = lines.map(
    ({ who, text, interrupted }) =>
      `<p class="line"><b>${escaped(who)}</b> ${escaped(text)}${interrupted ? ' <i>(cut off)</i>' : ''}</p>`,
  );
  const moved = moves.length === 0 ? '' : `<p class="moves">${moves.map(escaped).join(', ')}</p>`;
  return `<div class="turn"><h3>${turn === 0 ? 'before the first turn' : `turn ${turn}`}</h3>${talk.join('')}${moved}<div class="scroll">${waterfallOf(one, turn)}</div></div>`;
}

function stateHtml({ state, ended }: ScenarioResult): string {
  if (state === null) return '';
  const slots = Object.entries(state.knowledge.slots).map(
    ([name, { value }]) => `<dt>${escaped(name)}</dt><dd>${escaped(JSON.stringify(value))}</dd>`,
  );
  return `<div class="turn"><h3>at the end</h3><p>${ended === null ? `in node ${escaped(state.position.node)}` : `ended: ${escaped(ended)}`}</p><dl>${slots.join('')}</dl></div>`;
}

async function coverageHtml(coverage: FlowCoverage): Promise<string> {
  const shares = coverageKinds.map((kind) => {
    const { covered, all } = shareOf(coverage, kind);
    return `<td>${all === 0 ? '–' : `${covered}/${all}`}</td>`;
  });
  const open = coverage.items.filter(({ hits }) => hits === 0);
  const missing = open.map(
    ({ kind, name, place }) =>
      `<li>${escaped(place === null ? '' : `${place.file}:${place.line} `)}${kind}: ${escaped(name)}</li>`,
  );
  return `<section><h3>${escaped(coverage.flow.file)}</h3><table><thead><tr>${coverageKinds.map((kind) => `<th>${kind}</th>`).join('')}</tr></thead><tbody><tr>${shares.join('')}</tr></tbody></table>${missing.length === 0 ? '' : `<details><summary>${missing.length} not covered</summary><ul>${missing.join('')}</ul></details>`}<div class="scroll">${await heatMapOf(coverage)}</div></section>`;
}

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--quiet:#59636e;--paper:#fff;--line:#d1d9e0;--good:#1a7f37;--bad:#cf222e;--h1:#ddf4e4;--h2:#aee6bf;--h3:#6fcf8d;--h4:#35b05c}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--quiet:#9198a1;--paper:#0d1117;--line:#3d444d;--good:#3fb950;--bad:#f85149;--h1:#12351f;--h2:#175c31;--h3:#1a7f37;--h4:#238f45}}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:1100px;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}h3{font-size:.95rem;margin:.6rem 0 .2rem;color:var(--quiet)}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;padding:.3rem .7rem}
summary{cursor:pointer}small,.moves{color:var(--quiet)}
.passed{color:var(--good);font-weight:600}.failed,.broken{color:var(--bad);font-weight:600}.skipped{color:var(--quiet)}
.line{margin:.15rem 0}.moves{margin:.15rem 0;font-size:.85rem}
.failures{padding-left:1.1rem}pre{overflow-x:auto;padding:.5rem;border:1px solid var(--line);border-radius:6px;font-size:.85rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.3rem 0}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.2rem .7rem;text-align:left}
.scroll{overflow-x:auto}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}
.flow text{font-size:11.5px;text-anchor:middle}.flow .name{font-size:13px;font-weight:600}
.flow .paper,.flow .label rect{fill:var(--paper)}.flow .chip rect{fill:var(--paper);opacity:.6}.flow .begin{fill:var(--ink)}
.body{fill:var(--paper);stroke:var(--quiet)}.node.open .body{stroke:var(--bad);stroke-dasharray:4 3}
.heat1 .body{fill:var(--h1)}.heat2 .body{fill:var(--h2)}.heat3 .body{fill:var(--h3)}.heat4 .body{fill:var(--h4)}
.arrow{fill:none;stroke:var(--quiet)}.arrow.walked{stroke:var(--good);stroke-width:2}.arrow.open{stroke:var(--bad);stroke-dasharray:4 3}.tip{fill:var(--quiet)}
.fall .agent{fill:#1f6feb}.fall .caller{fill:#8250df}.fall .model{fill:#bf8700}.fall .tool{fill:var(--good)}.fall .end{text-anchor:end}
`;
