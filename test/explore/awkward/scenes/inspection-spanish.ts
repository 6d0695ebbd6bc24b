import { fact } from '../../talk/said.ts';
import { spanish } from '../phrases.ts';
import { number } from '../spoken-number.ts';
import { inspection } from './inspection.ts';

export const spanishInspection = inspection(
  'inspection in Spanish',
  {
    language: 'es',
    asks: {
      full_name: '¿Cómo se llama?',
      phone: '¿En qué número le podemos llamar?',
      day: '¿Qué día quiere que venga el inspector?',
      note: '¿Hay algo que el inspector deba saber?',
    },
    readback: 'Tengo {{ value }}. ¿Es correcto?',
    confirm: 'El inspector viene el {{ day }} y llama al {{ phone }}.',
    end: '¿Lo reservo ahora?',
    change: '¿Qué quiere cambiar?',
    goodbyes: {
      booked: 'Está reservado. Adiós.',
      left: 'Entonces lo dejo. Adiós.',
      desk: 'Un compañero le llamará. Adiós.',
    },
  },
  spanish,
  {
    full_name: [
      fact('Ana Torres', 'Ana Torres'),
      fact('Roberto García', 'Roberto García'),
      fact('Juan Pérez', 'Juan Pérez'),
    ],
    phone: [
      number('+34612345678', '612 345 678'),
      number('+34687654321', '687 654 321'),
      number('+34911234567', '911 234 567'),
    ],
    day: [
      fact('2026-12-01', 'El uno de diciembre', /\b1 de diciembre/),
      fact('2026-12-03', 'El tres de diciembre', /\b3 de diciembre/),
      fact('2026-12-24', 'El veinticuatro de diciembre', /24 de diciembre/),
    ],
    note: [fact('La puerta es roja', 'La puerta es roja'), fact('Alergia', 'Alergia')],
  },
  {
    name: /se llama/i,
    phone: /qué número/i,
    day: /qué día/i,
    note: /deba saber/i,
    right: /correcto\?|verdad\?/i,
    book: /reservo ahora/i,
    change: /quiere cambiar/i,
    nothing: 'No, nada.',
    question: '¿Cuánto cuesta?',
  },
);
