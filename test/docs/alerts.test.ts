import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metrics as openTelemetry } from '@opentelemetry/api';
import { parse } from 'yaml';
import type { TurnTrace } from '../../src/model/events/turn-trace.ts';
import { measureActiveCalls, measureCall } from '../../src/livekit/traces/call-metrics.ts';
import { measureTurn } from '../../src/livekit/traces/turn-metrics.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createHttpMetrics } from '../../src/http/metrics.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { projectFolder } from './pages.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

test('alerts and the runbook name what /metrics tells, and all of it; each alert leads to what is to be done', async () => {
  const told = await measured();
  const names = [...told.keys()];
  const runbook = readFileSync(join(projectFolder, 'docs/runbook.md'), 'utf8');
  const rows = [...runbook.matchAll(/^\| `(roomflow_\w+)` \|/gm)].map(([, name = '']) => name);
  expect(rows.toSorted()).toEqual(names.toSorted());

  const alerts = rules();
  expect(alerts.length).toBeGreaterThan(5);
  expect(alerts.flatMap(({ expr }) => unmeasured(expr, told))).toEqual([]);

  const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  for (const { alert, annotations } of alerts)
    expect(
      headings.map((heading) => `docs/runbook.md#${heading}`),
      alert,
    ).toContain(annotations['runbook']);
});

test('the dashboard asks for nothing but what /metrics tells, and shows all of it', async () => {
  const told = await measured();
  const text = readFileSync(join(projectFolder, 'examples/deploy/grafana.json'), 'utf8');
  const dashboard = JSON.parse(text) as Dashboard; // The dashboard is a file of this project.
  const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const chosen = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
  expect(asked.length).toBeGreaterThan(15);
  expect([...asked, ...chosen].flatMap((expr) => unmeasured(expr, told))).toEqual([]);
  const shown = asked.join('\n');
  // Only the rules watch how long answers to people take.
  const left = [...told.keys()].filter((name) => !shown.includes(name));
  expect(left).toEqual(['roomflow_http_request_duration']);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
}

/** Returns the metrics and labels of an expression that are not measured. */
function unmeasured(expr: string, told: Awaited<ReturnType<typeof measured>>): readonly string[] {
  return [...expr.matchAll(/(roomflow_\w+)(?:\{(\w+)=~?"([^"]*)"\})?/g)].flatMap(([, name = '', label, value = '']) => {
    const own = name.replace(/_(bucket|sum|count)$/, '');
    const labels = told.get(name) ?? told.get(own);
    if (labels === undefined) return [`${name} is measured nowhere`];
    const values = label === undefined ? null : labels.get(label);
    if (values === null) return [];
    const like = value.startsWith('$') ? /./ : new RegExp(`^${value}$`);
    return values?.some((one) => like.test(one)) === true ? [] : [`${name} has no ${label} like ${value}`];
  });
}

function rules(): readonly Alert[] {
  const text = readFileSync(join(projectFolder, 'examples/deploy/alerts.yaml'), 'utf8');
  const { groups } = parse(text) as { groups: readonly { rules: readonly Alert[] }[] }; // The rules are a file of this project.
  return groups.flatMap((group) => group.rules);
}

const turn: TurnTrace = {
  ...{ inferences: 1, transitions: 1, startedAt: 0, ms: 2_000, via: 'speech', outcome: 'answered', nodes: ['a', 'b'] },
  moments: { speechEnded: 0, requested: 400, firstToken: 700, firstAudio: 900, heard: 2_000 },
  spans: [
    { name: 'flow.commit', at: 0, ms: 4 },
    {
      name: 'chat',
      at: 400,
      ms: 400,
      use: 'reply',
      model: 'm',
      provider: 'p',
      tokens: { input: 9, output: 1, cached: 4 },
    },
    { name: 'execute_tool', at: 700, ms: 10, tool: 'book', state: 'failed' },
  ],
  ...{ tokens: { input: 9, output: 1, cached: 4 }, cost: 0.002, interruptions: 1 },
};

/** Returns the metrics of `/metrics` after an answer, an error and some turns, each with its labels and their values. */
async function measured(): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  // A new provider for each test: otherwise the first one of the process stays.
  openTelemetry.disable();
  const clock = createVirtualClock();
  const metrics = createHttpMetrics(createMemoryStore({ clock }), clock);
  for (const status of [200, 503]) metrics.request('GET', '/waits', status, 4);
  measureTurn({ flow: 'clinic', trace: turn });
  measureTurn({ flow: 'clinic', trace: { ...turn, outcome: 'failed', cost: null } });
  measureActiveCalls(() => 1);
  measureCall({ event: 'refused' });
  for (const event of ['started', 'resumed'] as const) measureCall({ event, flow: 'clinic' });
  measureCall({ event: 'ended', flow: 'clinic', outcome: 'booked', seconds: 90 });
  const text = await metrics.text();
  const names = [...text.matchAll(/^# TYPE (roomflow_\w+) /gm)].map(([, name = '']) => name);
  return new Map(
    names.map((name) => {
      const labels = new Map<string, string[]>();
      for (const [, set = ''] of text.matchAll(new RegExp(`^${name}\\w*\\{(.*)\\}`, 'gm')))
        for (const [, label = '', value = ''] of set.matchAll(/(\w+)="([^"]*)"/g))
          labels.set(label, [...(labels.get(label) ?? []), value]);
      return [name, labels] as const;
    }),
  );
}
