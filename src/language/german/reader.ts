import type { Reader } from '../../model/ports/reader.ts';
import { withUmlauts } from '../tables/folded.ts';
import { regionOf } from '../tables/region.ts';
import { createTableReader } from '../tables/table-reader.ts';
import { answers, questions } from './answers.ts';
import { codes } from './codes.ts';
import { doubts } from './doubts.ts';
import { help, lines } from './lines.ts';
import { moments } from './moments.ts';
import { germanDigits } from './numbers.ts';

/** Reads German. */
export function germanReader(language = 'de'): Reader {
  return createTableReader({
    language,
    region: regionOf(language) ?? 'DE',
    fold: withUmlauts,
    digits: germanDigits,
    inflections: '- e en em er es, el le len lem ler les, er re ren rem rer res, - n, - s',
    lines,
    help,
    answers,
    doubts,
    questions,
    codes,
    ranges: [
      ['von dem|vom|von', 'bis zum|bis'],
      ['zwischen dem|zwischen', 'und dem|und'],
      ['', 'bis zum|bis'],
    ],
    moments,
    counts: {
      one: 'ein eine einen einer',
      half: /(?!)/,
      decimal: /(\d+) komma (\d+)/,
      minus: /(?<!\p{L})minus (?=\d)/u,
      pair: /(?<!\p{L})ein paar(?!\s*[\p{L}\d])/u,
      scales: [
        ['milliarden?', 1e9],
        ['million(?:en)?', 1e6],
        ['dutzend', 12],
        ['hundert', 100],
        ['tausend|k', 1000],
      ],
      parts: { half: 'halbe[sn]?', quarter: '(?:eine )?viertel', couple: '(?!)' },
      whole: new Map([
        ['viertelmillion', 250_000],
        ...'anderthalb eineinhalb zweieinhalb dreieinhalb viereinhalb fünfeinhalb sechseinhalb siebeneinhalb achteinhalb neuneinhalb'
          .split(' ')
          .map((word, index): [string, number] => [word, index === 0 ? 1.5 : index + 0.5]),
      ]),
      beside:
        'wir sind werden zu personen person leute erwachsene gäste insgesamt für es ist das die der und nur mit mir uns',
    },
    dictation: {
      capitalsAreNames: false,
      at: 'at, ät, klammeraffe',
      dot: 'punkt',
      dash: 'bindestrich, minus, strich',
      underscore: 'unterstrich',
      plus: 'plus',
      introduction: `
        meine, mein, nummer, telefonnummer, handynummer, handy, telefon, e, mail, email, adresse, es, ist, die, das, lautet, ja, unter, rufen, sie, mich, an, und, dann, bitte, danke`,
      nameIs: 'ich heiße, mein name ist, ich bin, auf den namen, der name ist, hier ist, hier spricht, auf',
      kinds:
        'mein meine der die das ein eine name namen vorname nachname nummer telefonnummer tag datum uhrzeit zeit uhr adresse mail email termin grund person personen',
      particles: 'von van de der zu zur und',
    },
    spoken: {
      yes: 'ja',
      no: 'nein',
      or: 'oder',
      and: 'und',
      proposal: 'Soll ich das tun: {what}?',
      locale: 'de',
      firstDay: null,
      time: (hour, minute) => {
        const clock = minute === 0 ? `${hour} Uhr` : `${hour} Uhr ${minute}`;
        return hour > 0 && hour < 12 ? `${clock} ${hour < 9 ? 'morgens' : 'vormittags'}` : clock;
      },
      decimalMark: ',',
    },
  });
}
