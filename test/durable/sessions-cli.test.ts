import { describe, expect, it } from 'vitest';
import { folderOf, roomflow, roomflowHere } from '../cli/run-cli.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const flow = `name: two
initial_node: details
slots:
  full_name: { type: name, ask: What is your name?, pii: true }
  day: { type: date, ask: Which day? }
nodes:
  details:
    collect: [full_name, day]
    functions: [{ name: look_up, description: Look something up., transition_to: details }]
    default_transition: done
  done: { say: "Thank you, {{ full_name }}.", end: done }
`;
/** It registers nothing of what the flow names: that is only pretended. */
const config = `export default { prompt: 'Answer.' };`;

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'a conversation in the terminal under an id', () => {
  it('goes on where it was left, and can be listed, shown, exported and replayed', { timeout: 240_000 }, async () => {
    const folder = folderOf({
      'agent.config.ts': config,
      'flow.yaml': flow,
      'changed.yaml': flow.replace('Which day', 'What day'),
    });
    const store = { ROOMFLOW_STORE: 'sqlite:a.db' };
    const run = (args: readonly string[]) => roomflowHere(args, '', folder, store);
    const agentLines = (out: string): string[] => out.split('\n').filter((line) => line.startsWith('agent'));

    expect(await run(['sessions'])).toMatchObject({ code: 2, errors: expect.stringContaining('store-absent') });
    const chat = ['chat', '--flow', 'flow.yaml', '--session', 's1'];
    const first = await roomflow(chat, 'Maria Delgado.\n', folder, store);
    expect(agentLines(first.out)).toEqual(['agent  What is your name?', 'agent  Which day?']);
    const second = await roomflow(['resume', 's1', '--flow', 'flow.yaml'], 'December first.\n', folder, store);
    expect(agentLines(second.out)).toEqual([
      'agent  Sorry, I was gone for a moment.',
      'agent  Which day?',
      'agent  Thank you, Maria Delgado.',
    ]);
    expect(await run(chat)).toMatchObject({ code: 2, errors: expect.stringContaining('session-over') });

    expect(await run(['resume', 'nobody'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('session-unknown'),
    });

    const list = await run(['sessions']);
    const show = await run(['show', 's1']);
    const exported = await run(['export', 's1']);
    const replayed = await run(['replay', 's1']);
    const against = await run(['replay', 's1', '--against', 'changed.yaml']);
    const nobody = await run(['show', 'nobody']);
    const revealed = await run(['show', 's1', '--reveal', '--events', '1']);
    const whole = await run(['export', 's1', '--reveal']);
    expect(list.out).toMatch(/^s1 {2}\d{4}-.* {2}ended {2}two @ done {2}\d+ signals\n$/);
    expect(show.out).toContain('full_name = "[personal]"');
    expect(show.out).toContain('day = "2026-12-01"');
    expect(show.out).toMatch(/ {2}transition:taken {2}@details .*to="done"/);
    expect(revealed.out).toContain('full_name = "Maria Delgado"');
    expect(revealed.out.match(/T\d\d:\d\d:/g)).toHaveLength(1);
    for (const word of ['Maria', 'Delgado', 'December']) {
      expect(exported.out).not.toContain(word);
      expect(whole.out).toContain(word);
    }
    expect(JSON.parse(exported.out)).toMatchObject({ snapshot: { sessionId: 's1' }, flow: { name: 'two' } });
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining('fold to the kept state') });
    expect(against).toMatchObject({ code: 1, out: expect.stringMatching(/^They part ways at signal \d+/) });
    expect(nobody).toMatchObject({ code: 2, errors: expect.stringContaining('session-unknown') });
  });
});
