import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { live } from './live.ts';
import { prompt } from './flows.ts';

/** A table is booked: a day, a number, a write that asks before it runs. */
const table = {
  name: 'mesa',
  language: 'es',
  initialNode: 'details',
  roleMessages: prompt('Reservas mesas.'),
  slots: {
    day: { type: 'date', after: 'today', ask: { es: '¿Qué día?', de: 'An welchem Tag?' } },
    guests: { type: 'integer', ask: { es: '¿Cuántos son?', de: 'Wie viele sind Sie?' } },
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
            es: '¿Reservo el {{ day }} para {{ guests }}?',
            de: 'Soll ich am {{ day }} für {{ guests }} reservieren?',
          },
          onRefuse: 'bye',
          transitionTo: 'done',
        },
      ],
    },
    bye: { say: { es: 'Adiós.', de: 'Auf Wiederhören.' }, end: 'declined' },
    done: { say: { es: 'Reservado.', de: 'Reserviert.' }, end: 'booked' },
  },
} satisfies ConversationFlow;

/** The flow on a real session; `booked` is what the write was called with. */
async function talk(flow: ConversationFlow, language?: string) {
  const booked: unknown[] = [];
  const book = flowTool({
    name: 'book_table',
    description: 'Reserva la mesa.',
    parameters: z.object({ day: z.string(), guests: z.number() }),
    execute: (input) => void booked.push(input),
  });
  const call = await live(flow, () => ({}), {
    tools: [book],
    ...(language === undefined ? {} : { language }),
  });
  return { ...call, booked };
}

describe('a Spanish flow on a LiveKit session', () => {
  it('books by a day, a number and a sí, and asks the model nothing for the yes', async () => {
    const { runner, heard, model, booked } = await talk(table);
    await runner.send('el veintisiete de noviembre de dos mil noventa y ocho');
    await runner.send('somos cuatro');
    expect(heard).toEqual(['¿Qué día?', '¿Cuántos son?', expect.stringMatching(/^¿Reservo el .*27 de noviembre/)]);
    const asked = model.requests.length;
    await runner.send('sí, claro');
    expect(await runner.ended).toBe('booked');
    expect(booked).toEqual([{ day: '2098-11-27', guests: 4 }]);
    expect(heard.at(-1)).toBe('Reservado.');
    expect(model.requests).toHaveLength(asked);
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

  it('is held in German where the runner says so', async () => {
    const { runner, heard, booked } = await talk(table, 'de');
    await runner.send('am siebenundzwanzigsten November zweitausendachtundneunzig');
    await runner.send('zu viert');
    await runner.send('ja, bitte');
    expect(await runner.ended).toBe('booked');
    expect(heard[0]).toBe('An welchem Tag?');
    expect(heard.at(-1)).toBe('Reserviert.');
    expect(booked).toEqual([{ day: '2098-11-27', guests: 4 }]);
  });
});
