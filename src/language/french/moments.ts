import { addedClock } from '../tables/clock.ts';
import type { MomentWords } from '../tables/tables.ts';

export const moments: MomentWords = {
  correction:
    /(?<!\p{L})(?:non|pardon|je veux dire|plutot|excusez moi|excusez-moi|desole|desolee)(?!\p{L})[,.]?\s+(?:plutot\s+|c'est\s+)?(?=\S)/u,
  refusal: /ne (?:peux|pourrai) pas|je peux pas|impossible|pas possible/,
  clause: /[,;.]\s|\bmais\b/,
  bound:
    /\b(?:avant(?![- ]hier)|apres (?!demain|midi)|jusqu|entre|pendant|depuis|pour \d+ (?:j|s)|a partir)|\sou\s|\bpas (?:ce|le|cet)/,
  denial: /^pas (?:ce|cet|le) /,
  prepare: (folded) =>
    folded
      .replaceAll(/\bbonne (?:journee|soiree|nuit)\b|\bbon apres[- ]midi\b/g, ' ')
      .replaceAll(/\b(apres|avant)-(?=demain|midi|hier)/g, '$1 ')
      .replaceAll(/\baujourd'hui\b/g, 'aujourd hui'),
  clock: addedClock({
    at: '(?:a|vers|des|pour|il est) ',
    hours: '\\s?(?:heures?|h)(?!\\p{L})',
    isUnitSaid: true,
    half: 'et demie?',
    quarter: 'et quart',
    minus: 'moins (?:le )?(quart|\\d+)',
    plus: '(\\d+)',
    notBehind: 'dans|ici|pendant|y a|depuis|en|les',
    named: [
      [/(?:\ba )?(?<!apres )\bmidi\b/, 12],
      [/(?:\ba )?\bminuit\b/, 0],
    ],
    namedHalf: /^ et demie?/,
  }),
  am: /\b(?:du|le|au) matin\b|\bmatin\b|\bdans la matinee\b/,
  pm: /\b(?:de |dans |pour )?l'apres midi\b|\bapres midi\b|\b(?:du |le |au |dans la )?(?:soir|soiree)\b/,
  days: [
    [/\bapres demain\b/, 2],
    [/\bavant hier\b/, -2],
    [/\bdemain\b/, 1],
    [/\baujourd hui\b/, 0],
    [/\bhier\b/, -1],
  ],
  ago: /\bil y a (\d+|un|une) (jours?|semaines?)\b/,
  ahead: /\b(?:dans|d'ici) (\d+|un|une) (jours?|semaines?)\b/,
  isWeek: /^sem/,
  eightDays: /\b(?:d'ici|dans) (?:8|15) jours\b/,
  weekdays: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
  shortWeekdays: 3,
  nextWeek: /\b(?:de )?la semaine prochaine\b/,
  lastWeek: /\b(?:dernier|passe)\b/,
  weekAfter: /\ben (?:8|15)\b/,
  months: [
    ...['janvier', 'fevrier', 'mars', 'avril', 'mai', 'juin', 'juillet', 'aout', 'septembre', 'octobre', 'novembre'],
    'decembre',
  ],
  of: '',
  besideDay: 'le',
  dayAlone: /\ble (\d{1,2})(?![\d:/h]| ?heures?)(?! \p{L}{3,})/u,
  beside: `
    le la les l un une a au du de d en dans ce cet cette prochain prochaine jour jours semaine semaines demain apres avant hier
    aujourd hui midi minuit matin soir ici heure heures h quart et demi demie moins vers qui vient alors bon oui je suis ne nee c est
    etait s il vous plait non pardon plutot veux dire y premiere voudrais pour serait ans moi`,
};
