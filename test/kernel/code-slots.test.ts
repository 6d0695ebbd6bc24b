import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { readSlot } from '../../src/engine/words/read-slot.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

function heardIn(language: string, more: object = {}) {
  const flow: ConversationFlow = {
    language,
    initialNode: 'details',
    slots: {
      booking: { type: 'code', ask: 'Code?', confirm: 'readback', ...more },
      day: { type: 'date', ask: 'Day?', after: 'today' },
    },
    nodes: { details: { collect: ['booking', 'day'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
  };
  const call = conversation(graphOf(flow));
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    /** The model has nothing to say. */
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.turn(text, undefined, utterance);
      if (call.outcome.some((one) => one.startsWith('reply'))) call.failReply('empty');
      return call.outcome;
    },
  });
}

const sure = {
  en: 'is that right?',
  de: 'ist das richtig?',
  fr: "c'est bien ça ?",
  es: '¿es correcto?',
  pt: 'está certo?',
};

describe.each([
  ['en', 'A as in Alpha, B for boy, one two, double three', 'no, A B 1 2 3 4', 'yes'],
  ['de', 'A wie Anton, Berta, zwölf, doppel drei', 'nein, A B 1 2 3 4', 'ja'],
  ['fr', 'A comme Anatole, Berthe, douze, double trois', 'non, A B 1 2 3 4', 'oui'],
  ['es', 'A de Antonio, B de Barcelona, doce, doble tres', 'no, A B 1 2 3 4', 'sí'],
  ['pt', 'A de Aveiro, B de Braga, doze, duas vezes três', 'não, A B 1 2 3 4', 'sim'],
] as const)('a spelled code (%s)', (language, spelled, corrected, yes) => {
  test('is read back in groups without the model, and kept after a yes', () => {
    const call = heardIn(language);
    expect(call.says(spelled)).toEqual([`wait: A B, 1 2 3 3, ${sure[language]}`]);
    expect(call.says(yes)).toEqual(['say: Day?']);
    expect(call.known).toEqual({ booking: 'AB1233' });
  });

  test('is corrected by the words beside a no, and read back again', () => {
    const call = heardIn(language);
    call.says(spelled);
    expect(call.says(corrected).at(-1)).toContain('A B, 1 2 3 4');
    call.says(yes);
    expect(call.known).toEqual({ booking: 'AB1234' });
  });

  test('is corrected at another question', () => {
    const call = heardIn(language);
    call.says(spelled);
    call.says(yes);
    call.says(corrected);
    expect(call.known).toEqual({ booking: 'AB1234' });
  });

  test('is not kept as the model invents it', () => {
    const call = heardIn(language, { confirm: undefined });
    call.says('hm');
    call.batch([{ name: 'record', arguments: { booking: 'ZZ9999' }, readings: { booking: { grounded: false } } }]);
    expect(call.outcome.at(-1)).toContain('Z Z, 9 9 9 9');
  });
});

test('a code that breaks its pattern is not taken, and the caller hears why', () => {
  const call = heardIn('en', { pattern: String.raw`[A-Z]{2}\d{4}` });
  expect(call.says('A B 1 2 3').at(-1)).toMatch(/Code\?$/);
  expect(call.known).toEqual({});
  const [booking] = call.graph.slots.values();
  if (booking === undefined) throw new Error('no slot');
  expect(readSlot(call.graph.reader, booking, 'ab-12 34', noonCivil)).toMatchObject({ ok: false });
  expect(readSlot(call.graph.reader, booking, 'AB-12 34', noonCivil)).toEqual({ ok: true, value: 'AB1234' });
});
