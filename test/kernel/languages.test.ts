import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const book = { name: 'book', handler: 'book', effect: 'write' as const, confirm: '¿Lo reservo?', transitionTo: 'done' };

function flowIn(language: string, more: Partial<ConversationFlow> = {}): ConversationFlow {
  return {
    language,
    initialNode: 'desk',
    slots: {
      day: { type: 'date', after: 'today', ask: '¿Qué día?', confirm: 'readback' },
      guests: { type: 'integer', ask: '¿Cuántos son?' },
      phone: { type: 'phone', optional: true },
    },
    nodes: {
      desk: { collect: ['day', 'guests'] },
      book: { taskMessages: [{ role: 'system', content: 'Reserva.' }], functions: [book] },
      done: { say: 'Hecho.', end: 'done' },
    },
    edges: [{ from: 'desk', to: 'book' }],
    ...more,
  };
}

function talk(flow: ConversationFlow) {
  const graph = graphOf(flow, ['book']);
  const call = conversation(graph);
  call.start();
  const says = (text: string): readonly string[] => {
    for (const { key, kind, payload } of Object.values(call.state.effects))
      if (kind === 'say') call.heard(key, payload.text);
    const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'speech', utterance });
    return call.outcome;
  };
  /** Returns the answer to a caller's words for a slot, with a model that calls nothing. */
  const answers = (text: string): readonly string[] => {
    if (says(text).join() === 'reply desk') call.batch([]);
    return call.outcome;
  };
  return { graph, call, says, answers };
}

describe('a flow in Spanish', () => {
  it('reads days and numbers, reads back, and takes sí for a yes and no for a no, for a model that calls nothing', () => {
    const { call, says, answers } = talk(flowIn('es'));
    expect(call.outcome).toEqual(['say: ¿Qué día?']);
    expect(answers('el veintisiete de noviembre')).toEqual(['wait: viernes, 27 de noviembre, ¿es correcto?']);
    expect(says('sí')).toEqual(['say: ¿Cuántos son?']);
    expect(answers('somos cuatro')).toEqual(['reply book']);
    call.batch([{ name: 'book', state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: ¿Lo reservo?']);
    expect(says('sí, claro')).toEqual(['tool book']);
  });

  it('takes a condition for no consent', () => {
    const { call, says } = talk(flowIn('es', { initialNode: 'book' }));
    call.batch([{ name: 'book', state: 'waiting' }]);
    expect(says('sí, pero solo si es gratis')).toEqual(['reply book']);
    expect(says('yes')).toEqual(['reply book']);
  });

  it('says by itself what nobody understood, and repeats and waits, in Spanish', () => {
    const { call, says } = talk(flowIn('es'));
    expect(says('¿puede repetir, por favor?')).toEqual(['say: ¿Qué día?']);
    expect(says('un momento')).toEqual([expect.stringMatching(/^say: (?:Claro, tómese|Por supuesto)/)]);
    call.silence();
    expect(call.outcome).toEqual([expect.stringMatching(/^say: .*¿Qué día\?$/)]);
  });

  it('tells the model to speak it, and reads numbers without a country code as those of its country', () => {
    const { graph, call } = talk(flowIn('es'));
    expect(viewOf(graph, call.state, noonCivil).knowledge).toContain('Speak Spanish.');
    expect(graph.slots.get('phone')?.region).toBe('ES');
    expect(graphOf(flowIn('es-MX'), ['book']).slots.get('phone')?.region).toBe('MX');
  });
});

describe.each([
  ['de', 'am siebenundzwanzigsten November', 'Freitag, 27. November, ist das richtig?', 'ja, genau', 'zu viert'],
  ['fr', 'le vingt-sept novembre', "vendredi 27 novembre, c'est bien ça ?", "oui, c'est ça", 'nous sommes quatre'],
  ['pt', 'vinte e sete de novembro', 'sexta-feira, 27 de novembro, está certo?', 'isso mesmo', 'somos quatro'],
  ['en', 'November twenty-seventh', 'Friday, November 27, is that right?', "that's right", 'four'],
])('a flow in %s', (language, day, readBack, yes, guests) => {
  it('is carried up to the write by rules alone', () => {
    const { call, says, answers } = talk(flowIn(language));
    expect(answers(day)).toEqual([`wait: ${readBack}`]);
    expect(says(yes)).toEqual(['say: ¿Cuántos son?']);
    expect(answers(guests)).toEqual(['reply book']);
    expect(call.state.knowledge.slots).toMatchObject({ day: { value: '2026-11-27' }, guests: { value: 4 } });
  });
});

it('a question is put again whole where a day in it seems to end a sentence', () => {
  const { call, says, answers } = talk(flowIn('de'));
  expect(answers('am vierten Dezember')).toEqual(['wait: Freitag, 4. Dezember, ist das richtig?']);
  says('keine Ahnung, warum fragen Sie?');
  call.batch([], 'Um sicher zu sein.', { asks: false });
  expect(call.outcome).toEqual([expect.stringMatching(/: Freitag, 4\. Dezember, ist das richtig\?$/)]);
});

it('a hummed yes is not a request to repeat, and needs the model to be consent', () => {
  const { call, says } = talk(flowIn('en', { initialNode: 'book' }));
  call.batch([{ name: 'book', state: 'waiting' }]);
  expect(says('uh huh')).toEqual(['reply book']);
  call.batch([{ name: 'answer', arguments: { agrees: true } }]);
  expect(call.outcome).toEqual(['tool book']);
});

describe('words of another language with rules', () => {
  const agreed = (text: string): readonly string[] => {
    const { call, says } = talk(flowIn('en', { initialNode: 'book' }));
    call.batch([{ name: 'book', state: 'waiting' }]);
    expect(says(text)).toEqual(['reply book']);
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    return call.outcome;
  };

  it('agree, if the model takes them as a yes', () => {
    expect(agreed('Oui, vous pouvez le faire.')).toEqual(['tool book']);
  });

  it.each(['Nein, das will ich nicht.', 'No, eso no es correcto.', 'Se não for caro, sim.', 'Vielleicht.'])(
    'do not agree by "%s", whatever the model says',
    (text) => {
      expect(agreed(text)).not.toContain('tool book');
    },
  );
});

describe('a language that nobody has written rules for', () => {
  const options = { catalog: builtinCatalog, functions: new Set(['book']) };

  it('needs lines of the author, and check names them', () => {
    const { diagnostics } = checkFlow(flowIn('ja', { lines: { again: 'もう一度お願いします。' } }), options);
    const [told] = diagnostics.filter(({ code }) => code === 'language-without-lines');
    expect(told?.message).toMatch(/^there are no built-in lines in "ja", and the flow has no againQuestion, /);
    expect(told?.severity).toBe('error');
  });

  it('leaves every yes and every value to the model', () => {
    const names = Object.keys(graphOf(flowIn('en'), ['book']).speech.lines);
    const lines = Object.fromEntries(names.map((name) => [name, 'もう一度お願いします。']));
    const { says, call } = talk(
      flowIn('ja', {
        lines,
        slots: {},
        initialNode: 'book',
        nodes: {
          ...flowIn('ja').nodes,
          desk: { taskMessages: [{ role: 'system', content: '予約。' }], functions: [book] },
        },
      }),
    );
    call.batch([{ name: 'book', state: 'waiting' }]);
    expect(says('はい')).toEqual(['reply book']);
    expect(says('yes')).toEqual(['reply book']);
  });
});

it('a session may be held in another language than its flow names', () => {
  const options = { catalog: builtinCatalog, functions: new Set(['book']) };
  const { graph, document } = checkFlow(flowIn('en'), { ...options, language: 'pt-BR' });
  expect(graph?.speech.lines.recap).toEqual(['Desculpe, caí por um instante.', 'Olá de novo.']);
  expect(graph?.document.language).toBe('pt-BR');
  expect(graph?.hash).not.toBe(checkFlow(flowIn('en'), options).graph?.hash);
  expect(document?.language).toBe('pt-BR');
});

it('a change to a language that the flow does not list is ignored, and one that it lists is told once', () => {
  const { call } = talk(flowIn('en', { languages: ['es'] }));
  const change = (to: string) => call.send({ type: 'language:changed', at: noon, to, by: 'code' });
  change('fr');
  expect(call.told('signal:ignored')).toEqual([{ signal: 'language:changed', reason: 'unlisted-language' }]);
  expect(call.state.dialogue.language).toBeNull();
  change('es');
  expect(call.told('language:changed')).toEqual([{ to: 'es', by: 'code' }]);
  change('es');
  expect(call.told('language:changed')).toEqual([]);
});

describe('lines of the author', () => {
  it('stand in the place of built-in ones, in any language', () => {
    const lines = { takeYourTime: 'Tranquilo.', againQuestion: 'No te oí. {{ question }}' };
    const { says } = talk(flowIn('es', { lines }));
    expect(says('espera')).toEqual(['say: Tranquilo.']);
  });

  it('fill in what the built-in ones fill in, and nothing else', () => {
    const { diagnostics } = checkFlow(flowIn('es', { lines: { again: 'Otra vez, {{ name }}.' } }), {
      catalog: builtinCatalog,
      functions: new Set(['book']),
    });
    expect(diagnostics).toMatchObject([{ code: 'undeclared-name', message: 'nothing is called "name" in this line.' }]);
  });
});
