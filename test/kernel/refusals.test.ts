import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const pay = {
  name: 'pay',
  handler: 'pay',
  effect: 'write' as const,
  confirm: 'Shall I pay?',
  transitionTo: 'done',
};
const flow: ConversationFlow = {
  initialNode: 'pay',
  slots: {
    who: { type: 'name', ask: 'Who is calling?', confirm: 'readback' },
    day: { type: 'date', ask: 'Which day?' },
  },
  nodes: {
    pay: { taskMessages: task, functions: [pay] },
    led: { taskMessages: task, functions: [{ ...pay, onRefuse: 'led_back' }] },
    led_back: { taskMessages: task, functions: [{ name: 'back', transitionTo: 'led' }] },
    named: { taskMessages: task, functions: [pay], ladder: { onNoMatch: 'person' } },
    details: { collect: ['who', 'day'], defaultTransition: 'done' },
    greet: { say: 'Shall we start?', functions: [{ name: 'start', transitionTo: 'details' }] },
    person: { say: 'I am putting you through.', end: 'person' },
    done: { say: 'It is done.', end: 'done' },
  },
};

function talk(initialNode: string, more: Partial<ConversationFlow> = {}) {
  const graph = graphOf({ ...flow, ...more, initialNode }, ['pay']);
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    /** The model makes the call again. */
    calls(name: string, args = {}): readonly string[] {
      call.batch([{ name, arguments: args, state: name === 'pay' ? 'waiting' : 'done' }]);
      return call.outcome;
    },
  });
}

/** Refuses every question of a model that repeats its call whenever it may. Returns all lines. */
function refusals(call: ReturnType<typeof talk>): readonly string[] {
  const heard: string[] = [];
  for (let turn = 0; turn < 20 && call.state.status === 'active'; turn += 1) {
    const outcome = call.outcome.some((one) => one.startsWith('reply'))
      ? call.calls(call.state.position.node === 'led_back' ? 'back' : 'pay')
      : call.says('no');
    heard.push(...outcome);
  }
  return heard.filter((one) => !one.startsWith('reply'));
}

describe('a call that is refused again and again', () => {
  test('is asked about no more than three times, in no words twice in a row, and ends with an apology', () => {
    const heard = refusals(talk('pay'));
    expect(heard.filter((one) => one.includes('Shall I pay?'))).toHaveLength(3);
    expect(heard.filter((one, index) => one === heard[index - 1])).toEqual([]);
    expect(heard.at(-1)).toBe('end refused');
  });

  test.each<[string, Partial<ConversationFlow>]>([
    ['named', {}],
    ['pay', { onTrouble: 'person' }],
  ])('leads on where the author says (%s)', (node, more) => {
    expect(refusals(talk(node, more)).slice(-2)).toEqual(['say: I am putting you through.', 'end person']);
  });

  test('leads to `on_refuse`, and not round it for ever', () => {
    const heard = refusals(talk('led', { onTrouble: 'person' }));
    expect(heard.filter((one) => one.includes('Shall I pay?'))).toHaveLength(3);
    expect(heard.at(-1)).toBe('end person');
  });

  test('may be asked about as often as new facts are told', () => {
    const call = talk('pay');
    for (let day = 1; day <= 6; day += 1) {
      call.calls('pay');
      call.says('no');
      call.says('another day');
      call.calls('record', { day: `2026-12-0${day}` });
      expect(call.state.status).toBe('active');
    }
  });
});

test('a value that is refused again and again leads on as well', () => {
  const call = talk('details', { onTrouble: 'person' });
  const heard: string[] = [];
  while (call.state.status === 'active' && heard.length < 20) {
    call.says('Ada Park');
    if (call.state.knowledge.slots['who'] === undefined) call.calls('record', { who: 'Ada Park' });
    heard.push(...call.says('no'));
  }
  expect(heard.filter((one) => one === 'say: Who is calling?').length).toBeLessThan(3);
  expect(heard.at(-1)).toBe('end person');
});

test('a value that the caller said no to is read back where the model gives it again, found or not', () => {
  const call = talk('details', { slots: { ...flow.slots, who: { type: 'name', ask: 'Who is calling?' } } });
  call.turn('John');
  call.batch([{ name: 'record', arguments: { day: '2026-12-24' }, readings: { day: { grounded: false } } }]);
  call.calls('record', { who: 'Ada Park' });
  expect(call.outcome).toEqual([expect.stringMatching(/^wait: Day .+ right\?$/)]);
  expect(call.says('no')).toEqual(['say: Which day?']);
  call.says('Je ne comprends pas');
  call.batch([{ name: 'record', arguments: { day: '2026-12-24' }, readings: { day: { grounded: null } } }]);
  expect(call.outcome).toEqual([expect.stringMatching(/^wait: Day .+ right\?$/)]);
});

test('a question of a node’s own that is refused leads on after three times, whatever the model says', () => {
  const call = talk('greet', { onTrouble: 'person' });
  const heard: string[] = [];
  while (call.state.status === 'active' && heard.length < 20) {
    call.says('no');
    call.batch([], 'Alright.', { asks: false });
    heard.push(...call.outcome);
  }
  expect(heard).toEqual([
    expect.stringMatching(/Shall we start\?$/),
    expect.stringMatching(/Shall we start\?$/),
    'say: I am putting you through.',
    'end person',
  ]);
});

describe('a read-back before a catalog node, which has no model', () => {
  const go = {
    name: 'go',
    parameters: { type: 'object' as const, properties: { size: { type: 'string' }, wish: { type: 'string' } } },
    transitionTo: 'write',
  };
  const atReadBack = (known: Readonly<Record<string, string>> = {}) => {
    const call = conversation(
      graphOf({
        initialNode: 'desk',
        slots: {
          size: { type: 'enum', ask: 'Which size?', values: ['small', 'large'] },
          wish: { type: 'text', ask: 'What do you wish for?' },
        },
        nodes: {
          desk: { taskMessages: [{ role: 'system', content: 'Help.' }], functions: [go] },
          write: { type: 'data.json.stringify', input: { value: '{{ size }}' }, defaultTransition: 'bye' },
          bye: { say: 'Size {{ size }}.', end: true },
        },
      }),
    );
    const says = (text: string): readonly string[] => {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    };
    call.start();
    says('For a whole family');
    const readings = { size: { grounded: false }, wish: { grounded: false } };
    call.batch([{ name: 'go', arguments: { size: 'large', ...known }, readings }]);
    return { call, says };
  };

  test.each(['No, that is far too big for me.', 'not for that money', 'No.'])('is refused by %j', (words) => {
    const { call, says } = atReadBack();
    expect(call.outcome).toEqual(['wait: Size large, is that right?']);
    expect(call.state.position.node).toBe('write');
    expect(says(words)).toEqual(['say: Which size?']);
    expect(call.known).toEqual({});
    expect(says('What do you have?')).toEqual([expect.stringMatching(/^say: .*Which size\?$/)]);
    expect(says('a small one')).toEqual(['say: Size small.', 'end completed']);
  });

  test('a refused value that the node does not use is not asked for', () => {
    const { call, says } = atReadBack({ wish: 'a view' });
    expect(says('Yes.')).toEqual(['wait: Wish a view, is that right?']);
    expect(says('No.')).toEqual(['say: Size large.', 'end completed']);
    expect(call.known).toEqual({ size: 'large' });
  });

  test.each(['No, why?', "I can't hear you, hello."])('stays open after %j', (words) => {
    const { says } = atReadBack();
    expect(says(words)).toEqual([expect.stringMatching(/^say: .*Size large, is that right\?$/)]);
  });
});

const questions = {
  en: 'Shall I pay the bill now?',
  de: 'Soll ich die Rechnung jetzt bezahlen?',
  fr: 'Est-ce que je paie la facture maintenant ?',
  es: '¿Pago la factura ahora?',
  pt: 'Pago a fatura agora?',
};

describe.each([
  [
    'en',
    ['Nothing against it.', 'I have no objection.', 'No idea.', "I can't hear you.", 'Not bad.', 'There is no hurry.'],
    ['No, that is too much.', 'No.', 'I would rather not.'],
  ],
  [
    'de',
    ['Keine Ahnung.', 'Ich habe nichts dagegen.', 'Ich höre Sie nicht.', 'Keine Einwände.', 'Nicht schlecht.'],
    ['Nein, das ist zu viel.', 'Nein.', 'Lieber nicht.'],
  ],
  [
    'fr',
    ['Aucune idée.', "Je n'ai rien contre.", 'Je ne vous entends pas.', 'Pas mal.', 'Aucune objection.'],
    ["Non, c'est trop.", 'Non.', 'Plutôt pas.'],
  ],
  [
    'es',
    ['No le oigo.', 'Ni idea.', 'No tengo nada en contra.', 'No entiendo.', 'No hay objeción.'],
    ['No, es demasiado.', 'No.', 'Mejor no.'],
  ],
  [
    'pt',
    ['Não há problema.', 'Não entendi.', 'Não estou a ouvir.', 'Não faço ideia.', 'Nada contra.'],
    ['Não, é demais.', 'Não.', 'Melhor não.'],
  ],
] as const)('at a write, in %s, with a model that only talks', (language, open, refusing) => {
  const answered = (words: string): readonly unknown[] => {
    const call = talk('pay', {
      language,
      nodes: { ...flow.nodes, pay: { taskMessages: task, functions: [{ ...pay, confirm: questions[language] }] } },
    });
    call.calls('pay');
    call.says(words);
    if (call.outcome.some((one) => one.startsWith('reply'))) call.batch([], 'Okay.', { asks: false });
    return call.log.length > 0 && call.state.dialogue.refused.length > 0 ? ['no'] : [];
  };

  test.each(open)('%j does not refuse', (words) => expect(answered(words)).toEqual([]));
  test.each(refusing)('%j refuses', (words) => expect(answered(words)).toEqual(['no']));
});

test.each([
  [
    'en',
    'Shall I pay on {{ day }}?',
    ['Yes, the second.', 'Yes, on Wednesday.', 'Yes but the second'],
    'Yes, my husband wants it.',
  ],
  ['de', 'Soll ich am {{ day }} bezahlen?', ['Ja, am zweiten.', 'Ja, am Mittwoch.'], 'Ja, das passt uns gut.'],
  ['fr', 'Est-ce que je paie le {{ day }} ?', ['Oui, le deux.', 'Oui, mercredi.'], 'Oui, cela nous arrange bien.'],
  ['es', '¿Pago el {{ day }}?', ['Sí, el dos.', 'Sí, el miércoles.'], 'Sí, nos viene muy bien.'],
  ['pt', 'Pago no dia {{ day }}?', ['Sim, no dia dois.', 'Sim, na quarta-feira.'], 'Sim, isso convém-nos.'],
])(
  'a yes with another value is not consent, even if the model takes it for one: %s',
  (language, confirm, other, agrees) => {
    const answered = (words: string): readonly unknown[] => {
      const call = talk('pay', {
        language,
        slots: { ...flow.slots, day: { type: 'date', ask: 'Which day?', after: 'today' } },
        nodes: { ...flow.nodes, pay: { taskMessages: task, functions: [{ ...pay, confirm }] } },
      });
      call.batch([
        { name: 'record', arguments: { day: '2026-12-01' } },
        { name: 'pay', state: 'waiting' },
      ]);
      call.says(words);
      if (call.outcome.some((one) => one.startsWith('reply')))
        call.batch([{ name: 'answer', arguments: { agrees: true } }], 'Okay.', { asks: false });
      return call.outcome;
    };
    for (const words of other) expect(answered(words), words).not.toContain('tool pay');
    expect(answered(agrees), agrees).toContain('tool pay');
  },
);

test('a question of interrupt.confirm is refused by a no with words, which are the comment', () => {
  const graph = graphOf({
    initialNode: 'sure',
    nodes: {
      sure: {
        type: 'interrupt.confirm',
        input: { question: 'It costs 9 euros. Is that all right?' },
        defaultTransition: 'bye',
      },
      bye: { say: 'Goodbye.', end: true },
    },
  });
  const call = conversation(graph);
  const says = (text: string): readonly string[] => {
    call.turn(text, undefined, readUtterance({ graph, state: call.state, civil: noonCivil }, text));
    return call.outcome;
  };
  call.start();
  expect(says('No, why?')).toEqual(['reply sure']);
  call.batch([], 'It is a private car park.', { asks: false });
  expect(call.outcome).toEqual([expect.stringMatching(/Is that all right\?$/)]);
  expect(says('No, not before I have talked to my wife.')).toEqual(['reply sure']);
  call.batch([], 'I see.', { asks: false });
  expect(call.outcome).toEqual(['say: Goodbye.', 'end completed']);
  expect(call.state.knowledge.outputs).toEqual({
    sure: { decision: 'no', comment: 'No, not before I have talked to my wife.' },
  });
});
