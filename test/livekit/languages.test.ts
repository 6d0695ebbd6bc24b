import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';
import { voiceCall } from './speech/voice-rig.ts';
import { talk as talkOffline } from '../offline/brain/talk.ts';
import { prompt } from './flows.ts';

/** Books a table: a day, a number, and a write with confirmation. */
const table = {
  name: 'mesa',
  language: 'es',
  initialNode: 'details',
  roleMessages: prompt('Reservas mesas.'),
  slots: {
    day: { type: 'date', after: 'today', ask: { en: 'Which day?', es: '¿Qué día?', de: 'An welchem Tag?' } },
    guests: { type: 'integer', ask: { en: 'For how many?', es: '¿Cuántos son?', de: 'Wie viele sind Sie?' } },
  },
  nodes: {
    details: { collect: ['day', 'guests'], defaultTransition: 'book' },
    book: {
      call: 'book_table',
      functions: [
        {
          name: 'book_table',
          description: 'Reserva la mesa.',
          parameters: {
            type: 'object',
            properties: { day: { type: 'string', format: 'date' }, guests: { type: 'integer' } },
            required: ['day', 'guests'],
          },
          effect: 'write',
          confirm: {
            en: 'Shall I book {{ day }} for {{ guests }}?',
            es: '¿Reservo el {{ day }} para {{ guests }}?',
            de: 'Soll ich am {{ day }} für {{ guests }} reservieren?',
          },
          onRefuse: 'bye',
          transitionTo: 'done',
        },
      ],
    },
    bye: { say: { en: 'Goodbye.', es: 'Adiós.', de: 'Auf Wiederhören.' }, end: 'declined' },
    done: { say: { en: 'Booked.', es: 'Reservado.', de: 'Reserviert.' }, end: 'booked' },
  },
} satisfies ConversationFlow;

function bookTool(booked: unknown[]) {
  return flowTool({
    name: 'book_table',
    description: 'Reserva la mesa.',
    parameters: z.object({ day: z.string(), guests: z.number() }),
    execute: (input) => void booked.push(input),
  });
}

/** The flow on a real session. `booked` contains the write's arguments. The model only recognises a request for Spanish. */
async function talk(flow: ConversationFlow, options: Parameters<typeof live>[2] = {}) {
  const booked: unknown[] = [];
  const call = await live(flow, { '*': [spanishPlease, { text: '' }] }, { tools: [bookTool(booked)], ...options });
  const changes: string[] = [];
  call.runner.on('language:changed', ({ data }) => void changes.push(`${data.to} by ${data.by}`));
  call.runner.on('language:ignored', ({ data }) => void changes.push(`not ${data.language} by ${data.by}`));
  return { ...call, booked, changes };
}

const spanishPlease = {
  when: 'spanish',
  calls: [{ name: 'set_language', arguments: { language: 'es' } }],
};

describe('a Spanish flow on a LiveKit session', () => {
  it('books by a day, a number and a sí, without a request to the model', async () => {
    const { runner, heard, model, booked } = await talk(table);
    await runner.send('el veintisiete de noviembre de dos mil noventa y ocho');
    await runner.send('somos cuatro');
    expect(heard).toEqual(['¿Qué día?', '¿Cuántos son?', expect.stringMatching(/^¿Reservo el .*27 de noviembre/)]);
    await runner.send('sí, claro');
    expect(await runner.ended).toBe('booked');
    expect(booked).toEqual([{ day: '2098-11-27', guests: 4 }]);
    expect(heard.at(-1)).toBe('Reservado.');
    expect(model.requests).toEqual([]);
  });

  it('prompts the model in a form that makes it speak Spanish', async () => {
    const { runner, model } = await talk(table);
    await runner.send('¿Tienen terraza?');
    expect(model.requests[0]?.instructions).toContain('Speak Spanish.');
  });

  it('does not book after a no', async () => {
    const { runner, booked } = await talk(table);
    await runner.send('el veintisiete de noviembre de dos mil noventa y ocho');
    await runner.send('somos cuatro');
    await runner.send('no, gracias');
    expect(await runner.ended).toBe('declined');
    expect(booked).toEqual([]);
  });

  it('is in German if the runner says so', async () => {
    const { runner, heard, booked } = await talk(table, { language: 'de' });
    await runner.send('am siebenundzwanzigsten November zweitausendachtundneunzig');
    await runner.send('zu viert');
    await runner.send('ja, bitte');
    expect(await runner.ended).toBe('booked');
    expect(heard[0]).toBe('An welchem Tag?');
    expect(heard.at(-1)).toBe('Reserviert.');
    expect(booked).toEqual([{ day: '2098-11-27', guests: 4 }]);
  });
});

it('a Spanish flow on the offline brain, which knows only English, is carried by rules and hears no English', async () => {
  const { runner, say } = await talkOffline({ flow: table, tools: [bookTool([])] });
  expect(runner.language).toBe('es');
  expect(await say('the twenty-seventh of November')).toMatch(/¿Qué día\?$/);
  expect(runner.state.knowledge.slots).toEqual({});
  expect(await say('el veintisiete de noviembre de dos mil noventa y ocho')).toBe('¿Cuántos son?');
});

const inTwo = { ...table, language: 'en', languages: ['en', 'es'] } satisfies ConversationFlow;

describe('a conversation that goes on in another language', () => {
  it('is changed by the model: the open question, the reading and the prompt are Spanish from then on', async () => {
    const { runner, heard, model, booked, changes } = await talk(inTwo);
    expect(model.requests).toEqual([]);
    await runner.send('November twenty-seventh 2098');
    await runner.send('Can we speak Spanish?');
    expect(changes).toEqual(['es by function']);
    expect(heard.at(-1)).toContain('¿Cuántos son?');
    // The number alone needs no model.
    await runner.send('¿Tienen terraza?');
    await runner.send('somos cuatro');
    expect(heard.at(-1)).toMatch(/^¿Reservo el .*27 de noviembre de 2098 para 4\?$/);
    expect(model.requests.at(-1)).toMatchObject({ instructions: expect.stringContaining('Speak Spanish.') });
    expect(model.requests[0]).toMatchObject({ instructions: expect.stringContaining('Speak English.') });
    await runner.send('sí, claro');
    expect(await runner.ended).toBe('booked');
    expect(booked).toEqual([{ day: '2098-11-27', guests: 4 }]);
  });

  it('keeps a question about a write open, and takes its answer in the new language', async () => {
    const { runner, heard, booked } = await talk(inTwo);
    await runner.send('November twenty-seventh 2098');
    await runner.send('four');
    expect(heard.at(-1)).toMatch(/^Shall I book/);
    await runner.send('In Spanish, please?');
    expect(heard.at(-1)).toContain('¿Reservo el');
    expect(booked).toEqual([]);
    await runner.send('sí');
    expect(booked).toHaveLength(1);
  });

  it('is changed by code and by a hook before the words are read; an unlisted language changes nothing', async () => {
    const { runner, heard, changes } = await talk(inTwo, {
      hooks: {
        beforeLLM: ({ text }) =>
          Promise.resolve({ action: 'continue', language: text.startsWith('am ') ? 'de-AT' : 'es-MX' }),
      },
    });
    await runner.send('am siebenundzwanzigsten November');
    expect(changes).toEqual(['not de-AT by hook']);
    await runner.send('el veintisiete de noviembre de dos mil noventa y ocho');
    expect(heard.at(-1)).toBe('¿Cuántos son?');
    runner.setLanguage('en-GB');
    expect(changes.slice(1)).toEqual(['es by hook', 'en by code']);
    expect(() => runner.setLanguage('de')).toThrow(/^language-unlisted: .* held in en, es\./);
    expect(() => runner.setLanguage('Spanish')).toThrow(/^language-unlisted: /);
  });

  it('is changed by a sure recogniser, and not changed back by a recogniser of a single language', async () => {
    const { runner, heard, caller, quiet, changes } = await spoken(inTwo);
    await caller.says('no', undefined, 'es');
    await caller.says('el veintisiete de noviembre de dos mil noventa y ocho', undefined, 'es');
    await quiet();
    expect(changes).toEqual(['es by recogniser']);
    expect(heard.at(-1)).toBe('¿Cuántos son?');
    runner.setLanguage('en');
    await caller.says('it is four', undefined, 'es');
    await quiet();
    expect(heard.at(-1)).toMatch(/^Shall I book/);
    expect(changes).toEqual(['es by recogniser', 'en by code']);
  });

  it('continues in it after a crash, and replays to the same state', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const first = await talk(inTwo, { store, sessionId: 'call' });
    await first.runner.send('November twenty-seventh 2098');
    first.runner.setLanguage('es');
    await first.runner.leave();
    const next = await talk(inTwo, { store, sessionId: 'call' });
    expect(next.heard.join(' ')).toContain('¿Cuántos son?');
    await next.runner.send('somos cuatro');
    expect(next.heard.at(-1)).toMatch(/^¿Reservo/);
    await next.runner.leave();
    expect(await replaySession(store, 'call')).toMatchObject({ isKept: true });
  });

  it('is offered to a model only if the flow lists languages', async () => {
    const { runner, model } = await talk({ ...table, language: 'en' });
    await runner.send('Can we speak Spanish?');
    expect(model.requests.at(-1)?.tools).not.toContain('set_language');
    expect(() => runner.setLanguage('es')).toThrow(/^language-unlisted: /);
  });
});

async function spoken(flow: ConversationFlow) {
  const call = await voiceCall(flow, { '*': [{ text: '' }] }, { preemptive: false, tools: [bookTool([])] });
  const changes: string[] = [];
  call.runner.on('language:changed', ({ data }) => void changes.push(`${data.to} by ${data.by}`));
  await call.quiet();
  return { ...call, changes };
}
