import { z } from 'zod';

/** The arguments of each tool. Other arguments are refused before the tool runs. */
export const toolArguments = {
  find_openings: z.strictObject({ day: z.iso.date() }),
  find_first_day: z.strictObject({
    reason: z.enum(['checkup', 'pain', 'follow_up', 'vaccination', 'private', 'other']),
  }),
  book_visit: z.strictObject({
    full_name: z.string().min(1),
    birth_date: z.iso.date(),
    reason: z.enum(['checkup', 'pain', 'follow_up', 'vaccination', 'private', 'other']),
    phone: z.string().optional(),
    day: z.iso.date(),
    visit_time: z.iso.time({ precision: -1 }),
  }),
  ring: z.strictObject({ line: z.enum(['nurse', 'front_desk']), urgent: z.boolean() }),
  note_consent: z.strictObject({}),
};

export interface ClinicOptions {
  /** The clinic's day, YYYY-MM-DD. */
  readonly today: () => string;
  /** Taken times, such as `2026-12-01 09:30`. */
  readonly taken?: Iterable<string>;
  /** Whether the calendar answers; default: it does. */
  readonly isReachable?: () => boolean;
  /** Called when a caller is put through. */
  readonly ring?: (line: 'nurse' | 'front_desk', urgent: boolean) => void;
  /** Records the caller's consent. */
  readonly noteConsent?: () => void;
}

/** The context of a tool call. */
export interface ToolCall {
  /** The idempotency key, the same for every attempt of a write. */
  readonly key: string;
}

type Result = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The clinic's functions over a calendar in memory. A repeated write with the same key books once. */
export function createTools(
  options: ClinicOptions,
): Record<keyof typeof toolArguments, (args: unknown, call: ToolCall) => Promise<Result>> {
  const visits = new Set(options.taken);
  const written = new Map<string, { readonly args: string; readonly result: Result }>();
  const isDown = (): boolean => options.isReachable?.() === false;
  const openOn = (day: string): readonly string[] =>
    day > options.today() ? hoursOf(day).filter((time) => !visits.has(`${day} ${time}`)) : [];
  const firstOpenDay = (after: string): string | undefined => daysAfter(after).find((day) => openOn(day).length > 0);

  return {
    async find_openings(given) {
      const { day } = toolArguments.find_openings.parse(given);
      if (isDown()) return { status: 'unavailable' };
      const times = openOn(day);
      if (times.length > 0) return { status: 'open', day, times, spoken: spokenTimes(times) };
      const next = firstOpenDay(day > options.today() ? day : options.today());
      if (next === undefined) return { status: 'unavailable' };
      return { status: 'none', day, times, next_day: next, spoken: spokenDay(next) };
    },

    async find_first_day(given) {
      const { reason } = toolArguments.find_first_day.parse(given);
      if (isDown()) return { status: 'unavailable' };
      // Patients in pain may come tomorrow. Other visits need a day to prepare.
      const [tomorrow = ''] = daysAfter(options.today());
      const day = firstOpenDay(reason === 'pain' ? options.today() : tomorrow);
      if (day === undefined) return { status: 'unavailable' };
      return { status: 'next', times: [], next_day: day, spoken: spokenDay(day) };
    },

    async book_visit(given, { key }) {
      const visit = toolArguments.book_visit.parse(given);
      const args = JSON.stringify(visit);
      const before = written.get(key);
      if (before !== undefined) {
        if (before.args !== args) throw new Error('This key has booked another visit. Use a new key for a new visit.');
        return before.result;
      }
      if (isDown()) return { status: 'unavailable' };
      const { day, visit_time: time } = visit;
      const times = openOn(day);
      if (times.length === 0) return { status: 'day_full' };
      if (!times.includes(time)) return { status: 'taken', day, times, spoken: spokenTimes(times) };
      visits.add(`${day} ${time}`);
      const result = { status: 'booked', day, time, spoken: `${spokenDay(day)} at ${spokenTime(time)}` };
      written.set(key, { args, result });
      return result;
    },

    async ring(given) {
      const { line, urgent } = toolArguments.ring.parse(given);
      options.ring?.(line, urgent);
      return { ringing: true };
    },

    async note_consent(given) {
      toolArguments.note_consent.parse(given);
      options.noteConsent?.();
      return { noted: true };
    },
  };
}

const mornings = ['08:30', '09:30', '10:15', '11:00'];
const afternoons = ['13:30', '14:30', '15:45'];

function hoursOf(day: string): readonly string[] {
  const weekday = new Date(`${day}T00:00Z`).getUTCDay();
  if (weekday === 0) return [];
  return weekday === 6 ? mornings : [...mornings, ...afternoons];
}

/** The days of the next eight weeks, the planning period on the phone. */
function daysAfter(day: string): readonly string[] {
  const start = Date.parse(`${day}T00:00Z`);
  return Array.from({ length: 56 }, (_, index) =>
    new Date(start + (index + 1) * 86_400_000).toISOString().slice(0, 10),
  );
}

const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

function spokenDay(day: string): string {
  return days.format(Date.parse(`${day}T00:00Z`));
}

/** `9:30 AM`, `11 AM`. */
function spokenTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The first, the middle and the last of the times. Callers remember at most three. */
function spokenTimes(times: readonly string[]): string {
  const named = times.length <= 3 ? times : [times[0], times[Math.floor(times.length / 2)], times.at(-1)];
  const spoken = named.flatMap((time) => (time === undefined ? [] : spokenTime(time)));
  const last = spoken.at(-1) ?? '';
  return spoken.length < 2 ? last : `${spoken.slice(0, -1).join(', ')} or ${last}`;
}
