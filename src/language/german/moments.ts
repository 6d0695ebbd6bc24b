import { timeOf, writtenClock } from '../tables/clock.ts';
import type { ClockTime, MomentWords } from '../tables/tables.ts';

const TOWARDS =
  /(?<!\p{L})(?:um |gegen )?(halb|dreiviertel|viertel (?:vor|nach)|viertel|\d+ (?:minuten )?(?:vor|nach)) (\d{1,2})(?: uhr)?(?![\p{L}\d.])/u;
const FULL_HOUR =
  /(?<!\p{L})(?:um |gegen )(\d{1,2})(?: uhr(?: ([0-5]?\d))?)?(?![\p{L}\d.:])|(?<![\d.:])(\d{1,2}) uhr(?: ([0-5]?\d))?(?![\p{L}\d.])/u;
const MIDNIGHT = /(?<!\p{L})(?:um )?mitternacht(?!\p{L})/u;
const NOON = /(?<!\p{L})(?:am |zu )?mittag(?!\p{L})/u;

/** "Halb vier" is 3:30, "dreiviertel vier" 3:45, "viertel vier" 3:15, "fünf vor vier" 3:55. */
function clock(text: string): ClockTime | null {
  const written = writtenClock(text);
  if (written !== null) return written;
  const towards = TOWARDS.exec(text);
  if (towards !== null) {
    const [all, kind = '', said] = towards;
    const hour = Number(said) * 60;
    const minutes = Number(/\d+/.exec(kind)?.[0] ?? 15);
    const at =
      kind === 'halb'
        ? hour - 30
        : kind === 'dreiviertel'
          ? hour - 15
          : kind === 'viertel'
            ? hour - 45
            : kind.includes('vor')
              ? hour - minutes
              : hour + minutes;
    return timeOf(text, towards.index, all, Math.floor(at / 60), ((at % 60) + 60) % 60, false);
  }
  const full = FULL_HOUR.exec(text);
  if (full !== null)
    return timeOf(text, full.index, full[0], Number(full[1] ?? full[3]), Number(full[2] ?? full[4] ?? 0), false);
  const midnight = MIDNIGHT.exec(text);
  if (midnight !== null) return timeOf(text, midnight.index, midnight[0], 0, 0, true);
  const noon = NOON.exec(text);
  return noon === null ? null : timeOf(text, noon.index, noon[0], 12, 0, true);
}

export const moments: MomentWords = {
  correction:
    /(?<!\p{L})(?:nein|entschuldigung|ich meine|besser gesagt|quatsch|moment|doch lieber|vielmehr)(?!\p{L})[,.]?\s+(?:doch\s+|lieber\s+|ich meine\s+)*(?=\S)/u,
  refusal: /kann ich (?:nicht|leider nicht)|geht (?:nicht|es nicht|leider nicht)|passt (?:nicht|mir nicht)|unmöglich/,
  clause: /,|;|(?<!\p{L})aber(?!\p{L})|(?<!\p{L})sondern(?!\p{L})/u,
  bound:
    /(?<!\p{L})(?:vor (?!\d+ (?:tag|woche)|einer woche|einem tag)|nach (?!\d)|bis |zwischen|ab |seit|für \d+ (?:tag|woche)|spätestens|frühestens)|\soder\s(?!so)|(?<!\p{L})nicht (?:diesen|am|den|an)/u,
  denial: /^nicht (?:diese|am|den) /,
  prepare: (folded) =>
    folded
      .replaceAll(/guten (?:morgen|tag|abend)|moin moin/g, ' ')
      .replaceAll(/(tag|woch)morgen(?!\p{L})/gu, '$1 morgens')
      .replaceAll(/(tag|woch)(vormittag|nachmittag|mittag|abend)(?!\p{L})/gu, '$1 am $2'),
  clock,
  am: /(?<!\p{L})(?:morgens|früh|vormittags?|in der früh|am morgen|am vormittag)(?!\p{L})/u,
  pm: /(?<!\p{L})(?:nachmittags?|abends?|am nachmittag|am abend|mittags)(?!\p{L})/u,
  days: [
    [/(?<!\p{L})übermorgen(?!\p{L})/u, 2],
    [/(?<!\p{L})vorgestern(?!\p{L})/u, -2],
    [/(?<!\p{L})morgen(?!\p{L})/u, 1],
    [/(?<!\p{L})heute(?!\p{L})/u, 0],
    [/(?<!\p{L})gestern(?!\p{L})/u, -1],
  ],
  ago: /(?<!\p{L})vor (\d+|einem|einer) (tag(?:en)?|wochen?)(?!\p{L})/u,
  ahead: /(?<!\p{L})in (\d+|einem|einer) (tag(?:en)?|wochen?)(?!\p{L})/u,
  isWeek: /^woche/,
  eightDays: /(?:heute )?in (?:8|14) tagen/,
  weekdays: ['sonntags?', 'montags?', 'dienstags?', 'mittwochs?', 'donnerstags?', 'freitags?', 'samstags?|sonnabends?'],
  shortWeekdays: 2,
  nextWeek: /(?:in der )?(?:nächsten?|kommenden?) woche/,
  lastWeek: /(?<!\p{L})(?:letzten|vergangenen|vorigen)(?!\p{L})/u,
  months: [
    ...['januar|jänner', 'februar', 'märz|maerz', 'april', 'mai', 'juni', 'juli', 'august', 'september', 'oktober'],
    ...['november', 'dezember'],
  ],
  of: '',
  besideDay: 'der dem den',
  dayAlone: /(?<!\p{L})(?:am|der|den|zum) (\d{1,2})\.(?! ?[\p{L}\d])/u,
  beside: `
    der die das den dem am im in um an zum zur gegen so etwa ungefähr heute morgen übermorgen gestern vorgestern früh vormittag
    vormittags mittag mittags nachmittag nachmittags abend abends nachts morgens mitternacht halb viertel dreiviertel uhr nach vor tag
    tage tagen woche wochen nächste nächsten nächster kommende kommenden diesen dieser dieses und ja also gut bitte danke gleich ich bin
    geboren mein geburtstag ist war nein lieber doch entschuldigung meine besser gesagt moment quatsch sagen wir gerne möchte würde
    passt es wäre einem einer`,
};
