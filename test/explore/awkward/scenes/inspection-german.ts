import { fact } from '../../talk/said.ts';
import { german } from '../phrases.ts';
import { number } from '../spoken-number.ts';
import { inspection } from './inspection.ts';

export const germanInspection = inspection(
  'inspection in German',
  {
    language: 'de',
    asks: {
      full_name: 'Wie ist Ihr Name?',
      phone: 'Unter welcher Nummer erreichen wir Sie?',
      day: 'An welchem Tag soll der Prüfer kommen?',
      note: 'Gibt es etwas, das der Prüfer wissen soll?',
    },
    readback: 'Ich habe {{ value }}. Stimmt das?',
    confirm: 'Der Prüfer kommt also am {{ day }} und ruft die {{ phone }} an.',
    end: 'Soll ich das jetzt buchen?',
    change: 'Was möchten Sie ändern?',
    goodbyes: {
      booked: 'Es ist gebucht. Auf Wiederhören.',
      left: 'Dann lasse ich es. Auf Wiederhören.',
      desk: 'Ein Kollege ruft Sie an. Auf Wiederhören.',
    },
  },
  german,
  {
    full_name: [
      fact('Anna Berg', 'Anna Berg'),
      fact('Robert Schmidt', 'Robert Schmidt'),
      fact('Max Mustermann', 'Max Mustermann'),
    ],
    phone: [
      number('+4915112345678', '0151 12345678'),
      number('+4915187654321', '0151 87654321'),
      number('+4930123456', '030 123456'),
    ],
    day: [
      fact('2026-12-01', 'Am ersten Dezember', /\b1\. Dezember/),
      fact('2026-12-03', 'Am dritten Dezember', /\b3\. Dezember/),
      fact('2026-12-24', 'Am vierundzwanzigsten Dezember', /24\. Dezember/),
    ],
    note: [fact('Das Tor ist rot', 'Das Tor ist rot'), fact('Allergie', 'Allergie')],
  },
  {
    name: /Ihr Name/i,
    phone: /welcher Nummer/i,
    day: /welchem Tag/i,
    note: /wissen soll/i,
    right: /stimmt das\?|richtig\?/i,
    book: /jetzt buchen/i,
    change: /ändern/i,
    nothing: 'Nein, nichts.',
    question: 'Was kostet das?',
  },
);
