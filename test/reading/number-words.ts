/** Numbers from 0 to 9999 in words, written independently of the tables that read them. */
export const numberWords: Readonly<Record<'es' | 'de' | 'fr' | 'pt', (value: number) => string>> = {
  es: spanish,
  de: german,
  fr: french,
  pt: portuguese,
};

const list = (text: string): readonly string[] => text.split(' ');

function spanish(value: number): string {
  const small = list(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  );
  const tens = list('- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa');
  const hundreds = list(
    '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  );
  if (value < 30) return small[value] ?? '';
  if (value < 100) return joined(tens[Math.floor(value / 10)], value % 10, ' y ', spanish);
  if (value === 100) return 'cien';
  if (value < 1000) return joined(hundreds[Math.floor(value / 100)], value % 100, ' ', spanish);
  const thousands = Math.floor(value / 1000);
  return joined(thousands === 1 ? 'mil' : `${spanish(thousands)} mil`, value % 1000, ' ', spanish);
}

function portuguese(value: number): string {
  const small = list(
    'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove',
  );
  const tens = list('- - vinte trinta quarenta cinquenta sessenta setenta oitenta noventa');
  const hundreds = list(
    '- cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
  );
  if (value < 20) return small[value] ?? '';
  if (value < 100) return joined(tens[Math.floor(value / 10)], value % 10, ' e ', portuguese);
  if (value === 100) return 'cem';
  if (value < 1000) return joined(hundreds[Math.floor(value / 100)], value % 100, ' e ', portuguese);
  const thousands = Math.floor(value / 1000);
  const rest = value % 1000;
  const and = rest < 100 || rest % 100 === 0 ? ' e ' : ' ';
  return joined(thousands === 1 ? 'mil' : `${portuguese(thousands)} mil`, rest, and, portuguese);
}

function french(value: number): string {
  const small = list(
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  );
  const tens = list('- - vingt trente quarante cinquante soixante');
  if (value < 20) return small[value] ?? '';
  if (value < 70) {
    const rest = value % 10;
    return joined(tens[Math.floor(value / 10)], rest, rest === 1 ? ' et ' : '-', french);
  }
  if (value < 80) return value === 71 ? 'soixante et onze' : `soixante-${french(value - 60)}`;
  if (value < 100) return value === 80 ? 'quatre-vingts' : `quatre-vingt-${french(value - 80)}`;
  if (value < 1000) {
    const hundreds = Math.floor(value / 100);
    const rest = value % 100;
    if (hundreds === 1) return joined('cent', rest, ' ', french);
    return joined(`${french(hundreds)} cent${rest === 0 ? 's' : ''}`, rest, ' ', french);
  }
  const thousands = Math.floor(value / 1000);
  return joined(thousands === 1 ? 'mille' : `${french(thousands)} mille`, value % 1000, ' ', french);
}

function german(value: number): string {
  const small = list(
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  );
  const tens = list('- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig');
  const before = (unit: number): string => (unit === 1 ? 'ein' : german(unit));
  if (value < 20) return small[value] ?? '';
  if (value < 100) {
    const unit = value % 10;
    return `${unit === 0 ? '' : `${before(unit)}und`}${tens[Math.floor(value / 10)] ?? ''}`;
  }
  if (value < 1000) return joined(`${before(Math.floor(value / 100))}hundert`, value % 100, '', german);
  return joined(`${before(Math.floor(value / 1000))}tausend`, value % 1000, '', german);
}

function joined(whole: string | undefined, rest: number, by: string, say: (value: number) => string): string {
  return rest === 0 ? (whole ?? '') : `${whole ?? ''}${by}${say(rest)}`;
}
