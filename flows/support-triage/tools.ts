import { z } from 'zod';

const phone = z.string().min(1);

/** The arguments of each tool. Other arguments are refused before the tool runs. */
export const toolArguments = {
  lookup_account: z.strictObject({ phone, full_name: z.string().min(1) }),
  find_invoice: z.strictObject({ phone }),
  check_outage: z.strictObject({ phone }),
  find_order: z.strictObject({ phone }),
  open_ticket: z.strictObject({
    phone,
    topic: z.enum(['billing', 'outage']),
    severity: z.enum(['normal', 'high']),
    billing_issue: z.enum(['amount', 'double', 'refund', 'payment', 'other']).optional(),
    impact: z.enum(['gone', 'slow', 'unstable']).optional(),
  }),
  notify_when_fixed: z.strictObject({ phone }),
  apply_offer: z.strictObject({ phone, offer: z.enum(['discount', 'upgrade']) }),
  cancel_contract: z.strictObject({ phone, cancel_reason: z.enum(['price', 'slow', 'moving', 'private', 'other']) }),
  ring: z.strictObject({
    line: z.enum(['emergency_team', 'colleague', 'payments', 'movers', 'complaints']),
    about: z.string().optional(),
  }),
};

/** What the provider knows about a customer. */
export interface Account {
  readonly phone: string;
  readonly name: string;
  /** The area of the network that the line hangs on. */
  readonly area: string;
  /** The last day of the current term, YYYY-MM-DD. */
  readonly termEnds: string;
  readonly invoice?: { readonly dollars: number; readonly day: string };
  readonly order?: { readonly item: string; readonly arrives: string };
}

export interface SupportOptions {
  /** The provider's day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly accounts: Iterable<Account>;
  /** Areas with a fault, and when it should be fixed, in words that can be spoken. */
  readonly faults?: Readonly<Record<string, string>>;
  /** Whether the systems answer; they do unless told otherwise. */
  readonly isReachable?: () => boolean;
  /** What rings when a caller is put through, and what the colleague is told. */
  readonly ring?: (line: z.output<typeof toolArguments.ring>['line'], about: string) => void;
}

/** The context of a tool call. */
export interface ToolCall {
  /** The idempotency key, the same for every attempt of a write. */
  readonly key: string;
}

type Result = Readonly<Record<string, string | number | boolean>>;

/** The provider's functions over accounts in memory. A repeated write with the same key runs once. */
export function createTools(
  options: SupportOptions,
): Record<keyof typeof toolArguments, (args: unknown, call: ToolCall) => Promise<Result>> {
  const accounts = new Map<string, Account>();
  for (const account of options.accounts) accounts.set(account.phone, account);
  const faults = new Map(Object.entries(options.faults ?? {}));
  const ended = new Map<string, string>();
  const written = new Map<string, { readonly args: string; readonly result: Result }>();
  let tickets = 0;

  const isDown = (): boolean => options.isReachable?.() === false;
  const read = (find: () => Result): Result => (isDown() ? { status: 'unavailable' } : find());

  /** Runs a write once per key. A failed write may be repeated. */
  function once(key: string, args: { readonly phone: string }, write: (account: Account) => Result): Result {
    const text = JSON.stringify(args);
    const before = written.get(key);
    if (before !== undefined && before.args !== text)
      throw new Error('This key has written something else. Use a new key for a new write.');
    if (before !== undefined) return before.result;
    const account = accounts.get(args.phone);
    if (isDown() || account === undefined) return { status: 'unavailable' };
    const result = write(account);
    written.set(key, { args: text, result });
    return result;
  }

  return {
    async lookup_account(given) {
      const { phone: number, full_name: name } = toolArguments.lookup_account.parse(given);
      return read(() => {
        const account = accounts.get(number);
        if (account === undefined || plain(account.name) !== plain(name)) return { status: 'mismatch' };
        return { status: 'found', ends: spokenDay(endOf(account, options.today())) };
      });
    },

    async find_invoice(given) {
      const { phone: number } = toolArguments.find_invoice.parse(given);
      return read(() => {
        const invoice = accounts.get(number)?.invoice;
        if (invoice === undefined) return { status: 'none' };
        return { status: 'found', spoken: `${invoice.dollars} dollars on ${spokenDay(invoice.day)}` };
      });
    },

    async check_outage(given) {
      const { phone: number } = toolArguments.check_outage.parse(given);
      return read(() => {
        const fixed = faults.get(accounts.get(number)?.area ?? '');
        return fixed === undefined ? { status: 'none' } : { status: 'known', spoken: fixed };
      });
    },

    async find_order(given) {
      const { phone: number } = toolArguments.find_order.parse(given);
      return read(() => {
        const order = accounts.get(number)?.order;
        if (order === undefined) return { status: 'none' };
        return { status: 'shipped', item: order.item, spoken: spokenDay(order.arrives) };
      });
    },

    async open_ticket(given, { key }) {
      const ticket = toolArguments.open_ticket.parse(given);
      return once(key, ticket, () => {
        tickets += 1;
        const number = String(4_000 + tickets);
        return { status: 'opened', number, severity: ticket.severity, spoken: number.split('').join(' ') };
      });
    },

    async notify_when_fixed(given, { key }) {
      return once(key, toolArguments.notify_when_fixed.parse(given), () => ({ status: 'noted' }));
    },

    async apply_offer(given, { key }) {
      return once(key, toolArguments.apply_offer.parse(given), () => ({ status: 'applied' }));
    },

    async cancel_contract(given, { key }) {
      const cancellation = toolArguments.cancel_contract.parse(given);
      return once(key, cancellation, (account) => {
        // A contract that was cancelled before keeps the day that the caller was told then.
        const day = ended.get(account.phone) ?? endOf(account, options.today());
        ended.set(account.phone, day);
        return { status: 'cancelled', spoken: spokenDay(day) };
      });
    },

    async ring(given) {
      const { line, about } = toolArguments.ring.parse(given);
      options.ring?.(line, about ?? '');
      return { ringing: true };
    },
  };
}

/** A contract ends with its term; one whose term is over ends in thirty days. */
function endOf({ termEnds }: Account, today: string): string {
  if (termEnds > today) return termEnds;
  return new Date(Date.parse(`${today}T00:00Z`) + 30 * 86_400_000).toISOString().slice(0, 10);
}

/** Names are compared as they sound: without case, accents and marks. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}\s]/gu, '')
    .toLowerCase()
    .split(/\s+/)
    .join(' ')
    .trim();
}

const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

function spokenDay(day: string): string {
  return days.format(Date.parse(`${day}T00:00Z`));
}
