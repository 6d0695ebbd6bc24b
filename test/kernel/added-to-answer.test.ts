import { describe, expect, test } from 'vitest';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const languages = {
  en: {
    ask: [
      'Which day?',
      'How many people?',
      'At what time?',
      'Shall I book {{ day }} for {{ guests }}?',
      'Shall I book it?',
    ],
    three: ['yes, but there are three of us', 'Yes, there are three of us.', 'No, but there are three of us.'],
    time: 'yes and at eight in the evening please',
    open: ['yes, but not on Friday', 'Yes, but only if there are three of us.', 'three', 'yes, but three'],
  },
  de: {
    ask: [
      'Welcher Tag?',
      'Wie viele Personen?',
      'Um wie viel Uhr?',
      'Soll ich {{ day }} für {{ guests }} buchen?',
      'Soll ich buchen?',
    ],
    three: ['ja, aber wir sind drei', 'Ja, wir sind drei.', 'Nein, aber wir sind drei.'],
    time: 'ja und um acht Uhr abends bitte',
    open: ['ja, aber nicht am Freitag', 'Ja, aber nur wenn wir drei sind.', 'drei', 'ja, aber drei'],
  },
  fr: {
    ask: [
      'Quel jour ?',
      'Combien de personnes ?',
      'À quelle heure ?',
      'Je réserve {{ day }} pour {{ guests }} ?',
      'Je réserve ?',
    ],
    three: ['oui, mais nous sommes trois', 'Oui, nous sommes trois.', 'Non, mais nous sommes trois.'],
    time: 'oui et à huit heures du soir',
    open: ['oui, mais pas vendredi', 'Oui, mais seulement si nous sommes trois.', 'trois', 'oui, mais trois'],
  },
  es: {
    ask: ['¿Qué día?', '¿Cuántas personas?', '¿A qué hora?', '¿Reservo {{ day }} para {{ guests }}?', '¿Reservo?'],
    three: ['sí, pero somos tres', 'Sí, somos tres.', 'No, pero somos tres.'],
    time: 'sí y a las ocho de la tarde',
    open: ['sí, pero no el viernes', 'Sí, pero solo si somos tres.', 'tres', 'sí, pero tres'],
  },
  pt: {
    ask: ['Que dia?', 'Quantas pessoas?', 'A que horas?', 'Reservo {{ day }} para {{ guests }}?', 'Reservo?'],
    three: ['sim, mas somos três', 'Sim, somos três.', 'Não, mas somos três.'],
    time: 'sim e às oito da noite',
    open: ['sim, mas não na sexta', 'Sim, mas só se formos três.', 'três', 'sim, mas três'],
  },
} as const;

type Language = keyof typeof languages;
const each = Object.keys(languages) as Language[];
const said = { grounded: true };
const friday = '2026-11-27';

/** A booking on Friday; the day is read back or, with `confirm`, the write is agreed to. */
function booking(language: Language, guests: number | null, confirm: 'all' | 'less' | null = null) {
  const [day, people, at, whole, short] = languages[language].ask;
  const flow: ConversationFlow = {
    language,
    initialNode: 'details',
    slots: {
      day: { type: 'date', ask: day, after: 'today', ...(confirm === null ? { confirm: 'readback' } : {}) },
      guests: { type: 'integer', ask: people },
      at: { type: 'time', ask: at },
    },
    nodes: {
      details: {
        collect: confirm === null ? ['day', 'guests', 'at'] : ['day', 'guests'],
        defaultTransition: 'book',
      },
      book: {
        call: 'book',
        functions: [
          {
            name: 'book',
            effect: 'write',
            parameters: { type: 'object', properties: { day: { type: 'string' }, guests: { type: 'integer' } } },
            ...(confirm === null ? {} : { confirm: confirm === 'all' ? whole : short }),
            transitionTo: 'done',
          },
        ],
      },
      done: { say: '.', end: 'done' },
    },
  };
  const call = conversation(graphOf(flow, ['book']));
  call.start();
  call.turn('x');
  const more = guests === null ? {} : { guests };
  const readings = { day: said, ...(guests === null ? {} : { guests: said }) };
  call.batch([{ name: 'record', arguments: { day: friday, ...more }, readings }]);
  const [key = '', effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
  if (confirm !== null && effect?.kind === 'tool')
    call.batch([{ name: 'book', key, arguments: effect.payload.arguments, state: 'waiting' }], '', { reply: null });
  expect(call.outcome).toEqual([expect.stringMatching(/^wait: /)]);
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    // The model only talks.
    if (call.effects.some(({ kind }) => kind === 'reply')) call.batch([], '.', { asks: false });
  };
  return { call, says };
}

describe('a fact beside the answer to a read-back of another slot', () => {
  test.each(each)('is kept, known before or not, and the yes counts: %s', (language) => {
    const { three, ask } = languages[language];
    for (const words of three)
      for (const guests of [2, null]) {
        const { call, says } = booking(language, guests);
        says(words);
        expect([words, call.known]).toEqual([words, { day: friday, guests: 3 }]);
        const isNo = words === three[2];
        expect(call.state.knowledge.slots['day']?.confirmed).toBe(!isNo);
        expect(call.outcome).toEqual([isNo ? expect.stringMatching(/^say: .*\?$/) : `say: ${ask[2]}`]);
      }
  });

  test.each(each)('is kept if it answers a question that was not put yet: %s', (language) => {
    const { call, says } = booking(language, null);
    says(languages[language].time);
    expect(call.known).toEqual({ day: friday, at: '20:00' });
    expect(call.outcome).toEqual([`say: ${languages[language].ask[1]}`]);
  });

  test.each(each)('is a value only if the words say so: %s', (language) => {
    for (const words of languages[language].open) {
      const { call, says } = booking(language, 2);
      says(words);
      expect([words, call.known]).toEqual([words, { day: friday, guests: 2 }]);
      expect(call.state.knowledge.slots['day']?.confirmed).toBe(false);
    }
  });
});

describe('a fact beside the answer to a question about a write', () => {
  test.each(each)('corrects the call, and does not agree to it: %s', (language) => {
    for (const words of languages[language].three)
      for (const confirm of ['all', 'less'] as const) {
        const { call, says } = booking(language, 2, confirm);
        const before = call.outcome;
        says(words);
        expect([words, call.known]).toEqual([words, { day: friday, guests: 3 }]);
        expect(call.outcome).toEqual([expect.stringMatching(/\?$/)]);
        if (confirm === 'all') expect(call.outcome).not.toEqual(before);
        expect(Object.values(call.state.effects).some(({ kind }) => kind === 'tool')).toBe(false);
      }
  });

  test.each(each)('is kept also if the model takes the words for a yes: %s', (language) => {
    const { call } = booking(language, 2, 'all');
    const text = languages[language].three[0];
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: 'ev', text, via: 'text', utterance });
    if (call.effects.some(({ kind }) => kind === 'reply'))
      call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.known).toMatchObject({ guests: 3 });
    expect(Object.values(call.state.effects).some(({ kind }) => kind === 'tool')).toBe(false);
  });
});
