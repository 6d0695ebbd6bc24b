import { addedClock } from '../tables/clock.ts';
import type { MomentWords } from '../tables/tables.ts';

export const moments: MomentWords = {
  correction: /\b(?:nao|desculpe|desculpa|perdao|quer dizer|alias|digo)\b[,.]?\s+(?:melhor\s+|e\s+)?(?=\S)/,
  refusal: /\bnao (?:posso|da|consigo)\b|impossivel/,
  clause: /[,;.]\s|\bmas\b/,
  bound:
    /\b(?:antes d(?!e ontem)|depois d[aeo]s? (?!amanha)|ate |entre|durante|desde|a partir d|por \d+ (?:d|s))|\sou\s|\bnao (?:nest|n[ao] |ess)/,
  denial: /^nao (?:nest|ess|n[ao] )/,
  prepare: (folded) =>
    folded
      .replaceAll(/\bbo[am] (?:dia|tarde|noite)\b/g, ' ')
      .replaceAll(/\bmeio-dia\b/g, 'meio dia')
      .replaceAll(/\bmeia-noite\b/g, 'meia noite')
      .replaceAll(/\b(segunda|terca|quarta|quinta|sexta)[- ]feira\b/g, '$1 feira'),
  clock: addedClock({
    at: '(?:as|(?<!daqui )a|pelas|la pelas|por volta das|sao) ',
    hours: ' ?(?:horas?|h|hs)(?!\\p{L})',
    half: 'e meia',
    quarter: 'e um quarto',
    minus: 'menos (um quarto|\\d+)',
    plus: 'e (\\d+)',
    to: /(?:\bas )?\b(\d+|um quarto) para as? (\d+)(?:\s?(?:horas?|h)\b)?/,
    notBehind: 'em|dentro de|daqui a|ha|durante|por|cada',
    named: [
      [/\b(?:ao )?meio dia\b/, 12],
      [/\b(?:a )?meia noite\b/, 0],
    ],
    namedHalf: /^ e meia/,
  }),
  am: /\b(?:da|de|pela|na) (?:manha|madrugada)\b/,
  pm: /\b(?:da|de|pela|na|a) (?:tarde|noite)\b/,
  days: [
    [/\bdepois de amanha\b/, 2],
    [/\banteontem\b|\bantes de ontem\b/, -2],
    [/\bamanha\b/, 1],
    [/\bhoje\b/, 0],
    [/\bontem\b/, -1],
  ],
  ago: /\bha (\d+|um|uma) (dias?|semanas?)\b|\b(\d+|uma?) (dias?|semanas?) atras\b/,
  ahead: /\b(?:daqui a|em|dentro de) (\d+|um|uma) (dias?|semanas?)\b/,
  isWeek: /^sem/,
  eightDays: /\b(?:daqui a|de hoje a) (?:8|15) dias\b/,
  weekdays: ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'],
  shortWeekdays: 3,
  // Weekdays are ordinals as well: "a sexta opção".
  behindWeekday: /^(?: feira| que vem| as| de manha| a | da semana| bem| por | nao| sim| ou | e |,|\.|\s*;|\s*$)/,
  nextWeek: /\b(?:da|na) (?:semana que vem|proxima semana)\b/,
  lastWeek: /\bpassad[ao]\b/,
  months: [
    ...[
      'janeiro',
      'fevereiro',
      'marco',
      'abril',
      'maio',
      'junho',
      'julho',
      'agosto',
      'setembro',
      'outubro',
      'novembro',
    ],
    'dezembro',
  ],
  of: '(?: do ano| do| de)*',
  besideDay: 'o dia de',
  dayAlone: /\b(?:no )?dia (\d{1,2})(?![\d:])(?! de \p{L})/u,
  beside: `
    o a os as um uma ao no na nos nas de da do dos das dia dias semana semanas que vem proximo proxima este esta neste nesta hoje amanha
    ontem anteontem depois daqui em ha atras tarde noite manha madrugada meio meia e para pelas la por volta hora horas h quinze entao
    bem cedo sim favor nasci nasceu meu aniversario foi nao desculpe desculpa quer dizer melhor feira quero queria pode ser seria`,
};
