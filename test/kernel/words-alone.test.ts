import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const pay = { name: 'pay', handler: 'pay', effect: 'write' as const, confirm: 'Shall I pay?', transitionTo: 'done' };
const later = { name: 'later', description: 'The caller wants to pay later.', transitionTo: 'done' };
const flow: ConversationFlow = {
  initialNode: 'pay',
  nodes: {
    pay: { taskMessages: task, functions: [pay, later] },
    bound: { taskMessages: task, call: 'pay', functions: [pay, later] },
    chat: { taskMessages: task, functions: [later] },
    done: { say: 'It is done.', end: 'done' },
  },
};

function talk(initialNode: string) {
  const graph = graphOf({ ...flow, initialNode }, ['pay']);
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    /** The model only talks. */
    talks(text: string): readonly string[] {
      call.batch([], text, { asks: text.endsWith('?') });
      return call.outcome;
    },
  });
}

test('a model that asks nothing where a yes is needed is asked once more, and then the caller is', () => {
  const call = talk('pay');
  expect(call.talks('I see.')).toEqual(['reply pay']);
  expect(call.talks('All right.')).toEqual([expect.stringMatching(/^say: .+\?$/)]);
  expect(call.says('I have money')).toEqual(['reply pay']);
  const [line] = call.talks('I see.');
  expect(line).toMatch(/^say: .+\?$/);
  call.says('well');
  expect(call.talks('I see.')).not.toEqual([line]);
});

test('and its own question stands', () => {
  const call = talk('pay');
  expect(call.talks('Would you like to pay now?')).toEqual([]);
});

test('the call that a node makes itself is asked about again once the caller has spoken since their no', () => {
  const call = talk('bound');
  const asked = (): readonly string[] => {
    const [open] = Object.values(call.state.effects).filter(({ kind }) => kind === 'tool');
    call.settleTool(open?.key ?? '', { state: 'waiting' });
    return call.outcome;
  };
  expect(asked()).toEqual(['wait: Shall I pay?']);
  expect(call.says('no')).toEqual(['reply bound']);
  expect(call.talks('Alright.')).toEqual([expect.stringMatching(/^say: What .+\?$/)]);
  expect(call.says('nothing comes to my mind')).toEqual(['reply bound']);
  expect(call.talks('I see.')).toEqual(['tool pay']);
  expect(asked()).toEqual(['wait: Shall I pay?']);
});

test('after the yes the model’s talk is the conversation again', () => {
  const call = talk('pay');
  call.batch([{ name: 'pay', state: 'waiting' }]);
  call.says('yes');
  const [open] = Object.values(call.state.effects).filter(({ kind }) => kind === 'tool');
  call.settleTool(open?.key ?? '', { state: 'failed' });
  expect(call.outcome).toEqual(['reply pay']);
  expect(call.talks('It did not work.')).toEqual([]);
});

test('where no yes is needed, the model’s talk is the conversation', () => {
  expect(talk('chat').talks('It rains.')).toEqual([]);
});

describe('a word that is not introduced as a name', () => {
  const asks = {
    en: ['What is your name?', 'What kind of visit is it?', 'Which day?', 'How many people?', 'Why do you call?'],
    de: [
      'Wie ist Ihr Name?',
      'Welche Art von Termin ist es?',
      'Welcher Tag?',
      'Wie viele Personen?',
      'Was ist der Grund?',
    ],
    fr: [
      'Quel est votre nom ?',
      'Quel type de visite ?',
      'Quel jour ?',
      'Combien de personnes ?',
      'Quelle est la raison ?',
    ],
    es: ['¿Cómo se llama?', '¿Qué tipo de cita es?', '¿Qué día?', '¿Cuántas personas?', '¿Cuál es el motivo?'],
    pt: ['Qual é o seu nome?', 'Que tipo de consulta é?', 'Que dia?', 'Quantas pessoas?', 'Qual é o motivo?'],
  } as const;
  const other = {
    en: ["No, it's Allergy.", 'No, Allergy.', 'No, People.'],
    de: ['Nein, es ist Allergie.', 'Nein, Allergie.', 'Nein, der Grund.', 'Nein, Personen.'],
    fr: ["Non, c'est Allergie.", 'Non, Allergie.', 'Non, la Raison.', 'Non, Personnes.'],
    es: ['No, es Alergia.', 'No, Alergia.', 'No, el Motivo.', 'No, Personas.'],
    pt: ['Não, é Alergia.', 'Não, Alergia.', 'Não, o Motivo.', 'Não, Pessoas.'],
  } as const;
  const kinds = {
    en: ['Name.', 'My Name.', 'Number', 'Day', "It's Friday."],
    de: ['Name.', 'Mein Name.', 'Nummer', 'Tag', 'Termin.', 'Das ist Freitag.'],
    fr: ['Nom.', 'Mon Nom.', 'Numéro', 'Jour', 'Rendez-vous.', "C'est Vendredi."],
    es: ['Nombre.', 'Mi Nombre.', 'Número', 'Día', 'Cita.', 'Es Viernes.'],
    pt: ['Nome.', 'Meu Nome.', 'Número', 'Dia', 'Consulta.', 'É Sexta.'],
  } as const;
  const each = Object.keys(asks) as (keyof typeof asks)[];
  const answers = (language: keyof typeof asks, asked: string, text: string) => {
    const [name, kind, day, people, reason] = asks[language];
    const slots: ConversationFlow['slots'] = {
      caller: { type: 'name', ask: name },
      kind: { type: 'enum', values: ['first', 'control'], ask: kind },
      day: { type: 'date', ask: day, after: 'today' },
      people: { type: 'integer', ask: people },
      reason: { type: 'text', ask: reason },
    };
    const collect = asked === 'caller' ? ['caller'] : ['caller', asked];
    const nodes = { ask: { collect, defaultTransition: 'done' }, done: { say: '.', end: 'done' } };
    const call = conversation(graphOf({ language, initialNode: 'ask', slots, nodes }));
    call.start();
    if (asked !== 'caller') {
      call.turn('x');
      const readings = { caller: { grounded: true } };
      call.batch([{ name: 'record', arguments: { caller: 'Anna Berg' }, readings }]);
    }
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: 'words', text, via: 'text', utterance });
    if (call.effects.some(({ kind: effect }) => effect === 'reply')) call.batch([], '.', { asks: false });
    return call.state.knowledge.slots['caller'];
  };

  test.each(each)('does not correct the name at a question for something else: %s', (language) => {
    for (const asked of ['kind', 'day', 'people', 'reason'])
      for (const text of other[language]) {
        const known = answers(language, asked, text);
        expect([asked, text, known?.value, known?.proposed]).toEqual([asked, text, 'Anna Berg', undefined]);
      }
  });

  test.each(each)('is not a name if it says what questions ask for: %s', (language) => {
    for (const text of kinds[language]) expect([text, answers(language, 'caller', text)]).toEqual([text, undefined]);
  });

  test.each([
    ['en', 'Ann Young'],
    ['de', 'Mein Name ist Freitag.'],
    ['de', 'Ich heiße Grund'],
    ['de', 'Anna Grund'],
    ['fr', "C'est Martin."],
    ['es', 'Me llamo Rosa.'],
    ['pt', 'Rosa'],
  ] as const)('a name is still one: %s, %s', (language, text) => {
    expect(answers(language, 'caller', text)).toBeDefined();
  });
});
