import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { voice } from '@livekit/agents';
import { z } from 'zod';
import { checkFlow } from '../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../src/flow/nodes/builtin.ts';
import { createRunner } from '../src/runner/flow-runner.ts';
import { OfflineBrain } from '../src/offline/brain/offline-brain.ts';
import { flowTool } from '../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../src/system.ts';
import { createTextSession } from '../src/livekit/agent/text-session.ts';
import { folderOf } from './cli/run-cli.ts';
import { otherDays, type OtherDay, shownDay, withoutDates } from './docs/other-days.ts';
import { handwrittenPages } from './docs/pages.ts';

const blocksOf = (page: string) => handwrittenPages().find(({ path }) => path === page)?.blocks ?? [];
const blocks = blocksOf('README.md');
const tutorial = blocksOf('docs/tutorial.md');
const flow = blocks.find(({ language }) => language === 'yaml')?.text ?? '';
const conversation = blocks.find(({ text }) => text.startsWith('agent  '))?.text ?? '';

describe('the first page', () => {
  it('shows a flow that has nothing to warn about', () => {
    const { graph, diagnostics } = checkFlow(flow, { catalog: builtinCatalog, functions: new Set(['book_service']) });
    expect(diagnostics).toEqual([]);
    expect(graph?.name).toBe('bike-service');
  });

  it.each([shownDay, ...otherDays].map((day) => [day.name, day] as const))(
    'shows the conversation that this flow really makes, on %s',
    async (_name, day) => {
      const { heard, booked, outcome } = await played(conversation, day);
      expect(outcome).toBe('booked');
      const told = heard.map((line) => withoutDates(line, day));
      expect(told).toEqual(withoutDates(conversation, shownDay).trim().split('\n'));
      expect(booked).toEqual([heard.at(-1)?.match(/(\w+ \d+), Ada/)?.[1]]);
      if (day === shownDay) expect(heard).toEqual(conversation.trim().split('\n'));
    },
  );

  it('has at most 900 words', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
  });
});

describe('the tutorial', () => {
  it('runs the flow of the first page', () => {
    expect(tutorial.find(({ file }) => file === 'bike.yaml')?.text).toBe(flow);
  });

  it('shows the lines that put a flow on an existing session, and they run', async () => {
    const example = readFileSync(new URL('../examples/existing-session.ts', import.meta.url), 'utf8');
    expect(tutorial.find(({ file }) => file === 'booking.ts')?.text).toBe(example);
    const { talk } = await import('../examples/existing-session.ts');
    const session = createTextSession(new OfflineBrain());
    onTestFinished(() => session.close());
    const heard: string[] = [];
    session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === 'message' && item.role === 'assistant') heard.push(item.textContent ?? '');
    });
    const ended = talk(session, flow);
    await heardOf(() => heard.length > 0);
    session.generateReply({ userInput: 'no thank you' });
    expect(await ended).toBe('declined');
    expect(heard.at(-1)).toBe('Alright. Goodbye.');
  });
});

describe('the release check', () => {
  const readme = 'See [the guide](docs/guide.md#start) and [npm](https://npmjs.com).\n\n![A call](docs/call.png)\n';
  const files = { 'README.md': readme, 'docs/guide.md': '', 'docs/call.png': '' };
  const addresses = {
    repository: { type: 'git', url: 'git+https://github.com/owner/name.git' },
    homepage: 'https://example.org',
    bugs: { url: 'https://example.org/bugs' },
  };

  it('refuses each package of this project until its addresses are set', () => {
    for (const name of ['', 'packages/claude', 'packages/dbos', 'packages/graphile-worker']) {
      const folder = new URL(`../${name}/`, import.meta.url).pathname;
      const manifest = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as Manifest; // The manifest of this project.
      const unset = Object.keys(addresses).filter((field) => !Object.hasOwn(manifest, field));
      const { status, errors } = releaseCheck(folder);
      expect([name, status]).toEqual([name, unset.length === 0 ? 0 : 1]);
      for (const field of unset) expect(errors).toContain(`${manifest.name}: package.json has no "${field}"`);
      expect(manifest.scripts['prepublishOnly']).toMatch(/release-check\.mjs$/);
    }
  });

  it('names each link and picture that a registry cannot resolve', () => {
    const check = (manifest: object, more: Readonly<Record<string, string>> = {}): string =>
      releaseCheck(folderOf({ ...files, 'package.json': JSON.stringify({ name: 'p', ...manifest }), ...more })).errors;
    expect(check(addresses)).toBe('');
    expect(check({ ...addresses, repository: 'owner/name' })).toBe('');
    const elsewhere = check({ ...addresses, repository: 'https://git.example.org/name' });
    expect(elsewhere).toContain("README.md:1: docs/guide.md#start breaks on a registry's page.");
    expect(elsewhere).toContain("README.md:3: docs/call.png breaks on a registry's page.");
    expect(elsewhere).not.toContain('npmjs.com');
    expect(check(addresses, { 'README.md': '<img src="docs/none.png">' })).toContain(
      'README.md:1: docs/none.png leads to a file that does not exist.',
    );
    expect(check({ ...addresses, bugs: '' })).toContain('package.json has no "bugs"');
  });
});

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
}

function releaseCheck(cwd: string): { readonly status: number | null; readonly errors: string } {
  const script = new URL('../.ci/release-check.mjs', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd, encoding: 'utf8' });
  return { status, errors: stderr };
}

/** Plays a caller's words in a conversation on a day. `booked` contains the booked days as they are spoken. */
async function played(script: string, { now, zone }: OtherDay) {
  const booked: string[] = [];
  const tool = flowTool({
    name: 'book_service',
    description: 'Book the service.',
    parameters: z.object({ day: z.string() }),
    execute: ({ day }) => {
      booked.push(new Date(day).toLocaleDateString('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }));
    },
  });
  const session = createTextSession(new OfflineBrain());
  const clock = { ...systemClock, now: () => now };
  const runner = createRunner({ session, flow, tools: [tool], timeZone: zone, clock });
  onTestFinished(async () => {
    await runner.stop();
    await session.close();
  });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(`agent  ${text}`));
  await runner.start();
  await runner.idle();
  for (const line of script.split('\n').filter((one) => one.startsWith('you'))) {
    heard.push(line);
    await runner.send(line.slice('you    '.length));
  }
  return { heard, booked, outcome: await runner.ended };
}

async function heardOf(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
