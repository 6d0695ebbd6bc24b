import type { z } from 'zod';
import type { ConversationFlow, conversationSchema } from '../../src/flow/document/document.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, say } from '../../src/flow/document/generator-yields.ts';
import type { GeneratorFlow } from '../../src/flow/document/generator.ts';
import { languageOf } from '../../src/language/language-of.ts';

/** The languages that have rules, and two that only a model understands. */
export const withRules = ['en', 'es', 'de', 'fr', 'pt'] as const;
export const byModel = ['ja', 'ar'] as const;
export type Tag = (typeof withRules)[number] | (typeof byModel)[number];

type ByLanguage = Readonly<Record<Tag, string>>;

/** A text in each of the languages, in the order of their tags. */
function text(...all: readonly [string, string, string, string, string, string, string]): ByLanguage {
  const [en, es, de, fr, pt, ja, ar] = all;
  return { en, es, de, fr, pt, ja, ar };
}

const sorry = text('Sorry?', '¿Perdone?', 'Wie bitte?', 'Pardon ?', 'Desculpe?', 'もう一度お願いします。', 'عفوًا؟');

/** Nobody has written lines for two of the languages. */
const lines = Object.fromEntries(
  Object.keys(languageOf('en').speech.lines).map((name) => [name, { ja: sorry.ja, ar: sorry.ar }]),
) as NonNullable<z.output<typeof conversationSchema>['lines']>;

const which = text('Which day?', '¿Qué día?', 'An welchem Tag?', 'Quel jour ?', 'Que dia?', '何日ですか。', 'أي يوم؟');
const howMany = text(
  'For how many?',
  '¿Cuántos son?',
  'Wie viele sind Sie?',
  'Combien êtes-vous ?',
  'Quantos são?',
  '何名様ですか。',
  'كم عددكم؟',
);
const bye = text('Goodbye.', 'Adiós.', 'Auf Wiederhören.', 'Au revoir.', 'Adeus.', '失礼します。', 'مع السلامة.');

/** Asks whether to begin, then for a name that is read back, a day that is past, and a yes or no. */
const intake: ConversationFlow = {
  name: 'intake',
  initialNode: 'greet',
  lines,
  slots: {
    full_name: {
      type: 'name',
      ask: text('Your name?', '¿Su nombre?', 'Ihr Name?', 'Votre nom ?', 'Seu nome?', 'お名前は。', 'ما اسمك؟'),
      confirm: 'readback',
      confirmText: text(
        '{{ value }}, is that right?',
        '{{ value }}, ¿es correcto?',
        '{{ value }}, ist das richtig?',
        "{{ value }}, c'est bien ça ?",
        '{{ value }}, está certo?',
        '{{ value }}さんですね。',
        '{{ value }}، صحيح؟',
      ),
    },
    born: {
      type: 'date',
      before: 'today',
      ask: text(
        'When were you born?',
        '¿Cuándo nació?',
        'Wann sind Sie geboren?',
        'Quand êtes-vous né ?',
        'Quando nasceu?',
        '生年月日は。',
        'متى وُلدت؟',
      ),
    },
    been_before: {
      type: 'boolean',
      ask: text(
        'Have you been here before?',
        '¿Ha estado aquí antes?',
        'Waren Sie schon einmal hier?',
        'Êtes-vous déjà venu ?',
        'Já esteve aqui?',
        '以前いらっしゃいましたか。',
        'هل زرتنا من قبل؟',
      ),
    },
  },
  nodes: {
    greet: {
      say: text(
        'Shall we start?',
        '¿Empezamos?',
        'Wollen wir anfangen?',
        'On commence ?',
        'Vamos começar?',
        '始めますか。',
        'هل نبدأ؟',
      ),
      functions: [
        { name: 'start', description: 'The caller agrees.', answers: 'yes', transitionTo: 'details' },
        { name: 'decline', description: 'The caller refuses.', answers: 'no', transitionTo: 'bye' },
      ],
    },
    details: { collect: ['full_name', 'born', 'been_before'], defaultTransition: 'bye' },
    bye: { say: bye, end: 'taken' },
  },
};

/** Books a table by a write that asks first. */
const booking: ConversationFlow = {
  name: 'booking',
  initialNode: 'details',
  lines,
  slots: { day: { type: 'date', after: 'today', ask: which }, guests: { type: 'integer', ask: howMany } },
  nodes: {
    details: { collect: ['day', 'guests'], defaultTransition: 'book' },
    book: {
      call: 'book_table',
      functions: [
        {
          name: 'book_table',
          description: 'Books the table.',
          parameters: {
            type: 'object',
            properties: { day: { type: 'string', format: 'date' }, guests: { type: 'integer' } },
            required: ['day', 'guests'],
          },
          effect: 'write',
          confirm: text(
            'Shall I book {{ day }} for {{ guests }}?',
            '¿Reservo el {{ day }} para {{ guests }}?',
            'Soll ich am {{ day }} für {{ guests }} reservieren?',
            'Je réserve le {{ day }} pour {{ guests }} ?',
            'Reservo {{ day }} para {{ guests }}?',
            '{{ day }}、{{ guests }}名で予約しますか。',
            'هل أحجز {{ day }} لعدد {{ guests }}؟',
          ),
          onRefuse: 'bye',
          transitionTo: 'bye',
        },
      ],
    },
    bye: { say: bye, end: 'taken' },
  },
};

/** Asks for a time and two numbers. */
const numbers: ConversationFlow = {
  name: 'numbers',
  initialNode: 'details',
  lines,
  slots: {
    hour: {
      type: 'time',
      ask: text(
        'What time?',
        '¿A qué hora?',
        'Um wie viel Uhr?',
        'À quelle heure ?',
        'A que horas?',
        '何時ですか。',
        'متى؟',
      ),
    },
    nights: {
      type: 'integer',
      minimum: 1,
      ask: text(
        'How many nights?',
        '¿Cuántas noches?',
        'Wie viele Nächte?',
        'Combien de nuits ?',
        'Quantas noites?',
        '何泊ですか。',
        'كم ليلة؟',
      ),
    },
    room: {
      type: 'number',
      ask: text(
        'Which room?',
        '¿Qué habitación?',
        'Welches Zimmer?',
        'Quelle chambre ?',
        'Qual quarto?',
        '何号室ですか。',
        'أي غرفة؟',
      ),
    },
  },
  nodes: {
    details: { collect: ['hour', 'nights', 'room'], defaultTransition: 'bye' },
    bye: { say: bye, end: 'taken' },
  },
};

const urgent = text(
  'Is it urgent?',
  '¿Es urgente?',
  'Ist es dringend?',
  "C'est urgent ?",
  'É urgente?',
  'お急ぎですか。',
  'هل هو عاجل؟',
);

/** Takes one of two ways, by what the caller wants. */
const branch: ConversationFlow = {
  name: 'branch',
  initialNode: 'desk',
  lines,
  slots: {
    wish: {
      type: 'enum',
      ask: text(
        'Repair or sale?',
        '¿Reparación o venta?',
        'Reparatur oder Verkauf?',
        'Réparation ou vente ?',
        'Conserto ou venda?',
        '修理ですか、販売ですか。',
        'إصلاح أم بيع؟',
      ),
      values: {
        repair: ['reparación', 'reparatur', 'réparation', 'conserto', '修理', 'إصلاح'],
        sale: ['venta', 'verkauf', 'vente', 'venda', '販売', 'بيع'],
      },
    },
    urgent: {
      type: 'boolean',
      ask: urgent,
    },
  },
  nodes: {
    desk: { collect: ['wish'] },
    workshop: { collect: ['urgent'], defaultTransition: 'bye' },
    shop: { say: bye, end: 'shop' },
    bye: { say: bye, end: 'taken' },
  },
  edges: [
    { from: 'desk', to: 'workshop', when: { equals: { var: 'wish', value: 'repair' } } },
    { from: 'desk', to: 'shop' },
  ],
};

/** The same questions by code, which speaks the language that it is made for; it tells what it was answered. */
function generatorIn(tag: Tag): GeneratorFlow {
  return defineFlow(async function* () {
    const day = yield* ask({ key: 'day', text: which[tag], type: 'date', after: 'today' });
    const guests = yield* ask({ key: 'guests', text: howMany[tag], type: 'integer' });
    const isUrgent = yield* ask({ key: 'urgent', text: urgent[tag], type: 'boolean' });
    yield* say(JSON.stringify({ day, guests, isUrgent }));
  });
}

/** The five flows; a generator is made for each language. */
export const flows: Readonly<Record<string, (tag: Tag) => ConversationFlow | GeneratorFlow>> = {
  intake: () => intake,
  booking: () => booking,
  numbers: () => numbers,
  branch: () => branch,
  generator: generatorIn,
};
