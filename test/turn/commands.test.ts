import { describe, expect, test } from 'vitest';
import { type CommandOutcome, type Commands, runCommand } from '../../src/engine/commands.ts';

const flows = new Set(['tutor', 'reminder']);

function run(text: string, commands: Commands = {}, activeFlow: string | null = null): Promise<CommandOutcome | null> {
  return runCommand(text, { sessionId: 's', activeFlow }, { commands, flows, onError: () => undefined });
}

describe('commands', () => {
  test('/flow NAME starts a flow, whatever its case and spaces around it', async () => {
    expect(await run('/flow tutor')).toEqual({ startFlow: 'tutor' });
    expect(await run('  /FLOW   tutor ')).toEqual({ startFlow: 'tutor' });
  });

  test('/flow with a name that no flow has says which there are', async () => {
    expect(await run('/flow toString')).toEqual({ say: 'There is no flow "toString". There are: tutor, reminder.' });
    expect(await run('/flow')).toEqual({ say: 'Say which flow. There are: tutor, reminder.' });
  });

  test('/flow stop ends the active flow, and says so where there is none', async () => {
    expect(await run('/flow stop', {}, 'tutor')).toEqual({ say: 'Flow "tutor" is stopped.', stopFlow: true });
    expect(await run('/flow stop')).toEqual({ say: 'No flow is active.' });
  });

  test('/flow status tells which flow is active', async () => {
    expect(await run('/flow status', {}, 'tutor')).toEqual({ say: 'Flow "tutor" is active.' });
    expect(await run('/flow status')).toEqual({ say: 'No flow is active.' });
  });

  test('each of them can be disabled, and is then words like any other', async () => {
    expect(await run('/flow tutor', { flow: false })).toBeNull();
    expect(await run('/flow tutor', { 'flow start': false })).toBeNull();
    expect(await run('/flow stop', { 'flow stop': false }, 'tutor')).toBeNull();
    expect(await run('/flow status', { 'flow status': false })).toBeNull();
    expect(await run('/flow status', { 'flow stop': false })).toEqual({ say: 'No flow is active.' });
  });

  test('own commands get what follows their name and who asks', async () => {
    const commands: Commands = { echo: (argument, { activeFlow }) => `${argument} in ${activeFlow}` };
    expect(await run('/echo one  two', commands, 'tutor')).toEqual({ say: 'one  two in tutor' });
  });

  test('an own command may start and stop flows, and may say nothing', async () => {
    expect(await run('/learn', { learn: () => ({ startFlow: 'tutor' }) })).toEqual({ startFlow: 'tutor' });
    expect(await run('/learn', { learn: () => ({ startFlow: 'no' }) })).toEqual({
      say: 'There is no flow "no". There are: tutor, reminder.',
    });
    expect(await run('/quiet', { quiet: () => undefined })).toEqual({});
  });

  test('an own command that throws is told, and the caller hears a line', async () => {
    const errors: unknown[] = [];
    const broken = new Error('broken');
    const options = {
      commands: { bad: () => Promise.reject(broken) },
      flows,
      onError: (one: unknown) => errors.push(one),
    };
    const outcome = await runCommand('/bad', { sessionId: 's', activeFlow: null }, options);
    expect(outcome).toEqual({ say: 'That command did not succeed.' });
    expect(errors).toEqual([broken]);
  });

  test('what is no command is words: speech, unknown names, a slash alone, a path, a member of every object', async () => {
    for (const text of ['flow tutor', '/unknown', '/', '/usr/bin', '/ flow tutor', '/constructor', '/__proto__'])
      expect(await run(text), text).toBeNull();
  });
});
