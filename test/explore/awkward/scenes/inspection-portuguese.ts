import { fact } from '../../talk/said.ts';
import { portuguese } from '../phrases.ts';
import { number } from '../spoken-number.ts';
import { inspection } from './inspection.ts';

export const portugueseInspection = inspection(
  'inspection in Portuguese',
  {
    language: 'pt',
    asks: {
      full_name: 'Qual é o seu nome?',
      phone: 'Em que número podemos ligar?',
      day: 'Em que dia o inspetor deve vir?',
      note: 'Há algo que o inspetor deva saber?',
    },
    readback: 'Tenho {{ value }}. Está correto?',
    confirm: 'O inspetor vem no dia {{ day }} e liga para {{ phone }}.',
    end: 'Reservo agora?',
    change: 'O que quer mudar?',
    goodbyes: {
      booked: 'Está reservado. Adeus.',
      left: 'Então eu deixo. Adeus.',
      desk: 'Um colega vai ligar. Adeus.',
    },
  },
  portuguese,
  {
    full_name: [
      fact('Ana Costa', 'Ana Costa'),
      fact('Roberto Silva', 'Roberto Silva'),
      fact('João Pereira', 'João Pereira'),
    ],
    phone: [
      number('+351912345678', '912 345 678'),
      number('+351987654321', '987 654 321'),
      number('+351211234567', '211 234 567'),
    ],
    day: [
      fact('2026-12-01', 'No dia primeiro de dezembro', /primeiro de dezembro/),
      fact('2026-12-03', 'No dia três de dezembro', /\b3 de dezembro/),
      fact('2026-12-24', 'No dia vinte e quatro de dezembro', /24 de dezembro/),
    ],
    note: [fact('A porta é vermelha', 'A porta é vermelha'), fact('Alergia', 'Alergia')],
  },
  {
    name: /seu nome/i,
    phone: /que número/i,
    day: /que dia/i,
    note: /deva saber/i,
    right: /correto\?|certo\?/i,
    book: /reservo agora/i,
    change: /quer mudar/i,
    nothing: 'Não, nada.',
    question: 'Quanto custa?',
  },
);
