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

/** Creates the Portuguese reader, of Brazil if the tag names no country. */
export function portugueseReader(language = 'pt'): Reader {
  return createTableReader({
    language,
    region: regionOf(language) ?? 'BR',
    fold: withoutAccents,
    digits: (folded) => addedDigits(folded, numbers),
    inflections:
      '- s, - es, o a os as, or ora ores oras, es esa eses esas, l is, il eis, ao a aos as, ao oes, ao aes, m ns, eu eia eus eias',
    lines,
    help,
    answers,
    doubts,
    questions,
    codes,
    ranges: [
      ['desde o|desde as|desde|do|da|das|de', 'até o|até a|até as|até|ao|à|às|a'],
      ['entre o|entre a|entre as|entre', 'e o|e a|e as|e'],
      ['', 'até o|até a|até|ao|à'],
    ],
    moments,
    counts: {
      one: 'um uma',
      half: / e mei[oa]\b/,
      decimal: /(\d+) (?:virgula|ponto) (\d+)/,
      minus: /\bmenos (?=\d)/,
      pair: /\bum par\b/,
      scales: [
        ['bilh(?:ao|oes)|mil milhoes', 1e9],
        ['milh(?:ao|oes)', 1e6],
        ['duzias?', 12],
        ['centenas?', 100],
        ['milhares|k', 1000],
      ],
      parts: { half: 'mei[oa]', quarter: '(?:um )?quarto de', couple: 'um par de' },
      beside:
        'somos seremos vamos ser pessoas pessoa gente adultos no total ao todo para de e sao com o a os so nos em',
    },
    dictation: {
      capitalsAreNames: true,
      at: 'arroba',
      dot: 'ponto',
      dash: 'hífen, traço, menos',
      underscore: 'sublinhado, underline, underscore',
      plus: 'mais',
      six: 'meia',
      introduction: `
        meu, minha, número, telefone, celular, é, o, a, e, mail, email, endereço, de, eletrônico, correio, pode, ligar, para, no, em, depois, sim, por favor, obrigado, obrigada`,
      nameIs:
        'me chamo, meu nome é, meu nome completo é, eu sou, eu sou o, eu sou a, sou, sou o, sou a, em nome de, o nome é, aqui é, chamo-me',
      kinds:
        'meu minha o a os as um uma nome sobrenome apelido número telefone dia data hora horário endereço email consulta motivo razão pessoa pessoas',
      particles: 'de da do das dos e',
    },
    spoken: {
      yes: 'sim',
      no: 'não',
      or: 'ou',
      and: 'e',
      proposal: 'Devo fazer isto: {what}?',
      locale: 'pt-BR',
      firstDay: 'primeiro',
      time: (hour, minute) => {
        const clock = `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`;
        if (hour < 6) return `${clock} da madrugada`;
        if (hour < 12) return `${clock} da manhã`;
        return `${clock} ${hour < 19 ? 'da tarde' : 'da noite'}`;
      },
      decimalMark: ',',
    },
  });
}
