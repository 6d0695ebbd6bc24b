import { describe, expect, it } from 'vitest';
import { createTools, type ClinicOptions } from '../../flows/clinic-intake/tools.ts';
import { call, type Exchange, flowOf, phoneCall, record } from './phone-call.ts';

const greeting = 'Hi, this is Harbour Clinic. I can book a visit for you, and I take notes as we talk. Shall we start?';
const looking = 'One moment, I am looking at the calendar.';
const openings = 'On Tuesday, December 1 I have 8:30 AM, 11 AM or 3:45 PM.';
const toTheDesk = 'I am putting you through to the front desk. Please stay on the line.';

/** A returning caller who has given all details but the day. */
const details: readonly Exchange[] = [
  ['Yes.', [call('start')], 'May I have your full name?'],
  ['Maria Delgado.', [record({ full_name: 'Maria Delgado' })], 'Maria Delgado, is that right?'],
  ['Yes.', [], 'What is your date of birth?'],
  ['March fourth, 1984.', [record({ birth_date: '1984-03-04' })], 'Have you been here before?'],
  ['Yes, I have.', [record({ been_before: true })], 'What brings you in?'],
  ['A checkup.', [record({ reason: 'checkup' })], 'May I have a phone number, in case something changes?'],
  ['No.', [], 'Which day would suit you?'],
];
const upToConfirmation: readonly Exchange[] = [
  ...details,
  ['December first.', [record({ day: '2026-12-01' })], `${looking} ${openings} What time would you like?`],
  [
    'Half past nine.',
    [record({ visit_time: '09:30' })],
    'So that is Tuesday, December 1 at 9:30 AM for Maria Delgado. Shall I book it?',
  ],
];

async function clinic(options: Partial<ClinicOptions> = {}) {
  const rung: string[] = [];
  const ring = (line: string, urgent: boolean): void => void rung.push(urgent ? `${line}, urgent` : line);
  const tools = createTools({ today: () => '2026-11-21', ring, ...options });
  const phone = phoneCall(flowOf('clinic-intake', tools), tools);
  expect(await phone.begin()).toBe(greeting);
  return { ...phone, rung };
}

describe('the clinic intake', () => {
  it('books the visit that the caller said yes to, once, and notes the consent', async () => {
    const phone = await clinic();
    await phone.talk(...upToConfirmation);
    expect(phone.ranAs('book_visit')).toEqual([]);
    await phone.talk(['Yes, please.', [], 'You are booked for Tuesday, December 1 at 9:30 AM. See you then. Goodbye!']);
    expect(phone.ranAs('book_visit')).toEqual([
      {
        full_name: 'Maria Delgado',
        birth_date: '1984-03-04',
        reason: 'checkup',
        day: '2026-12-01',
        visit_time: '09:30',
      },
    ]);
    expect(phone.ranAs('note_consent')).toHaveLength(1);
    expect(phone.ended()).toBe('booked');
  });

  it('asks for nothing that was said already, and takes all of it in one sentence', async () => {
    const phone = await clinic();
    await phone.talk(
      [
        'Yes, I am Maria Delgado, born March fourth 1984, it is my first time. My tooth hurts, can I come December first at half past nine?',
        [
          record({
            full_name: 'Maria Delgado',
            birth_date: '1984-03-04',
            been_before: false,
            reason: 'pain',
            day: '2026-12-01',
            visit_time: '09:30',
          }),
          call('start'),
        ],
        'Maria Delgado, is that right?',
      ],
      ['Yes.', [], 'From zero to ten, how bad is the pain right now?'],
      ['Five.', [record({ pain_level: 5 })], 'May I have a phone number, in case something changes?'],
      ['415 555 2671.', [record({ phone: '415 555 2671' })], 'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?'],
      ['Correct.', [], `${looking} So that is Tuesday, December 1 at 9:30 AM for Maria Delgado. Shall I book it?`],
      [
        'Yes.',
        [],
        'You are booked for Tuesday, December 1 at 9:30 AM. Please come fifteen minutes early and bring a photo ID. Goodbye!',
      ],
    );
    expect(phone.ranAs('book_visit')).toMatchObject([{ phone: '+14155552671', reason: 'pain' }]);
  });

  it('says what is open when the time that was said early is not', async () => {
    const phone = await clinic({ taken: ['2026-12-01 09:30'] });
    await phone.talk(
      ...details.slice(0, -1),
      [
        'No, but I can come December first at 9:30.',
        [record({ day: '2026-12-01', visit_time: '09:30' })],
        `${looking} I am sorry, 9:30 AM is not open. On Tuesday, December 1 I have 8:30 AM, 1:30 PM or 3:45 PM. What time would you like?`,
      ],
      [
        'At eleven.',
        [call('choose_time', { visit_time: '11:00' })],
        'So that is Tuesday, December 1 at 11:00 AM for Maria Delgado. Shall I book it?',
      ],
    );
  });

  it('takes a correction in the middle of the confirmation, and books what was corrected', async () => {
    const phone = await clinic();
    await phone.talk(
      ...upToConfirmation,
      [
        'Wait, I was born on the fifth.',
        [record({ birth_date: '1984-03-05' })],
        'So that is Tuesday, December 1 at 9:30 AM for Maria Delgado. Shall I book it?',
      ],
      ['Yes.', [], 'You are booked for Tuesday, December 1 at 9:30 AM. See you then. Goodbye!'],
    );
    expect(phone.ranAs('book_visit')).toMatchObject([{ birth_date: '1984-03-05' }]);
  });

  it('books nothing after a no, and then what the caller wants instead', async () => {
    const phone = await clinic();
    const change = 'Alright, I have not booked anything. What would you like to change?';
    await phone.talk(...upToConfirmation, ['No.', [call('do_not_book')], change]);
    expect(phone.ranAs('book_visit')).toEqual([]);
    await phone.talk(
      ['The name is Delgada.', [call('correct_name', { full_name: 'Maria Delgada' })], 'Maria Delgada, is that right?'],
      ['Yes.', [], `${looking} So that is Tuesday, December 1 at 9:30 AM for Maria Delgada. Shall I book it?`],
      ['No.', [call('do_not_book')], change],
      [
        'On the second instead.',
        [call('choose_day', { day: '2026-12-02' })],
        `${looking} So that is Wednesday, December 2 at 9:30 AM for Maria Delgada. Shall I book it?`,
      ],
      ['Yes.', [], 'You are booked for Wednesday, December 2 at 9:30 AM. See you then. Goodbye!'],
    );
    expect(phone.ranAs('book_visit')).toMatchObject([{ full_name: 'Maria Delgada', day: '2026-12-02' }]);
  });

  it('explains why it asks, and puts through who still refuses', async () => {
    const phone = await clinic();
    const why = 'We need it to open the right file, and it stays with us. Shall we go on?';
    await phone.talk(
      ...details.slice(0, 3),
      ['I would rather not say.', [call('will_not_say')], why],
      ['Alright, yes.', [call('go_on_after_all')], 'What is your date of birth?'],
      ['No, I will not tell you.', [call('will_not_say')], why],
      ['No.', [call('still_refuses')], toTheDesk],
    );
    expect(phone.ended()).toBe('front_desk');
    expect(phone.rung).toEqual(['front_desk']);
  });

  it('takes a refused reason as an answer', async () => {
    const phone = await clinic();
    await phone.talk(...details.slice(0, 5), [
      'I would rather not say.',
      [record({ reason: 'private' })],
      'May I have a phone number, in case something changes?',
    ]);
  });

  it('lets a caller go who does not want to start', async () => {
    const phone = await clinic();
    await phone.talk(['No.', [call('decline')], 'Alright. You can call us any time. Goodbye!']);
    expect(phone.ended()).toBe('declined');
    expect(phone.ran).toEqual([]);
  });

  it('sends an emergency to nine one one in whatever it is doing', async () => {
    const line = 'Please hang up now and call nine one one. Stay where you are, and do not drive.';
    for (const before of [[], details.slice(0, 2), upToConfirmation]) {
      const phone = await clinic();
      await phone.talk(...before, ['I have chest pain.', [call('emergency')], line]);
      expect(phone.ended()).toBe('emergency');
      expect(phone.ranAs('book_visit')).toEqual([]);
    }
  });

  it('puts severe pain through to the nurse', async () => {
    const phone = await clinic();
    await phone.talk(
      ...details.slice(0, 5),
      ['My back hurts.', [record({ reason: 'pain' })], 'From zero to ten, how bad is the pain right now?'],
      ['Nine.', [record({ pain_level: 9 })], 'That is a lot of pain. I am putting you through to our nurse right now.'],
    );
    expect(phone.rung).toEqual(['nurse, urgent']);
    expect(phone.ended()).toBe('nurse');
  });

  it('reaches the nurse however early or late severe pain is told', async () => {
    const nurse = 'That is a lot of pain. I am putting you through to our nurse right now.';
    const early = await clinic();
    await early.talk([
      'Yes, my tooth hurts, nine of ten.',
      [record({ reason: 'pain', pain_level: 9 }), call('start')],
      nurse,
    ]);
    expect(early.rung).toEqual(['nurse, urgent']);
    const beside = await clinic();
    await beside.talk(...details.slice(0, 5), [
      'A checkup, and my back hurts, eight of ten.',
      [record({ reason: 'checkup', pain_level: 8 })],
      nurse,
    ]);
    const late = await clinic();
    await late.talk(...upToConfirmation.slice(0, -1), [
      'Half past nine, and by the way, the pain is a nine now.',
      [record({ visit_time: '09:30', pain_level: 9 })],
      nurse,
    ]);
    expect(late.ended()).toBe('nurse');
    const last = await clinic();
    await last.talk(
      ...upToConfirmation,
      ['By the way, my back hurts.', [record({ reason: 'pain' })], 'From zero to ten, how bad is the pain right now?'],
      ['Nine.', [record({ pain_level: 9 })], nurse],
    );
    expect(last.ran.map(({ name }) => name)).not.toContain('book_visit');
  });

  it('goes on with who cannot rate the pain, and does not ask for a number that was said', async () => {
    const phone = await clinic();
    await phone.talk(
      ...details.slice(0, 5),
      ['My back hurts.', [record({ reason: 'pain' })], 'From zero to ten, how bad is the pain right now?'],
      [
        'Hard to say. My number is 415 555 2671.',
        [record({ phone: '415 555 2671' }), call('cannot_rate')],
        'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?',
      ],
      ['No.', [], 'May I have a phone number, in case something changes?'],
    );
    expect(phone.session.known['phone']).toBeUndefined();
  });

  it('answers a question in between and comes back to what it had asked, with what was said meanwhile', async () => {
    const phone = await clinic();
    const parking = 'There is free parking behind the clinic, and bus twelve stops at the door.';
    await phone.talk(
      ...details.slice(0, 2),
      ['Where can I park?', [call('parking')], `${parking} Maria Delgado, is that right?`],
      ['Yes.', [], 'What is your date of birth?'],
      [
        'And when do you close?',
        [call('opening_hours')],
        'We are open from eight to five, Monday to Friday, and on Saturday until noon. So: What is your date of birth?',
      ],
      ['I was born on March fourth, 1984.', [record({ birth_date: '1984-03-04' })], 'Have you been here before?'],
    );
    expect(phone.session.state.position.stack).toEqual([]);
  });

  it('names the next day with an opening where there is none', async () => {
    const phone = await clinic();
    await phone.talk(
      ...details,
      [
        'On the 29th.',
        [record({ day: '2026-11-29' })],
        `${looking} I have nothing on Sunday, November 29. The next opening is on Monday, November 30. Which day would you like?`,
      ],
      [
        'That is fine.',
        [call('choose_day', { day: '2026-11-30' })],
        `${looking} On Monday, November 30 I have 8:30 AM, 11 AM or 3:45 PM. What time would you like?`,
      ],
    );
  });

  it('finds the first day for who wants to come soon', async () => {
    const phone = await clinic();
    await phone.talk(
      ...details,
      [
        'As soon as possible.',
        [call('as_soon_as_possible')],
        `${looking} The first opening is on Monday, November 23. Which day would you like?`,
      ],
      [
        'None of them.',
        [call('no_day_suits')],
        'That is fine. Nothing is booked, and you can call us any time. Goodbye!',
      ],
    );
    expect(phone.ended()).toBe('not_booked');
  });

  it('offers the front desk when the calendar does not answer', async () => {
    const phone = await clinic({ isReachable: () => false });
    await phone.talk(
      ...details,
      [
        'December first.',
        [record({ day: '2026-12-01' })],
        `${looking} I cannot reach the calendar right now. Shall I put you through to the front desk?`,
      ],
      ['Yes.', [call('put_through')], toTheDesk],
    );
  });

  it('offers what is left when somebody else was faster', async () => {
    const tools = createTools({ today: () => '2026-11-21' });
    const phone = phoneCall(flowOf('clinic-intake', tools), tools);
    await phone.begin();
    await phone.talk(...upToConfirmation);
    const other = {
      full_name: 'A B',
      birth_date: '1990-01-01',
      reason: 'checkup',
      day: '2026-12-01',
      visit_time: '09:30',
    };
    await tools['book_visit']?.(other, { key: 'another call' });
    await phone.talk(
      [
        'Yes.',
        [],
        'I am sorry, that time has just been taken. I still have 8:30 AM, 1:30 PM or 3:45 PM. What time would you like?',
      ],
      [
        'Half past one.',
        [call('choose_time', { visit_time: '13:30' })],
        `${looking} So that is Tuesday, December 1 at 1:30 PM for Maria Delgado. Shall I book it?`,
      ],
      ['Yes.', [], 'You are booked for Tuesday, December 1 at 1:30 PM. See you then. Goodbye!'],
    );
    const keys = phone.ran.filter(({ name }) => name === 'book_visit').map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  it('looks at the calendar again when the whole day has filled up', async () => {
    let day = '2026-11-21';
    const phone = await clinic({ today: () => day });
    await phone.talk(...upToConfirmation);
    day = '2026-12-01';
    await phone.talk([
      'Yes.',
      [],
      `${looking} I have nothing on Tuesday, December 1. The next opening is on Wednesday, December 2. Which day would you like?`,
    ]);
    expect(phone.ended()).toBeNull();
  });

  it('does not say that it has booked what could not be saved, and tries again on a yes', async () => {
    let isUp = true;
    const phone = await clinic({ isReachable: () => isUp });
    await phone.talk(...upToConfirmation);
    isUp = false;
    await phone.talk(['Yes.', [], 'I am sorry, I could not save that, so nothing is booked yet. Shall I try again?']);
    isUp = true;
    await phone.talk(
      ['Yes.', [call('try_again')], 'So that is Tuesday, December 1 at 9:30 AM for Maria Delgado. Shall I book it?'],
      ['Yes.', [], 'You are booked for Tuesday, December 1 at 9:30 AM. See you then. Goodbye!'],
    );
    expect(phone.ranAs('book_visit')).toHaveLength(2);
    expect(phone.ended()).toBe('booked');
  });

  it('puts a caller through who asks for a person', async () => {
    const phone = await clinic();
    await phone.talk(...details, ['Can I talk to a human?', [call('front_desk')], toTheDesk]);
    expect(phone.rung).toEqual(['front_desk']);
  });
});
