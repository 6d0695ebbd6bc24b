import { fact } from '../../talk/said.ts';
import { french } from '../phrases.ts';
import { number } from '../spoken-number.ts';
import { inspection } from './inspection.ts';

export const frenchInspection = inspection(
  'inspection in French',
  {
    language: 'fr',
    asks: {
      full_name: 'Comment vous appelez-vous ?',
      phone: 'À quel numéro pouvons-nous vous joindre ?',
      day: "Quel jour l'inspecteur doit-il venir ?",
      note: "Y a-t-il quelque chose que l'inspecteur doit savoir ?",
    },
    readback: "J'ai {{ value }}. Est-ce correct ?",
    confirm: "L'inspecteur vient donc le {{ day }} et appelle le {{ phone }}.",
    end: 'Je le réserve maintenant ?',
    change: 'Que voulez-vous changer ?',
    goodbyes: {
      booked: "C'est réservé. Au revoir.",
      left: 'Alors je laisse. Au revoir.',
      desk: 'Un collègue vous appellera. Au revoir.',
    },
  },
  french,
  {
    full_name: [
      fact('Anne Martin', 'Anne Martin'),
      fact('Robert Dubois', 'Robert Dubois'),
      fact('Jean Dupont', 'Jean Dupont'),
    ],
    phone: [
      number('+33612345678', '06 12 34 56 78'),
      number('+33687654321', '06 87 65 43 21'),
      number('+33140205050', '01 40 20 50 50'),
    ],
    day: [
      fact('2026-12-01', 'Le premier décembre', /premier décembre/),
      fact('2026-12-03', 'Le trois décembre', /\b3 décembre/),
      fact('2026-12-24', 'Le vingt-quatre décembre', /24 décembre/),
    ],
    note: [fact('La porte est rouge', 'La porte est rouge'), fact('Allergie', 'Allergie')],
  },
  {
    name: /appelez-vous/i,
    phone: /quel numéro/i,
    day: /quel jour/i,
    note: /doit savoir/i,
    right: /correct \?|bien ça \?/i,
    book: /réserve maintenant/i,
    change: /voulez-vous changer/i,
    nothing: 'Non, rien.',
    question: 'Combien ça coûte ?',
  },
);
