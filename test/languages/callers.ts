import type { Json } from '../../src/model/json.ts';
import type { Tag } from './flows.ts';

/** What a caller says, and what that means in any language. */
export interface Words {
  readonly says: string;
  readonly means: Json;
}

const meanings: Readonly<Record<string, readonly Json[]>> = {
  intake: [true, 'Maria Delgado', true, '1984-07-14', false],
  booking: ['2098-11-27', 4, true],
  numbers: ['15:30', 3, 21],
  branch: ['repair', true],
  generator: ['2098-11-27', 4, false],
};

const words: Readonly<Record<Tag, Readonly<Record<string, readonly string[]>>>> = {
  en: {
    intake: ['yes', 'Maria Delgado', 'yes', 'July fourteenth 1984', 'no'],
    booking: ['November twenty-seventh 2098', 'four', 'yes, please'],
    numbers: ['3:30 pm', 'three nights', 'twenty-one'],
    branch: ['repair', 'yes'],
    generator: ['November twenty-seventh 2098', 'four', 'no'],
  },
  es: {
    intake: [
      'sí',
      'me llamo Maria Delgado',
      'sí, correcto',
      'el catorce de julio de mil novecientos ochenta y cuatro',
      'no',
    ],
    booking: ['el veintisiete de noviembre de dos mil noventa y ocho', 'somos cuatro', 'sí, claro'],
    numbers: ['a las tres y media de la tarde', 'tres', 'veintiuno'],
    branch: ['reparación', 'sí'],
    generator: ['el veintisiete de noviembre de dos mil noventa y ocho', 'somos cuatro', 'no'],
  },
  de: {
    intake: ['ja', 'ich heiße Maria Delgado', 'ja, genau', 'am vierzehnten Juli neunzehnhundertvierundachtzig', 'nein'],
    booking: ['am siebenundzwanzigsten November zweitausendachtundneunzig', 'zu viert', 'ja, bitte'],
    numbers: ['um halb vier nachmittags', 'drei', 'einundzwanzig'],
    branch: ['Reparatur', 'ja'],
    generator: ['am siebenundzwanzigsten November zweitausendachtundneunzig', 'vier', 'nein'],
  },
  fr: {
    intake: [
      'oui',
      "je m'appelle Maria Delgado",
      "oui, c'est ça",
      'le quatorze juillet mille neuf cent quatre-vingt-quatre',
      'non',
    ],
    booking: ['le vingt-sept novembre deux mille quatre-vingt-dix-huit', 'nous sommes quatre', 'oui'],
    numbers: ["à trois heures et demie de l'après-midi", 'trois', 'vingt et un'],
    branch: ['réparation', 'oui'],
    generator: ['le vingt-sept novembre deux mille quatre-vingt-dix-huit', 'quatre', 'non'],
  },
  pt: {
    intake: [
      'sim',
      'me chamo Maria Delgado',
      'isso mesmo',
      'catorze de julho de mil novecentos e oitenta e quatro',
      'não',
    ],
    booking: ['vinte e sete de novembro de dois mil e noventa e oito', 'somos quatro', 'sim'],
    numbers: ['às três e meia da tarde', 'três', 'vinte e um'],
    branch: ['conserto', 'sim'],
    generator: ['vinte e sete de novembro de dois mil e noventa e oito', 'quatro', 'não'],
  },
  ja: {
    intake: [
      'はい、お願いします',
      'マリア・デルガドです',
      'はい、そうです',
      '一九八四年七月十四日です',
      'いいえ、初めてです',
    ],
    booking: ['二〇九八年の十一月二十七日で', '四人です', 'はい、お願いします'],
    numbers: ['午後三時半です', '三泊です', '二十一号室です'],
    branch: ['修理をお願いします', 'はい、急いでいます'],
    generator: ['二〇九八年の十一月二十七日で', '四人です', 'いいえ、急ぎません'],
  },
  ar: {
    intake: [
      'نعم، لنبدأ',
      'ماريا ديلغادو',
      'نعم هذا صحيح',
      'الرابع عشر من يوليو ألف وتسعمئة وأربعة وثمانين',
      'لا، أول مرة',
    ],
    booking: ['السابع والعشرين من نوفمبر ألفين وثمانية وتسعين', 'نحن أربعة', 'نعم من فضلك'],
    numbers: ['الثالثة والنصف عصرًا', 'ثلاث ليالٍ', 'الغرفة واحد وعشرون'],
    branch: ['أريد إصلاحًا', 'نعم، مستعجل'],
    generator: ['السابع والعشرين من نوفمبر ألفين وثمانية وتسعين', 'نحن أربعة', 'لا، ليس عاجلًا'],
  },
};

/** What the caller of a flow says in a language, turn by turn: the same in each. */
export function callerOf(flow: string, tag: Tag): readonly Words[] {
  const said = words[tag][flow] ?? [];
  return (meanings[flow] ?? []).map((means, index) => ({ says: said[index] ?? '', means }));
}

/** The turns that say yes to a question about a call, a value or a way on, which no model is asked about. */
export function plainYes(flow: string, tag: Tag): readonly string[] {
  const at = { intake: [0, 2], booking: [2] }[flow] ?? [];
  return at.map((index) => words[tag][flow]?.[index] ?? '');
}
