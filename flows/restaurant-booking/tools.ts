import { z } from 'zod';

const phone = z.string().min(1);
const plan = {
  party_size: z.int().min(1),
  day: z.iso.date(),
  time: z.iso.time({ precision: -1 }),
};
const guestsAtATable = z.int().min(1).max(12);

/** The arguments of each tool. Other arguments are refused before the tool runs. */
export const toolArguments = {
  check_tables: z.strictObject(plan),
  book_table: z.strictObject({
    ...plan,
    guest_name: z.string().min(1),
    phone,
    party_size: guestsAtATable,
    wishes: z.string().optional(),
  }),
  join_waiting_list: z.strictObject({ ...plan, guest_name: z.string().min(1), phone, party_size: guestsAtATable }),
  find_booking: z.strictObject({ phone }),
  move_booking: z.strictObject({ ...plan, phone, party_size: guestsAtATable }),
  cancel_booking: z.strictObject({ phone }),
  ring: z.strictObject({ line: z.enum(['host', 'events', 'kitchen']) }),
  text_guest: z.strictObject({ phone, booking: z.string() }),
};

/** A table that is taken. */
export interface Booking {
  readonly phone: string;
  readonly guest: string;
  readonly size: number;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** HH:MM. */
  readonly time: string;
}

export interface RestaurantOptions {
  /** The restaurant's day, YYYY-MM-DD. */
  readonly today: () => string;
  /** How many guests can sit at once (40). */
  readonly seats?: number;
  readonly bookings?: Iterable<Booking>;
  /** Whether the book answers; default: it does. */
  readonly isReachable?: () => boolean;
  /** Called when a caller is put through. */
  readonly ring?: (line: 'host' | 'events' | 'kitchen') => void;
  /** Sends a text message. */
  readonly sendText?: (phone: string, text: string) => void;
}

/** The context of a tool call. */
export interface ToolCall {
  /** The idempotency key, the same for every attempt of a write. */
  readonly key: string;
}

type Result = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The restaurant's functions over a book in memory. A repeated write with the same key runs once. */
export function createTools(
  options: RestaurantOptions,
): Record<keyof typeof toolArguments, (args: unknown, call: ToolCall) => Promise<Result>> {
  const seats = options.seats ?? 40;
  const bookings = new Map<string, Booking>();
  for (const booking of options.bookings ?? []) bookings.set(booking.phone, booking);
  const waiting: Booking[] = [];
  const written = new Map<string, { readonly args: string; readonly result: Result }>();
  const isDown = (): boolean => options.isReachable?.() === false;

  /** Runs a write once per key. A failed write may be repeated. */
  function once(key: string, args: object, write: () => Result): Result {
    const text = JSON.stringify(args);
    const before = written.get(key);
    if (before !== undefined && before.args !== text)
      throw new Error('This key has written something else. Use a new key for a new write.');
    if (before !== undefined) return before.result;
    if (isDown()) return { status: 'unavailable' };
    const result = write();
    if (result['status'] !== 'full') written.set(key, { args: text, result });
    return result;
  }

  /** Checks for free seats. A caller's table does not block its own move. */
  function hasRoom(size: number, day: string, time: string, besides = ''): boolean {
    let seated = size;
    for (const booking of bookings.values())
      if (
        booking.phone !== besides &&
        booking.day === day &&
        Math.abs(minutesOf(booking.time) - minutesOf(time)) < sitting
      )
        seated += booking.size;
    return seated <= seats;
  }

  function isSeating(day: string, time: string): boolean {
    const hours = hoursOf(day);
    return day > options.today() && hours !== undefined && time >= hours.first && time <= hours.last;
  }

  return {
    async check_tables(given) {
      const { party_size: size, day, time } = toolArguments.check_tables.parse(given);
      if (size > 12) return { status: 'too_large' };
      if (isDown()) return { status: 'unavailable' };
      const hours = hoursOf(day);
      if (hours === undefined || day <= options.today()) return { status: 'closed_day', spoken: spokenDay(day) };
      if (!isSeating(day, time))
        return { status: 'closed_hour', spoken: `${spokenTime(hours.first)} to ${spokenTime(hours.last)}` };
      if (hasRoom(size, day, time)) return { status: 'free', times: [time], spoken: spokenTime(time) };
      const times = halfHours(hours).filter((other) => hasRoom(size, day, other));
      if (times.length === 0) return { status: 'full_day' };
      return { status: 'full', times, spoken: nearest(times, time).map(spokenTime).join(' or ') };
    },

    async book_table(given, { key }) {
      const booking = toolArguments.book_table.parse(given);
      return once(key, booking, () => take(booking.guest_name, booking));
    },

    async move_booking(given, { key }) {
      const move = toolArguments.move_booking.parse(given);
      return once(key, move, () => {
        const before = bookings.get(move.phone);
        return before === undefined ? { status: 'none' } : take(before.guest, move);
      });
    },

    async join_waiting_list(given, { key }) {
      const {
        guest_name: guest,
        phone: number,
        party_size: size,
        day,
        time,
      } = toolArguments.join_waiting_list.parse(given);
      return once(key, { guest, number, size, day, time }, () => {
        const place = waiting.filter((one) => one.day === day).length + 1;
        waiting.push({ phone: number, guest, size, day, time });
        return { status: 'listed', place };
      });
    },

    async find_booking(given) {
      const booking = bookings.get(toolArguments.find_booking.parse(given).phone);
      if (isDown()) return { status: 'unavailable' };
      return booking === undefined ? { status: 'none' } : { status: 'found', spoken: spokenBooking(booking) };
    },

    async cancel_booking(given, { key }) {
      const cancellation = toolArguments.cancel_booking.parse(given);
      return once(key, cancellation, () => ({
        status: bookings.delete(cancellation.phone) ? 'cancelled' : 'none',
      }));
    },

    async ring(given) {
      options.ring?.(toolArguments.ring.parse(given).line);
      return { ringing: true };
    },

    async text_guest(given, { key }) {
      const text = toolArguments.text_guest.parse(given);
      return once(`text ${key}`, text, () => {
        options.sendText?.(text.phone, `Your table: ${text.booking}.`);
        return { sent: true };
      });
    },
  };

  function take(guest: string, wanted: { phone: string; party_size: number; day: string; time: string }): Result {
    const { phone: number, party_size: size, day, time } = wanted;
    if (!isSeating(day, time) || !hasRoom(size, day, time, number)) return { status: 'full' };
    const booking = { phone: number, guest, size, day, time };
    bookings.set(number, booking);
    return { status: 'booked', spoken: spokenBooking(booking) };
  }
}

/** How long a table is kept, in minutes. */
const sitting = 120;

interface Hours {
  readonly first: string;
  readonly last: string;
}

/** When guests are seated on a day; undefined on Mondays. */
function hoursOf(day: string): Hours | undefined {
  const weekday = new Date(`${day}T00:00Z`).getUTCDay();
  if (weekday === 1) return undefined;
  return weekday === 0 ? { first: '12:00', last: '19:00' } : { first: '17:30', last: '21:00' };
}

function halfHours({ first, last }: Hours): readonly string[] {
  const times: string[] = [];
  for (let minutes = minutesOf(first); minutes <= minutesOf(last); minutes += 30)
    times.push(`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);
  return times;
}

/** The nearest time before and the nearest after: more than two nobody keeps in mind. */
function nearest(times: readonly string[], wanted: string): readonly string[] {
  const before = times.findLast((time) => time < wanted);
  const after = times.find((time) => time > wanted);
  return [before, after].filter((time) => time !== undefined);
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

function spokenDay(day: string): string {
  return days.format(Date.parse(`${day}T00:00Z`));
}

/** `7:30 PM`, `8 PM`. */
function spokenTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

function spokenBooking({ size, day, time }: Booking): string {
  return `for ${size} on ${spokenDay(day)} at ${spokenTime(time)}`;
}
