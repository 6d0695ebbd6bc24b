import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { defineConfig } from 'roomflow';
import { createOfflineStt } from '../../src/offline/ears/offline-stt.ts';
import { createOfflineTts } from '../../src/offline/voice/offline-tts.ts';
import agent from './agent.config.ts';
import { ScriptedEars, takeWords } from './scripted-ears.ts';

const file = (name: string): string => join(env['TEST_CALL_FOLDER'] ?? '', name);

/** The clinic for the studio's voice tests. Files of a folder set how each call speaks and hears when it begins. */
export default defineConfig({
  ...agent,
  flows: {
    'clinic-intake': '../../flows/clinic-intake/flow.yaml',
    // A short call. `demo.test.ts` has a whole intake by voice. LiveKit counts four syllables a second as heard, however slow the voice
    // is, so the first line is long enough to have an unheard part half a minute later.
    brief: {
      name: 'brief',
      initialNode: 'greet',
      roleMessages: [{ role: 'system', content: 'You answer the phone of a clinic.' }],
      slots: { full_name: { type: 'name', ask: 'May I have your full name?', confirm: 'readback' } },
      nodes: {
        greet: {
          say: [
            'Hi, this is Harbour Clinic, on the second floor of the old mill beside the river.',
            'We are open from eight in the morning until six in the evening, Monday to Friday, and on Saturday until noon.',
            'In an emergency at night, please call the hospital instead of us.',
            'Before you can see a doctor, I need your name. Shall we start?',
          ].join(' '),
          functions: [{ name: 'start', description: 'The caller agrees to start.', transitionTo: 'details' }],
        },
        details: { collect: ['full_name'], defaultTransition: 'done' },
        done: { say: 'Thank you, {{ full_name }}. Goodbye!', end: 'noted' },
      },
    },
    // Continues whatever is heard.
    agreeable: {
      name: 'agreeable',
      initialNode: 'ask',
      onTrouble: 'ask',
      // A caller who has muted the microphone stays in the call, also on a busy machine.
      ladder: { noInputMs: 120_000 },
      nodes: {
        ask: { say: 'Shall we go on?', defaultTransition: 'more' },
        more: { say: 'Good. Shall we go on?', defaultTransition: 'ask' },
      },
    },
  },
  initialFlow: 'clinic-intake',
  models: {
    ...agent.models,
    stt: () =>
      readFileSync(file('ears'), 'utf8') === 'real'
        ? createOfflineStt()
        : new ScriptedEars(() => takeWords(file('said'))),
    tts: () => createOfflineTts({ pace: Number(readFileSync(file('pace'), 'utf8')) }),
  },
});
