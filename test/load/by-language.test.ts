import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { Wordings } from '../../src/flow/expression/wordings.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

const options = { catalog: builtinCatalog, functions: new Set(['book']), handlers: new Set(['ring']) };

const flow: ConversationFlow = {
  initialNode: 'desk',
  roleMessages: [{ role: 'system', content: { en: 'You answer.', es: 'Contestas.' } }],
  fallback: { en: 'Sorry.', es: 'Perdone.' },
  filler: { en: 'One moment.', es: 'Un momento.' },
  ladder: { lines: { en: ['Again: {{ question }}'], es: ['Otra vez: {{ question }}', 'Dígame: {{ question }}'] } },
  lines: { takeYourTime: { es: 'Tranquilo.' } },
  slots: {
    day: {
      type: 'date',
      ask: { en: 'Which day?', es: ['¿Qué día?', '¿Cuándo?'] },
      confirm: 'readback',
      confirmText: { en: '{{ value }}?', es: '¿El {{ value }}?' },
    },
  },
  nodes: {
    desk: {
      preActions: [{ type: 'tts_say', text: { en: 'Hello.', es: 'Hola.' } }],
      collect: ['day'],
      defaultTransition: 'book',
    },
    book: {
      call: 'book',
      functions: [
        {
          name: 'book',
          effect: 'write',
          confirm: { en: 'Book the {{ day }}?', es: '¿Reservo el {{ day }}?' },
          transitionTo: 'done',
        },
      ],
    },
    done: { say: { en: 'Done.', es: 'Hecho.' }, end: 'done' },
  },
};

function checked(given: object, language?: string) {
  const { graph, diagnostics } = checkFlow(given, { ...options, ...(language === undefined ? {} : { language }) });
  return { graph, told: diagnostics.filter(({ severity }) => severity !== 'note') };
}

/** Returns every spoken text of the flow above. */
function textsOf(graph: Graph | null): readonly (string | readonly string[] | undefined)[] {
  const sources = (wordings: Wordings | null | undefined): readonly string[] | undefined =>
    wordings?.texts.map(({ source }) => source);
  const day = graph?.slots.get('day');
  const confirm = graph?.nodes.get('book')?.functions[0]?.confirm;
  return [
    graph?.persona[0]?.content.source,
    sources(graph?.trouble.fallback),
    sources(graph?.trouble.filler),
    sources(graph?.trouble.ladder.lines),
    graph?.speech.lines.takeYourTime,
    sources(day?.ask),
    sources(day?.readback),
    sources(graph?.nodes.get('desk')?.preActions[0]?.text),
    typeof confirm === 'object' ? sources(confirm) : undefined,
    sources(graph?.nodes.get('done')?.say),
  ];
}

describe('texts by language', () => {
  const spanish = [
    'Contestas.',
    ['Perdone.'],
    ['Un momento.'],
    ['Otra vez: {{ question }}', 'Dígame: {{ question }}'],
    ['Tranquilo.'],
    ['¿Qué día?', '¿Cuándo?'],
    ['¿El {{ value }}?'],
    ['Hola.'],
    ['¿Reservo el {{ day }}?'],
    ['Hecho.'],
  ];

  it.each(['es', 'es-MX'])('are taken in the language of the conversation: %s', (language) => {
    for (const { graph, told } of [checked({ ...flow, language }), checked(flow, language)]) {
      expect(told).toEqual([]);
      expect(textsOf(graph)).toEqual(spanish);
    }
  });

  it('are taken in English where no language is named, and a built-in line where the author has none', () => {
    const { graph, told } = checked(flow);
    expect(told).toEqual([]);
    expect(textsOf(graph).slice(0, 2)).toEqual(['You answer.', ['Sorry.']]);
    expect(graph?.speech.lines.takeYourTime[0]).toMatch(/take your time/i);
  });

  it('are taken in the first language where they lack that of the conversation, and check tells each of them', () => {
    const { graph, told } = checked(flow, 'de');
    expect(textsOf(graph).at(-1)).toEqual(['Done.']);
    expect(told.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      Array.from({ length: 9 }, () => 'warning missing-language'),
    );
    const [first] = checked({ initialNode: 'a', language: 'de', nodes: { a: { say: { en: 'Hi.' }, end: 'x' } } }).told;
    expect(first).toMatchObject({
      path: ['nodes', 'a', 'say'],
      message: 'this text is not written in "de": it is spoken in "en".',
      hint: 'Add de: …',
    });
  });

  it('are checked in every language', () => {
    const { told } = checked({
      ...flow,
      nodes: { ...flow.nodes, done: { say: { en: 'Done.', es: '{{ dia }}' }, end: 'x' } },
    });
    expect(told.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(['undeclared-name nodes.done.say.es']);
    const lines = { again: { en: 'Again.', es: 'Otra vez {{ pregunta }}.' } };
    expect(checked({ ...flow, lines }).told.map(({ path }) => path.join('.'))).toEqual(['lines.again.es']);
  });

  it('are one flow whatever is spoken, with a version for each language', () => {
    const [english, spanish] = [checked(flow).graph, checked(flow, 'es').graph];
    expect(spanish?.document.nodes).toEqual(english?.document.nodes);
    expect(spanish?.hash).not.toBe(english?.hash);
    // Spoken wordings are counted under one place in every language.
    expect(spanish?.slots.get('day')?.ask?.place).toBe(english?.slots.get('day')?.ask?.place);
  });
});

describe('a flow that lists its languages', () => {
  const told = (given: object): readonly string[] =>
    checked(given).told.map(({ code, severity, path }) => `${severity} ${code} ${path.join('.')}`);

  it('is told each text that lacks one of them, written by language or not', () => {
    expect(told({ ...flow, languages: ['en', 'es'] })).toEqual([]);
    expect(told({ ...flow, languages: ['es'] })).toEqual([]);
    const missing = told({ ...flow, languages: ['en', 'es', 'de'] });
    expect(new Set(missing)).toHaveLength(9);
    expect(missing).toContain('warning missing-language nodes.done.say');
    const nodes = { ...flow.nodes, done: { say: 'Done.', end: 'done' } };
    const [one] = checked({ ...flow, nodes, languages: ['en', 'es'] }).told;
    expect(one).toMatchObject({
      path: ['nodes', 'done', 'say'],
      message: 'this text is written in one language, and the flow may be held in en, es.',
      hint: 'Write it by language: { en: …, es: … }.',
    });
  });

  it('needs lines of the author in one that nobody has written any in, and keeps the name of its function', () => {
    expect(told({ ...flow, languages: ['en', 'es', 'ja'] })).toContain('error language-without-lines languages.2');
    const functions = [{ name: 'set_language', description: 'Other.', transitionTo: 'done' }];
    const desk = { taskMessages: [{ role: 'system', content: 'Talk.' }], functions };
    const own = { initialNode: 'desk', nodes: { desk, done: { say: { en: 'Bye.', es: 'Adiós.' }, end: 'x' } } };
    expect(told({ ...own, languages: ['es'] })).toContain('error reserved-name nodes.desk.functions.0.name');
    expect(told(own)).toEqual([]);
  });

  it('is one flow under one hash, whichever of them is spoken', () => {
    const { graph } = checked({ ...flow, languages: ['en', 'es'] });
    const spanish = graph?.spokenIn('es') ?? null;
    expect(textsOf(spanish).at(-1)).toEqual(['Hecho.']);
    expect(spanish?.hash).toBe(graph?.hash);
    expect(spanish?.spokenIn('en')).toBe(graph);
    expect(graph?.spokenIn('fr')).toBe(graph);
  });

  it('reads local telephone numbers as those of one country, whatever is spoken', () => {
    const phone = { type: 'phone', ask: { en: 'Number?', es: '¿Número?' } };
    const { graph } = checked({ ...flow, slots: { ...flow.slots, phone }, languages: ['es', 'es-MX'] });
    const regionIn = (tag: string) => graph?.spokenIn(tag).slots.get('phone')?.region;
    expect([regionIn('en'), regionIn('es'), regionIn('es-MX')]).toEqual(['US', 'US', 'MX']);
  });
});

describe('a map that is none by language', () => {
  const told = (text: string): readonly string[] =>
    checkFlow(text, options).diagnostics.map(({ code, message }) => `${code}: ${message}`);

  it('is refused with what a key must be', () => {
    expect(told('initial_node: a\nnodes:\n  a: { say: { text: Hello. }, end: x }\n')).toEqual([
      'invalid-key: "text" of "say" must be a tag such as es, pt-BR or zh-Hant.',
    ]);
    expect(told('initial_node: a\nnodes:\n  a: { say: {}, end: x }\n')).toEqual([
      expect.stringContaining('"say" of node "a": it has no text in any language.'),
    ]);
    expect(told('initial_node: a\nnodes:\n  a: { say: { en: 4 }, end: x }\n')).toEqual([
      expect.stringMatching(/^wrong-type: "en" of "say" must be /),
    ]);
  });

  it('leaves yes and no of confirm what they were: words that YAML takes for text', () => {
    const confirm = (value: string): readonly string[] =>
      told(`initial_node: a\nnodes:\n  a: { functions: [{ name: book, confirm: ${value}, transition_to: a }] }\n`);
    expect(confirm('yes')).toContainEqual(expect.stringMatching(/^boolean-word: /));
    expect(confirm('{ en: "Yes?" }')).not.toContainEqual(expect.stringMatching(/^boolean-word: /));
  });
});
