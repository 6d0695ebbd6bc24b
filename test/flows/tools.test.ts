import { describe, expect, it } from 'vitest';
import { createTools as createClinic } from '../../flows/clinic-intake/tools.ts';
import { createTools as createRestaurant } from '../../flows/restaurant-booking/tools.ts';
import { createTools as createSupport } from '../../flows/support-triage/tools.ts';
import type { Tools } from './phone-call.ts';

const today = (): string => '2026-11-21';
const read = { key: 'read' };

/** Calls one tool as its host does. */
function use(tools: Tools, name: string) {
  return async (args: object, key = 'first'): Promise<unknown> => tools[name]?.(args, { key });
}

describe('the clinic’s tools', () => {
  const visit = {
    full_name: 'A B',
    birth_date: '1990-01-01',
    reason: 'checkup',
    day: '2026-12-01',
    visit_time: '09:30',
  };

  it('book once under one key, however often they are called', async () => {
    const tools = createClinic({ today });
    const book = use(tools, 'book_visit');
    const booked = await book(visit);
    expect(booked).toMatchObject({ status: 'booked', spoken: 'Tuesday, December 1 at 9:30 AM' });
    expect(await book(visit)).toEqual(booked);
    expect(await tools['find_openings']?.({ day: visit.day }, read)).toMatchObject({
      times: ['08:30', '10:15', '11:00', '13:30', '14:30', '15:45'],
    });
  });

  it('tell a second caller what is left, and a third that the day is full', async () => {
    const taken = ['08:30', '10:15', '11:00', '13:30', '14:30'].map((time) => `2026-12-01 ${time}`);
    const book = use(createClinic({ today, taken }), 'book_visit');
    await book(visit);
    expect(await book(visit, 'second')).toMatchObject({ status: 'taken', times: ['15:45'], spoken: '3:45 PM' });
    await book({ ...visit, visit_time: '15:45' }, 'second');
    expect(await book(visit, 'third')).toEqual({ status: 'day_full' });
  });

  it('book nothing while the calendar is down, and under the same key once it is up', async () => {
    let isUp = false;
    const tools = createClinic({ today, isReachable: () => isUp });
    const book = use(tools, 'book_visit');
    expect(await book(visit)).toEqual({ status: 'unavailable' });
    expect(await tools['find_openings']?.({ day: visit.day }, read)).toEqual({ status: 'unavailable' });
    isUp = true;
    expect(await book(visit)).toMatchObject({ status: 'booked' });
  });

  it('refuse a key that has booked another visit, and arguments that are none', async () => {
    const tools = createClinic({ today });
    const book = use(tools, 'book_visit');
    await book(visit);
    await expect(book({ ...visit, visit_time: '11:00' })).rejects.toThrow('another visit');
    await expect(book({ ...visit, day: 'Tuesday' }, 'second')).rejects.toThrow();
    await expect(book({ ...visit, extra: 1 }, 'second')).rejects.toThrow();
    expect(await tools['find_openings']?.({ day: visit.day }, read)).toMatchObject({ times: { length: 6 } });
  });

  it('are closed on Sundays, on Saturday afternoons, and in the past', async () => {
    const find = use(createClinic({ today }), 'find_openings');
    expect(await find({ day: '2026-11-29' })).toMatchObject({
      status: 'none',
      next_day: '2026-11-30',
      spoken: 'Monday, November 30',
    });
    expect(await find({ day: '2026-11-28' })).toMatchObject({ times: ['08:30', '09:30', '10:15', '11:00'] });
    expect(await find({ day: '2020-01-01' })).toMatchObject({ status: 'none', next_day: '2026-11-23' });
  });

  it('find the first day, for who is in pain a day sooner', async () => {
    const first = use(createClinic({ today: () => '2026-11-23' }), 'find_first_day');
    expect(await first({ reason: 'pain' })).toMatchObject({ next_day: '2026-11-24' });
    expect(await first({ reason: 'checkup' })).toMatchObject({ next_day: '2026-11-25' });
  });
});

describe('the restaurant’s tools', () => {
  const plan = { party_size: 4, day: '2026-12-04', time: '19:30' };
  const table = { ...plan, guest_name: 'A B', phone: '+1' };

  it('book once under one key, and seat no more guests than there are seats', async () => {
    const book = use(createRestaurant({ today, seats: 8 }), 'book_table');
    const booked = await book(table);
    expect(booked).toEqual({ status: 'booked', spoken: 'for 4 on Friday, December 4 at 7:30 PM' });
    expect(await book(table)).toEqual(booked);
    await expect(book({ ...table, party_size: 5 })).rejects.toThrow('something else');
    expect(await book({ ...table, phone: '+2' }, 'second')).toMatchObject({ status: 'booked' });
    expect(await book({ ...table, phone: '+3' }, 'third')).toEqual({ status: 'full' });
    expect(await book({ ...table, phone: '+3', time: '21:30' }, 'fourth')).toEqual({ status: 'full' });
    expect(await book({ ...table, phone: '+3', time: '17:30' }, 'fifth')).toMatchObject({ status: 'booked' });
  });

  it('tell a full hour from a full day, a closed hour and a closed day', async () => {
    const seats = { today, seats: 4 };
    const one = use(
      createRestaurant({ ...seats, bookings: [{ phone: '+1', guest: 'A', size: 4, day: plan.day, time: '19:30' }] }),
      'check_tables',
    );
    expect(await one(plan)).toEqual({ status: 'full', times: ['17:30'], spoken: '5:30 PM' });
    expect(await one({ ...plan, party_size: 5 })).toEqual({ status: 'full_day' });
    expect(await one({ ...plan, party_size: 13 })).toEqual({ status: 'too_large' });
    expect(await one({ ...plan, time: '12:00' })).toEqual({ status: 'closed_hour', spoken: '5:30 PM to 9 PM' });
    expect(await one({ ...plan, day: '2026-12-07' })).toEqual({ status: 'closed_day', spoken: 'Monday, December 7' });
    expect(await one({ ...plan, day: '2026-12-06', time: '12:00' })).toMatchObject({ status: 'free' });
  });

  it('move a table past its own place, once', async () => {
    const tools = createRestaurant({
      today,
      seats: 4,
      bookings: [{ phone: '+1', guest: 'A', size: 4, day: plan.day, time: '19:30' }],
    });
    const move = use(tools, 'move_booking');
    expect(await move({ ...plan, phone: '+1', time: '20:00' })).toMatchObject({ status: 'booked' });
    expect(await move({ ...plan, phone: '+1', time: '20:00' })).toMatchObject({ status: 'booked' });
    expect(await move({ ...plan, phone: '+2' }, 'second')).toEqual({ status: 'none' });
    expect(await tools['find_booking']?.({ phone: '+1' }, read)).toEqual({
      status: 'found',
      spoken: 'for 4 on Friday, December 4 at 8 PM',
    });
  });

  it('cancel, list and text once under one key, and nothing while the book is down', async () => {
    let isUp = false;
    const texts: string[] = [];
    const tools = createRestaurant({
      today,
      bookings: [{ phone: '+1', guest: 'A', size: 4, day: plan.day, time: '19:30' }],
      isReachable: () => isUp,
      sendText: (phone) => texts.push(phone),
    });
    const cancel = use(tools, 'cancel_booking');
    const join = use(tools, 'join_waiting_list');
    const text = use(tools, 'text_guest');
    expect(await cancel({ phone: '+1' })).toEqual({ status: 'unavailable' });
    isUp = true;
    expect([await cancel({ phone: '+1' }), await cancel({ phone: '+1' })]).toEqual([
      { status: 'cancelled' },
      { status: 'cancelled' },
    ]);
    expect(await cancel({ phone: '+1' }, 'later')).toEqual({ status: 'none' });
    expect([await join(table, 'list'), await join(table, 'list')]).toEqual([
      { status: 'listed', place: 1 },
      { status: 'listed', place: 1 },
    ]);
    expect(await join({ ...table, phone: '+2' }, 'next')).toEqual({ status: 'listed', place: 2 });
    await text({ phone: '+1', booking: 'for 4' }, 'text');
    await text({ phone: '+1', booking: 'for 4' }, 'text');
    expect(texts).toEqual(['+1']);
  });
});

describe('the support desk’s tools', () => {
  const account = { phone: '+1', name: 'María Delgado', area: 'harbour', termEnds: '2027-03-31' };
  const ticket = { phone: '+1', topic: 'outage', severity: 'high', impact: 'gone' };

  it('open one ticket under one key, and another under another', async () => {
    const open = use(createSupport({ today, accounts: [account] }), 'open_ticket');
    expect(await open(ticket)).toMatchObject({ status: 'opened', spoken: '4 0 0 1' });
    expect(await open(ticket)).toMatchObject({ spoken: '4 0 0 1' });
    expect(await open(ticket, 'second')).toMatchObject({ spoken: '4 0 0 2' });
    await expect(open({ ...ticket, impact: 'slow' })).rejects.toThrow('something else');
  });

  it('find an account by number and name, however the name is written', async () => {
    const look = use(createSupport({ today, accounts: [account] }), 'lookup_account');
    expect(await look({ phone: '+1', full_name: 'maria delgado' })).toEqual({
      status: 'found',
      ends: 'Wednesday, March 31',
    });
    expect(await look({ phone: '+1', full_name: 'Bob' })).toEqual({ status: 'mismatch' });
    expect(await look({ phone: '+2', full_name: 'María Delgado' })).toEqual({ status: 'mismatch' });
  });

  it('cancel to the end of the term, or in thirty days once it is over, and keep the day that was told first', async () => {
    let day = '2026-11-21';
    const tools = createSupport({
      today: () => day,
      accounts: [account, { ...account, phone: '+2', termEnds: '2026-01-31' }],
    });
    const cancel = use(tools, 'cancel_contract');
    expect(await cancel({ phone: '+1', cancel_reason: 'price' })).toEqual({
      status: 'cancelled',
      spoken: 'Wednesday, March 31',
    });
    expect(await cancel({ phone: '+2', cancel_reason: 'price' }, 'b')).toEqual({
      status: 'cancelled',
      spoken: 'Monday, December 21',
    });
    day = '2026-11-30';
    expect(await cancel({ phone: '+2', cancel_reason: 'price' }, 'c')).toEqual({
      status: 'cancelled',
      spoken: 'Monday, December 21',
    });
  });

  it('change nothing while the systems are down, or for a number without an account', async () => {
    let isUp = false;
    const tools = createSupport({ today, accounts: [account], isReachable: () => isUp });
    const apply = use(tools, 'apply_offer');
    expect(await apply({ phone: '+1', offer: 'discount' })).toEqual({ status: 'unavailable' });
    isUp = true;
    expect(await apply({ phone: '+2', offer: 'discount' }, 'other')).toEqual({ status: 'unavailable' });
    expect(await apply({ phone: '+1', offer: 'discount' })).toEqual({ status: 'applied' });
  });

  it('know bills, faults and orders, and say so where there are none', async () => {
    const rich = {
      ...account,
      invoice: { dollars: 84, day: '2026-11-01' },
      order: { item: 'router', arrives: '2026-11-24' },
    };
    const tools = createSupport({
      today,
      accounts: [rich, { ...account, phone: '+2', area: 'hill' }],
      faults: { harbour: 'six' },
    });
    const found = await Promise.all(
      ['find_invoice', 'check_outage', 'find_order'].map((name) => use(tools, name)({ phone: '+1' })),
    );
    expect(found).toEqual([
      { status: 'found', spoken: '84 dollars on Sunday, November 1' },
      { status: 'known', spoken: 'six' },
      { status: 'shipped', item: 'router', spoken: 'Tuesday, November 24' },
    ]);
    const missing = await Promise.all(
      ['find_invoice', 'check_outage', 'find_order'].map((name) => use(tools, name)({ phone: '+2' })),
    );
    expect(missing).toEqual([{ status: 'none' }, { status: 'none' }, { status: 'none' }]);
  });
});
