import type { Reader } from '../../model/ports/reader.ts';
import { addedDigits } from '../tables/numbers/added-numbers.ts';
import { withoutAccents } from '../tables/folded.ts';
import { regionOf } from '../tables/region.ts';
import { createTableReader } from '../tables/table-reader.ts';
import { answers, questions } from './answers.ts';
import { codes } from './codes.ts';
import { doubts } from './doubts.ts';
import { help, lines } from './lines.ts';
import { moments } from './moments.ts';
import { numbers } from './numbers.ts';

/** Reads French. */
export function frenchReader(language = 'fr'): Reader {
  return createTableReader({
    language,
    region: regionOf(language) ?? 'FR',
    fold: withoutAccents,
    // A hyphen within a number is no minus: "quatre-vingt-dix".
    digits: (folded) => addedDigits(folded, numbers),
    inflections:
      '- e s es, el elle els elles, en enne ens ennes, on onne ons onnes, et ette ets ettes, s sse sses, x se ses, f ve fs ves, c che cs ches, c que cs ques, g gue gs gues, al ale aux ales, eau elle eaux elles, eur euse eurs euses, eur rice eurs rices, - x',
    lines,
    help,
    answers,
    doubts,
    questions,
    codes,
    ranges: [
      ["de l'|du|de|depuis", "jusqu'au|jusqu'à|au|à"],
      ['entre le|entre', 'et le|et'],
      ['', "jusqu'au|jusqu'à|au"],
    ],
    moments,
    counts: {
      one: 'un une',
      half: / et demie?\b/,
      decimal: /(\d+) (?:virgule|point) (\d+)/,
      minus: /\bmoins (?=\d)/,
      pair: /\bune paire\b/,
      scales: [
        ['milliards?(?: de)?', 1e9],
        ['millions?(?: de)?', 1e6],
        ['douzaines?', 12],
        ['centaines?', 100],
        ['dizaines?', 10],
        ['vingtaines?', 20],
        ['trentaines?', 30],
        ['milliers?|k', 1000],
      ],
      parts: { half: 'demi(?:e)?', quarter: 'un quart de', couple: 'une paire de' },
      beside:
        'nous on sera serons sommes etes personnes personne gens adultes convives en tout au total pour de et les des avec moi c est le la l',
    },
    dictation: {
      capitalsAreNames: true,
      at: 'arobase, at, a commercial',
      dot: 'point',
      dash: "tiret, trait d'union, moins",
      underscore: 'tiret bas, underscore',
      plus: 'plus',
      introduction: `
        mon, ma, numéro, téléphone, portable, c'est, est, le, la, l, adresse, mail, email, e, courriel, électronique, au, à, appelez, moi, vous, pouvez, me, joindre, et, puis, oui, s'il vous plaît, merci`,
      nameIs: "je m'appelle, mon nom est, mon nom c'est, je suis, au nom de, le nom est",
      nameIsIfAsked: "c'est",
      kinds:
        'mon ma mes le la les un une nom prénom numéro téléphone jour date heure adresse mail email rendez vous raison motif personne personnes',
      particles: 'de du des la le les et',
    },
    spoken: {
      yes: 'oui',
      no: 'non',
      or: 'ou',
      and: 'et',
      proposal: 'Dois-je faire ceci : {what} ?',
      locale: 'fr',
      firstDay: 'premier',
      time: (hour, minute) => {
        const unit = hour < 2 ? 'heure' : 'heures';
        const clock = minute === 0 ? `${hour} ${unit}` : `${hour} ${unit} ${minute}`;
        return hour > 0 && hour < 12 ? `${clock} du matin` : clock;
      },
      decimalMark: ',',
    },
  });
}
