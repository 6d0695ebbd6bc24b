import { expect, it, onTestFinished } from 'vitest';
import config, { clock, journal } from '../../examples/hooks.ts';
import { agentOptions } from '../../src/config/config.ts';
import { live } from '../livekit/live.ts';

it('an agent with all three hooks: they skip the model, route, replace what was promised, and keep a journal', async () => {
  const { hour } = clock;
  onTestFinished(() => void (clock.hour = hour));
  clock.hour = () => 10;
  const script = {
    classic: [
      { afterTool: 'price_of', text: '{"reply": "That is 15 euros.", "topic": "repair"}' },
      { when: 'tyre', calls: [{ name: 'price_of', arguments: { repair: 'tyre' } }] },
      { text: '{"reply": "We do that for free.", "topic": "other"}' },
    ],
    number: [
      { when: '555', calls: [{ name: 'record', arguments: { phone: '+1 415 555 0123' } }] },
      { text: 'Of course.' },
    ],
  };
  const { runner, heard, model } = await live(null, script, { ...agentOptions(config), sessionId: 'call-1' });

  await runner.send('What does a new tyre cost?');
  await runner.send('And a bell?');
  clock.hour = () => 20;
  await runner.send('Are you there?');
  await runner.send('Please call me back.');
  await runner.send('+1 415 555 0123');
  await runner.stop();

  const said = [
    'That is 15 euros.',
    'I will ask the workshop what that costs.',
    'We are open from nine to five.',
    'Of course. Under which number can we call you back?',
    'We will call you back.',
  ];
  expect(heard).toEqual(said);
  expect(model.requests.filter(({ node }) => node === 'classic')).toHaveLength(3);
  expect(model.requests[0]?.instructions).toContain('the telephone of Wheel Works');
  expect(journal.map(({ reply }) => reply)).toEqual(said);
  expect(journal.map(({ source }) => source)).toEqual(['classic', 'classic', 'short_circuit', 'flow', 'flow']);
  expect(journal[0]).toMatchObject({ caller: 'call-1', topic: 'repair' });
});
