import { describe, expect, it } from 'vitest';
import { type Booking, createTools, type RestaurantOptions } from '../../flows/restaurant-booking/tools.ts';
import { call, type Exchange, flowOf, phoneCall, record } from './phone-call.ts';

const looking = 'Let me look at the book.';
const wishes = 'Is there anything the kitchen should know, such as an allergy?';
const question = 'That is a table for 4 on Friday, December 4 at 7:30 PM, under Maria Delgado. Shall I book it?';
const noMore = 'I am sorry, I have nothing more on Friday, December 4. Shall I put you on the waiting list?';
const notBooked = 'That is a pity. We would be glad to see you another time. Goodbye!';
const found = 'I have a table for 4 on Friday, December 4 at 7:30 PM. Would you like to move it, or cancel it?';
const moveQuestion = 'I move your table to Saturday, December 5 at 8:00 PM, for 6. Shall I do that?';
const toTheTeam = 'I am putting you through to the team. Please stay on the line.';
const maria: Booking = { phone: '+14155552671', guest: 'Maria Delgado', size: 4, day: '2026-12-04', time: '19:30' };

/** The Friday evening of December 4, with all tables taken around half past seven. */
const fullEvening: readonly Booking[] = [
  { phone: '+1', guest: 'A Wedding', size: 40, day: '2026-12-04', time: '19:30' },
];
const fullDay: readonly Booking[] = [
  ...fullEvening,
  { phone: '+2', guest: 'An Office', size: 40, day: '2026-12-04', time: '17:30' },
  { phone: '+3', guest: 'A Choir', size: 40, day: '2026-12-04', time: '21:30' },
];

const upToPlan: readonly Exchange[] = [
  ['Yes.', [call('new_booking')], 'How many of you will there be?'],
  ['Four.', [record({ party_size: 4 })], 'Which day would you like to come?'],
  ['Friday the fourth.', [record({ day: '2026-12-04' })], 'At what time?'],
];
const half7: Exchange = ['Half past seven.', [record({ time: '19:30' })], `${looking} What name shall I put it under?`];
const guest: readonly Exchange[] = [
  ['Maria Delgado.', [record({ guest_name: 'Maria Delgado' })], 'Under the name Maria Delgado. Is that right?'],
  ['Yes.', [], 'May I have a phone number for the booking?'],
  ['415 555 2671.', [record({ phone: '415 555 2671' })], 'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?'],
];
const findMaria: readonly Exchange[] = [
  ['I have a table already.', [call('existing_booking')], 'May I have a phone number for the booking?'],
  ['415 555 2671.', [record({ phone: '415 555 2671' })], 'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?'],
];

async function restaurant(options: Partial<RestaurantOptions> = {}) {
  const rung: string[] = [];
  const texts: string[] = [];
  const tools = createTools({
    today: () => '2026-11-21',
    ring: (line) => rung.push(line),
    sendText: (phone, text) => texts.push(`${phone}: ${text}`),
    ...options,
  });
  const phone = phoneCall(flowOf('restaurant-booking', tools), tools);
  expect(await phone.begin()).toBe('Thank you for calling the Olive Yard. Would you like to book a table?');
  return { ...phone, tools, rung, texts };
}

describe('the restaurant', () => {
  it('books a table after a yes, and sends a text', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...upToPlan,
      half7,
      ...guest,
      ['Yes.', [], wishes],
      ['One of us is allergic to nuts.', [call('note_wishes', { wishes: 'nut allergy' })], question],
      [
        'Yes, please.',
        [],
        'Your table is booked, for 4 on Friday, December 4 at 7:30 PM. We look forward to seeing you. Goodbye!',
      ],
    );
    expect(phone.ranAs('book_table')).toEqual([
      {
        guest_name: 'Maria Delgado',
        phone: '+14155552671',
        party_size: 4,
        day: '2026-12-04',
        time: '19:30',
        wishes: 'nut allergy',
      },
    ]);
    expect(phone.texts).toEqual(['+14155552671: Your table: for 4 on Friday, December 4 at 7:30 PM.']);
    expect(phone.ended()).toBe('booked');
  });

  it('asks for nothing that was said already', async () => {
    const phone = await restaurant();
    await phone.talk(
      [
        'Yes, for four on Friday the fourth at half past seven, under Maria Delgado, and one of us is vegan.',
        [
          record({ party_size: 4, day: '2026-12-04', time: '19:30', guest_name: 'Maria Delgado', wishes: 'one vegan' }),
          call('new_booking'),
        ],
        `${looking} Under the name Maria Delgado. Is that right?`,
      ],
      ...guest.slice(1),
      ['Yes.', [], question],
    );
  });

  it('puts a party of more than twelve through, whenever it becomes one', async () => {
    const line =
      'For more than twelve we plan the evening with you in person. I am putting you through to our events team.';
    const fifteen = [record({ party_size: 15 })];
    const atOnce = await restaurant();
    await atOnce.talk(upToPlan[0]!, ['Fifteen.', fifteen, line]);
    const later = await restaurant();
    await later.talk(...upToPlan, half7, guest[0]!, ['Yes, but we are fifteen now.', fifteen, line]);
    const last = await restaurant();
    await last.talk(...upToPlan, half7, ...guest, ['Yes.', [], wishes], ['No.', [call('no_wishes')], question]);
    await last.talk(['Oh, we are fifteen.', fifteen, line]);
    const waits = await restaurant({ bookings: fullDay });
    await waits.talk(
      ...upToPlan,
      ['Half past seven.', [record({ time: '19:30' })], `${looking} ${noMore}`],
      ['Yes.', [call('wait_for_table')], 'What name shall I put it under?'],
      ['We are fifteen now.', fifteen, line],
    );
    const moves = await restaurant({ bookings: [maria] });
    await moves.talk(
      ...findMaria,
      ['Yes.', [], found],
      ['Move it.', [call('move')], 'How many of you will there be?'],
      [
        'Six, on Saturday the fifth at eight.',
        [record({ party_size: 6, day: '2026-12-05', time: '20:00' })],
        `${looking} ${moveQuestion}`,
      ],
      ['Fifteen, sorry.', fifteen, line],
    );
    for (const phone of [atOnce, later, last, waits, moves]) {
      expect(phone.rung).toEqual(['events']);
      expect([...phone.ranAs('book_table'), ...phone.ranAs('move_booking')]).toEqual([]);
    }
  });

  it('books nothing after a no, and then what the caller wants instead', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...upToPlan,
      half7,
      ...guest,
      ['Yes.', [], wishes],
      ['No.', [call('no_wishes')], question],
      ['No.', [call('do_not_book')], 'Alright, I have not changed anything in the book. What would you like instead?'],
    );
    expect(phone.ranAs('book_table')).toEqual([]);
    await phone.talk(
      [
        'We are five.',
        [call('choose_size', { party_size: 5 })],
        `${looking} That is a table for 5 on Friday, December 4 at 7:30 PM, under Maria Delgado. Shall I book it?`,
      ],
      [
        'Yes.',
        [],
        'Your table is booked, for 5 on Friday, December 4 at 7:30 PM. We look forward to seeing you. Goodbye!',
      ],
    );
    expect(phone.ranAs('book_table')).toMatchObject([{ party_size: 5 }]);
  });

  it('offers the nearest times when the wanted one is full', async () => {
    const phone = await restaurant({ bookings: fullEvening });
    await phone.talk(
      ...upToPlan,
      [
        'Half past seven.',
        [record({ time: '19:30' })],
        `${looking} At 7:30 PM we are full, but I have a table at 5:30 PM. What time would you like?`,
      ],
      ['Half past five.', [call('choose_time', { time: '17:30' })], `${looking} What name shall I put it under?`],
    );
  });

  it('goes from a full hour to the waiting list, and books nothing for who does not want it either', async () => {
    const phone = await restaurant({ bookings: fullEvening });
    await phone.talk(
      ...upToPlan,
      [
        'Half past seven.',
        [record({ time: '19:30' })],
        `${looking} At 7:30 PM we are full, but I have a table at 5:30 PM. What time would you like?`,
      ],
      ['No.', [call('no_time_suits')], noMore],
      ['Yes.', [call('wait_for_table')], 'What name shall I put it under?'],
      ['I would rather not say.', [call('will_not_say')], notBooked],
    );
    expect(phone.ended()).toBe('not_booked');
    const refuses = await restaurant({ bookings: fullDay });
    await refuses.talk(
      ...upToPlan,
      ['Half past seven.', [record({ time: '19:30' })], `${looking} ${noMore}`],
      ['No.', [call('no_list')], notBooked],
    );
  });

  it('finds out what else the caller wants', async () => {
    const phone = await restaurant();
    await phone.talk(
      ['No.', [call('something_else')], 'What can I do for you?'],
      ['Do you cater weddings?', [call('ask_the_team')], toTheTeam],
    );
    expect(phone.rung).toEqual(['host']);
  });

  it('puts the caller on the waiting list of a full evening', async () => {
    const phone = await restaurant({ bookings: fullDay });
    await phone.talk(
      ...upToPlan,
      ['Half past seven.', [record({ time: '19:30' })], `${looking} ${noMore}`],
      ['Yes.', [call('wait_for_table')], 'What name shall I put it under?'],
      ...guest,
      ['Yes.', [], 'So we ring you on 4 1 5, 5 5 5, 2 6 7 1 if a table for 4 comes free. Shall I put you on the list?'],
      ['Yes.', [], 'You are on the list. We ring you as soon as a table comes free. Goodbye!'],
    );
    expect(phone.ranAs('join_waiting_list')).toHaveLength(1);
    expect(phone.ended()).toBe('waiting_list');
  });

  it('knows its own days and hours', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...upToPlan.slice(0, 2),
      [
        'Monday the seventh, at two.',
        [record({ day: '2026-12-07', time: '14:00' })],
        `${looking} We are closed on Monday, December 7. Which day would you like instead?`,
      ],
      [
        'Then Friday.',
        [call('choose_day', { day: '2026-12-04' })],
        `${looking} On Friday, December 4 we seat guests from 5:30 PM to 9 PM. What time would you like?`,
      ],
      ['Half past seven.', [call('choose_time', { time: '19:30' })], `${looking} What name shall I put it under?`],
    );
  });

  it('leaves tonight, and severe allergies, to people', async () => {
    const tonight = await restaurant();
    await tonight.talk(...upToPlan.slice(0, 2), [
      'Tonight.',
      [call('tonight')],
      'For tonight our host keeps the book by hand. I am putting you through.',
    ]);
    expect(tonight.rung).toEqual(['host']);
    const allergic = await restaurant();
    await allergic.talk(
      ...upToPlan,
      half7,
      ...guest,
      ['Yes.', [], wishes],
      [
        'My son could die from peanuts.',
        [call('severe_allergy')],
        'I would rather have our chef talk to you about that. I am putting you through.',
      ],
    );
    expect(allergic.rung).toEqual(['kitchen']);
  });

  it('answers about allergies in between and comes back to its question', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...upToPlan.slice(0, 2),
      [
        'Is there vegan food?',
        [call('allergies')],
        'We cook gluten free and vegan, but nuts are used in our kitchen. Back to my question: Which day would you like to come?',
      ],
      ['Great, then Friday the fourth.', [record({ day: '2026-12-04' })], 'At what time?'],
    );
  });

  it('explains why it asks for a number, and goes on with who gives it after all', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...upToPlan,
      half7,
      ...guest.slice(0, 2),
      [
        'I would rather not say.',
        [call('will_not_say')],
        'We only ring if something comes up with your table. Shall we go on?',
      ],
      ['Fine, 415 555 2671.', [record({ phone: '415 555 2671' })], 'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?'],
    );
  });

  it('looks again when somebody else took the table before the yes', async () => {
    const phone = await restaurant();
    await phone.talk(...upToPlan, half7, ...guest, ['Yes.', [], wishes], ['No.', [call('no_wishes')], question]);
    const { size: _, guest: guest_name, ...plan } = fullEvening[0]!;
    for (const number of ['+4', '+5', '+6', '+7'])
      await phone.tools['book_table']?.({ ...plan, guest_name, phone: number, party_size: 10 }, { key: number });
    await phone.talk([
      'Yes.',
      [],
      'I am sorry, that table has just gone. Let me see what is left. At 7:30 PM we are full, but I have a table at 5:30 PM. What time would you like?',
    ]);
    expect(phone.ended()).toBeNull();
  });

  it('moves a booking after a yes', async () => {
    const phone = await restaurant({ bookings: [maria] });
    await phone.talk(
      ...findMaria,
      ['Yes.', [], found],
      ['Move it.', [call('move')], 'How many of you will there be?'],
      [
        'Six, on Saturday the fifth at eight.',
        [record({ party_size: 6, day: '2026-12-05', time: '20:00' })],
        `${looking} ${moveQuestion}`,
      ],
      [
        'Yes.',
        [],
        'Your table is booked, for 6 on Saturday, December 5 at 8 PM. We look forward to seeing you. Goodbye!',
      ],
    );
    expect(phone.ranAs('move_booking')).toEqual([
      { phone: '+14155552671', party_size: 6, day: '2026-12-05', time: '20:00' },
    ]);
    expect(phone.ranAs('book_table')).toEqual([]);
  });

  it('cancels a booking after a yes, and keeps it after a no', async () => {
    const really = 'Shall I cancel the table for 4 on Friday, December 4 at 7:30 PM?';
    const yes = await restaurant({ bookings: [maria] });
    await yes.talk(...findMaria, ['Yes.', [], found], ['Cancel it.', [call('cancel')], really]);
    await yes.talk(['Yes.', [], 'Your table is cancelled. We hope to see you another time. Goodbye!']);
    expect(await yes.tools['find_booking']?.({ phone: maria.phone }, { key: '' })).toEqual({ status: 'none' });
    const no = await restaurant({ bookings: [maria] });
    await no.talk(...findMaria, ['Yes.', [], found], ['Cancel it.', [call('cancel')], really]);
    await no.talk(['No.', [call('do_not_cancel')], 'Then everything stays as it is. See you soon. Goodbye!']);
    expect(no.ranAs('cancel_booking')).toEqual([]);
  });

  it('asks for another number where it finds no booking', async () => {
    const phone = await restaurant();
    await phone.talk(
      ...findMaria,
      ['Yes.', [], 'I find no booking under that number. Which other number could it be under?'],
      [
        '415 555 2672.',
        [call('other_number', { phone: '415 555 2672' })],
        'I have 4 1 5, 5 5 5, 2 6 7 2. Is that right?',
      ],
    );
  });

  it('says that nothing has changed when the book cannot be written', async () => {
    let isUp = true;
    const phone = await restaurant({ isReachable: () => isUp });
    await phone.talk(...upToPlan, half7, ...guest, ['Yes.', [], wishes], ['No.', [call('no_wishes')], question]);
    isUp = false;
    await phone.talk(
      ['Yes.', [], 'I am sorry, I could not save that, and nothing has changed. Shall I put you through to the team?'],
      ['Yes.', [call('put_through')], toTheTeam],
    );
    expect(phone.rung).toEqual(['host']);
    expect(phone.texts).toEqual([]);
  });

  it('offers the team when it cannot look into the book', async () => {
    const phone = await restaurant({ isReachable: () => false });
    await phone.talk(...upToPlan, [
      'Half past seven.',
      [record({ time: '19:30' })],
      `${looking} I cannot look into our book right now. Shall I put you through to the team?`,
    ]);
  });
});
