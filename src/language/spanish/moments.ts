import { addedClock } from '../tables/clock.ts';
import type { MomentWords } from '../tables/tables.ts';

export const moments: MomentWords = {
  correction:
    /(?<!\p{L})(?:no|perdon|mejor dicho|digo|quiero decir|me he equivocado)(?!\p{L})[,.]?\s+(?:mejor\s+|es\s+)?(?=\S)/u,
  refusal: /\bno (?:puedo|me va|me viene|es posible)|imposible/,
  clause: /[,;.]\s|\bpero\b|\bsino\b/,
  bound:
    /\b(?:antes del? (?!ayer)|despues del?|hasta|entre|durante|a partir del?|por \d+ (?:d|s))|\sou?\s(?!algo)|\bno (?:el|este|la)\b/,
  denial: /^no (?:el|este|la) /,
  prepare: (folded) => folded.replaceAll(/\bbuenos dias\b|\bbuenas (?:tardes|noches)\b/g, ' '),
  clock: addedClock({
    at: '(?:a|hacia|sobre|desde|son|tipo) las? |a eso de las? |las? (?=\\d+ (?:y|menos) )',
    hours: ' ?h(?:oras?)?(?!\\p{L})',
    half: 'y media',
    quarter: 'y cuarto',
    minus: 'menos (cuarto|\\d+)',
    plus: '(?:y |con )?(\\d+)',
    notBehind: 'dentro de|en|durante|hace|cada|a',
    named: [
      [/\b(?:al? ?)?mediodia\b/, 12],
      [/\b(?:a ?(?:la )?)?medianoche\b/, 0],
    ],
    namedHalf: /^ y media/,
  }),
  am: /\b(?:de|por|en) la (?:manana|madrugada)\b/,
  pm: /\b(?:de|por|en|a) la (?:tarde|noche)\b|\bdel mediodia\b/,
  days: [
    [/\bpasado manana\b/, 2],
    [/\bantes de ayer\b|\banteayer\b|\bantier\b/, -2],
    [/\bmanana\b/, 1],
    [/\bhoy\b/, 0],
    [/\bayer\b/, -1],
  ],
  ago: /\bhace (\d+|un|una) (dias?|semanas?)\b/,
  ahead: /\b(?:dentro de|en|de aqui a) (\d+|un|una) (dias?|semanas?)\b/,
  isWeek: /^sem/,
  eightDays: /\bde hoy en (?:8|15)(?: dias)?\b/,
  weekdays: ['domingo', 'lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado'],
  shortWeekdays: 3,
  nextWeek: /\b(?:de )?la (?:semana que viene|proxima semana)\b/,
  lastWeek: /\bpasado\b/,
  months: [
    ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre|setiembre', 'octubre'],
    ...['noviembre', 'diciembre'],
  ],
  of: '(?: del ano| del| de)*',
  besideDay: 'el dia de del',
  dayAlone: /\b(?:el(?: dia)?|dia) (\d{1,2})(?![\d:])(?! de \p{L})/u,
  beside: `
    el la los las un una uno al a en de del por para que viene este esta proximo proxima siguiente dia y con hoy manana pasado ayer
    anteayer antes dentro hace tarde noche madrugada mediodia medianoche media cuarto menos punto hora horas h primera sobre hacia tipo
    eso ver si claro naci nacido nacida cumpleanos mi es fue digo perdon mejor no quedamos podria ser quiero quisiera me gustaria
    puede favor son entonces perfecto vale ano dias semana semanas aqui`,
};
