import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import * as clinic from '../../../flows/clinic-intake/tools.ts';
import { flowTool } from '../../../src/session/flow-tool.ts';
import { talk } from './talk.ts';

const scripts: string[][] = JSON.parse(readFileSync('/tmp/brain/scripts.json', 'utf8'));
test.each(scripts.map((s, i) => [i, s] as const))('%i', async (_i, lines) => {
  const run = clinic.createTools({ today: () => '2026-11-21' });
  const t = await talk({
    flow: 'flows/clinic-intake/flow.yaml',
    tools: Object.entries(clinic.toolArguments).map(([name, parameters]) => flowTool({ name, description: name, parameters, execute: run[name]! })),
    handlers: { ring: () => ({}), note_consent: () => ({}) },
  });
  const out = [`AGENT  ${t.heard[0]}`];
  for (const line of lines) {
    const before = t.calls.length;
    const answer = await t.say(line);
    out.push(`CALLER ${line}`, `       [${t.calls.slice(before).join(' | ')}] @${t.runner.currentNode}`, `AGENT  ${answer}`);
  }
  console.log(out.join('\n'));
}, 30000);
