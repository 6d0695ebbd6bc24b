import type { Reader } from '../../model/ports/reader.ts';
import { addedDigits } from '../tables/numbers/added-numbers.ts';
import { regionOf } from '../tables/region.ts';
import { withoutAccents } from '../tables/folded.ts';
import { createTableReader } from '../tables/table-reader.ts';
import { answers, questions } from './answers.ts';
import { codes } from './codes.ts';
import { doubts } from './doubts.ts';
import { help, lines } from './lines.ts';
import { moments } from './moments.ts';
import { numbers } from './numbers.ts';

/** Reads Spanish. */
export function spanishReader(language = 'es'): Reader {
  return createTableReader({
    language,
    region: regionOf(language) ?? 'ES',
    fold: withoutAccents,
    digits: (folded) => addedDigits(folded, numbers),
    inflections:
      '- s, - es, o a os as, or ora ores oras, an ana anes anas, on ona ones onas, in ina ines inas, ol ola oles olas, es esa eses esas, er ero era eros eras, en eno ena enos enas, z ces, nde n ndes',
    lines,
    help,
    answers,
    doubts,
    questions,
    codes,
    ranges: [
      ['desde el|desde las|desde|del|de las|de', 'hasta el|hasta las|hasta|al|a las|a'],
      ['entre el|entre las|entre', 'y el|y las|y'],
      ['', 'hasta el|hasta las|hasta|al'],
    ],
    moments,
    counts: {
      one: 'un una',
      half: / y medi[oa]\b/,
      decimal: /(\d+) (?:coma|punto) (\d+)/,
      minus: /\bmenos (?=\d)/,
      pair: /\bun par\b/,
      scales: [
        ['mil millones', 1e9],
        ['millon(?:es)?', 1e6],
        ['docenas?', 12],
        ['cientos|centenares|centenas?', 100],
        ['miles|k', 1000],
      ],
      parts: { half: 'medi[oa]', quarter: '(?:un )?cuarto de', couple: 'un par de' },
      beside:
        'somos seremos seriamos personas persona gente adultos en total para de y unos unas son es con el la los solo nosotros',
    },
    dictation: {
      capitalsAreNames: true,
      at: 'arroba',
      dot: 'punto',
      dash: 'guion medio, guion, menos',
      underscore: 'guion bajo, subrayado',
      plus: 'mas',
      introduction: `
        mi, número, teléfono, móvil, celular, correo, electrónico, email, mail, dirección, es, el, la, de, sí, apunte, anote, llámeme, al, a, en, y, luego, gracias, por favor`,
      nameIs: 'me llamo, mi nombre es, mi nombre completo es, soy, a nombre de, el nombre es, habla, le habla',
      kinds:
        'mi mis el la los las un una nombre apellido apellidos número teléfono día fecha hora dirección correo cita motivo razón persona personas',
      particles: 'de del la las los y',
    },
    spoken: {
      yes: 'sí',
      no: 'no',
      or: 'o',
      and: 'y',
      proposal: '¿Hago lo siguiente: {what}?',
      locale: 'es',
      firstDay: null,
      time: (hour, minute) => {
        const clock = `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`;
        if (hour < 6) return `${clock} de la madrugada`;
        if (hour < 12) return `${clock} de la mañana`;
        if (hour === 12) return `${clock} del mediodía`;
        return `${clock} ${hour < 20 ? 'de la tarde' : 'de la noche'}`;
      },
      decimalMark: ',',
    },
  });
}
