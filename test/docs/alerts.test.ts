import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
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
  const used = alerts.flatMap(({ expr }) =>
    [...expr.matchAll(/(roomflow_\w+)(?:\{(\w+)=~?"([^"]*)"\})?/g)].map(([, name = '', label, value = '']) => {
      const own = name.replace(/_(bucket|sum|count)$/, '');
      const labels = told.get(name) ?? told.get(own);
      if (labels === undefined) return `${name} is measured nowhere`;
      if (label === undefined) return null;
      const values = labels.get(label) ?? [];
      return values.some((one) => new RegExp(`^${value}$`).test(one)) ? null : `${name} has no ${label} like ${value}`;
    }),
  );
  expect(used.filter((problem) => problem !== null)).toEqual([]);

  const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  for (const { alert, annotations } of alerts)
    expect(
      headings.map((heading) => `docs/runbook.md#${heading}`),
      alert,
    ).toContain(annotations['runbook']);
});

function rules(): readonly Alert[] {
  const text = readFileSync(join(projectFolder, 'docs/alerts.yaml'), 'utf8');
  const { groups } = parse(text) as { groups: readonly { rules: readonly Alert[] }[] }; // This project's own.
  return groups.flatMap((group) => group.rules);
}

/** What `/metrics` tells after an answer and an error: each metric with its labels and their values. */
async function measured(): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  const clock = createVirtualClock();
  const metrics = createHttpMetrics(createMemoryStore({ clock }), clock);
  for (const status of [200, 503]) metrics.request('GET', '/waits', status, 4);
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
