import type { JsonObject } from '../../../src/model/json.ts';
import { agreesTo, type Answer, fact, type Facts, readBack, type Said, said, says, tells, yes } from './said.ts';

/** A caller with a purpose and the expected result of the call. */
export interface Caller {
  readonly name: string;
  readonly flow: 'clinic-intake' | 'restaurant-booking' | 'support-triage' | 'bike-service';
  readonly facts: Facts;
  /** The first matching rule answers. */
  readonly answers: readonly Answer[];
  /** An unrelated question, which the flow offers a function for. */
  readonly question: Said;
  readonly ends: string;
  /** The write that the call is for, with all its arguments. */
  readonly write?: { readonly name: string; readonly args: JsonObject };
}

const maria = {
  full_name: fact('Maria Delgado', 'Maria Delgado'),
  birth_date: fact('1984-03-04', 'March fourth, 1984', /March 4/),
  day: fact('2026-12-01', 'December first', /December 1\b/),
  visit_time: fact('09:30', 'Half past nine in the morning', /9:30/),
};

const clinicAnswers: readonly Answer[] = [
  says(/put you through/i, yes),
  says(/shall we start\?|shall we go on\?|try again\?/i, yes),
  agreesTo(/Shall I book/i, ['day', 'visit_time', 'full_name']),
  readBack,
  tells(/full name/i, 'full_name'),
  tells(/date of birth|born/i, 'birth_date'),
  (question, _heard, facts) =>
    /been here before|here before/i.test(question)
      ? facts['been_before']?.value === true
        ? said('Yes, I have.', { slots: { been_before: true }, wants: 'agree' })
        : said('No, I have not.', { slots: { been_before: false }, wants: 'refuse' })
      : null,
  tells(/brings you in|what for|reason/i, 'reason'),
  tells(/how bad|zero to ten/i, 'pain_level'),
  tells(/phone number|number can we/i, 'phone'),
  says(/phone number|number can we/i, said('No, I would rather not give one.', {})),
  tells(/which day|what day/i, 'day', 'choose_day'),
  tells(/what time|which time/i, 'visit_time', 'choose_time'),
  (question, _heard, facts) =>
    /what would you like to change/i.test(question)
      ? said(`I want to come on ${facts['day']?.words ?? ''} at ${facts['visit_time']?.words ?? ''}.`, {
          slots: { day: facts['day']?.value ?? null, visit_time: facts['visit_time']?.value ?? null },
          wants: 'choose_day',
        })
      : null,
];

const clinicQuestion = said('When are you open?', { wants: 'opening_hours' });

const anna = {
  party_size: fact(4, 'Four of us', /\b(4|four)\b/i),
  day: fact('2026-12-01', 'December first', /December 1\b/),
  time: fact('19:00', 'Seven in the evening', /7( PM|:00)/),
  guest_name: fact('Anna Berg', 'Anna Berg'),
  phone: fact('+14155552671', '415 555 2671', /\(?415\)?[ -]*555[ -]*2671|4 1 5/),
};

const tableAnswers: readonly Answer[] = [
  says(/put you through/i, yes),
  says(/shall we go on\?|book a table\?/i, yes),
  agreesTo(/Shall I book|Shall I do that|I book a table/i, ['party_size', 'day', 'time']),
  readBack,
  tells(/how many/i, 'party_size'),
  tells(/which day|what day/i, 'day', 'choose_day'),
  tells(/what time|which time/i, 'time', 'choose_time'),
  tells(/what name|your name|name shall/i, 'guest_name'),
  tells(/phone number|which other number|number/i, 'phone', 'other_number'),
  says(/what can I do for you/i, said('I would like to book a table.', { wants: 'new_booking' })),
  says(/kitchen should know/i, said('No, nothing at all.', { wants: 'no_wishes' })),
  says(
    /like to change|what would you like/i,
    said('The day, to December first.', { slots: { day: '2026-12-01' }, wants: 'choose_day' }),
  ),
];

const tableQuestion = said('Where can I park?', { wants: 'parking' });

const supportAnswers: readonly Answer[] = [
  says(/put you through/i, yes),
  says(/shall we go on\?/i, yes),
  readBack,
  tells(/what can I help/i, 'topic'),
  tells(/which phone number/i, 'phone'),
  // Flows ask for both if the person is not found.
  (question, _heard, { full_name: name, phone }) =>
    /which other number/i.test(question) && name !== undefined && phone !== undefined
      ? said(`${name.words}, ${phone.words}.`, {
          slots: { full_name: name.value, phone: phone.value },
          wants: 'other_name',
        })
      : null,
  tells(/name on the account/i, 'full_name'),
  tells(/wrong with the bill/i, 'billing_issue'),
  tells(/gone altogether|slow or unstable/i, 'impact'),
  (question, _heard, facts) =>
    /medical device/i.test(question)
      ? facts['medical_device']?.value === true
        ? said('Yes, my mother does.', { slots: { medical_device: true }, wants: 'agree' })
        : said('No, nobody does.', { slots: { medical_device: false }, wants: 'refuse' })
      : null,
  tells(/why you want to leave/i, 'cancel_reason'),
  says(/stay with that/i, yes),
  says(/open a ticket|shall I text|would that help|move the line/i, yes),
  says(/does it work now/i, said('No, it still does not work.', { wants: 'still_broken' })),
  says(/anything else/i, said('No, that is all.', { wants: 'nothing_else' })),
  says(/what is it about/i, said('Nothing else, thanks.', { wants: 'nothing_else' })),
];

const supportQuestion = said('When are your shops open?', { wants: 'opening_hours' });

const account = {
  phone: fact('+14155552671', '415 555 2671', /\(?415\)?[ -]*555[ -]*2671|4 1 5/),
  full_name: fact('Maria Delgado', 'Maria Delgado'),
};

const ada = {
  name: fact('Ada Park', 'Ada Park'),
  bike: fact('race', 'A road bike', /race|road/i),
  day: fact('2026-12-01', 'December first', /December 1\b/),
};

/** All callers of the talks. */
export const callers: readonly Caller[] = [
  {
    name: 'a checkup',
    flow: 'clinic-intake',
    facts: { ...maria, been_before: fact(true, 'Yes', /before/), reason: fact('checkup', 'A checkup', /check/i) },
    answers: clinicAnswers,
    question: clinicQuestion,
    ends: 'booked',
    write: {
      name: 'book_visit',
      args: {
        full_name: 'Maria Delgado',
        birth_date: '1984-03-04',
        reason: 'checkup',
        day: '2026-12-01',
        visit_time: '09:30',
      },
    },
  },
  {
    name: 'some pain, and a number',
    flow: 'clinic-intake',
    facts: {
      ...maria,
      been_before: fact(false, 'No', /before/),
      reason: fact('pain', 'My tooth hurts', /pain/i),
      pain_level: fact(5, 'Five', /\b(5|five)\b/i),
      phone: fact('+14155552671', '415 555 2671', /\(?415\)?[ -]*555[ -]*2671|4 1 5/),
    },
    answers: clinicAnswers,
    question: clinicQuestion,
    ends: 'booked',
    write: {
      name: 'book_visit',
      args: {
        full_name: 'Maria Delgado',
        birth_date: '1984-03-04',
        reason: 'pain',
        phone: '+14155552671',
        day: '2026-12-01',
        visit_time: '09:30',
      },
    },
  },
  {
    name: 'terrible pain',
    flow: 'clinic-intake',
    facts: {
      ...maria,
      been_before: fact(true, 'Yes', /before/),
      reason: fact('pain', 'My tooth hurts', /pain/i),
      pain_level: fact(9, 'Nine', /\b(9|nine)\b/i),
    },
    answers: clinicAnswers,
    question: clinicQuestion,
    ends: 'nurse',
  },
  {
    name: 'a table for four',
    flow: 'restaurant-booking',
    facts: anna,
    answers: tableAnswers,
    question: tableQuestion,
    ends: 'booked',
    write: {
      name: 'book_table',
      args: { party_size: 4, day: '2026-12-01', time: '19:00', guest_name: 'Anna Berg', phone: '+14155552671' },
    },
  },
  {
    name: 'a party of thirty',
    flow: 'restaurant-booking',
    facts: { ...anna, party_size: fact(30, 'Thirty of us', /\b(30|thirty)\b/i) },
    answers: tableAnswers,
    question: tableQuestion,
    ends: 'events',
  },
  {
    name: 'a bill that is too high',
    flow: 'support-triage',
    facts: {
      ...account,
      topic: fact('billing', 'My bill', /bill/i),
      billing_issue: fact('amount', 'It is too high', /amount|high/i),
    },
    answers: supportAnswers,
    question: supportQuestion,
    ends: 'ended',
    write: {
      name: 'open_ticket',
      args: { phone: '+14155552671', topic: 'billing', severity: 'normal', billing_issue: 'amount' },
    },
  },
  {
    name: 'an outage that cannot wait',
    flow: 'support-triage',
    facts: {
      ...account,
      topic: fact('outage', 'My internet is down', /outage|internet/i),
      impact: fact('gone', 'It is gone altogether', /gone/i),
      medical_device: fact(true, 'Yes', /medical/i),
    },
    answers: supportAnswers,
    question: supportQuestion,
    ends: 'urgent',
  },
  {
    name: 'leaving for the price',
    flow: 'support-triage',
    facts: {
      ...account,
      topic: fact('cancellation', 'I want to cancel my contract', /cancel/i),
      cancel_reason: fact('price', 'It is too expensive', /price|expensive/i),
    },
    answers: supportAnswers,
    question: supportQuestion,
    ends: 'ended',
    write: { name: 'apply_offer', args: { phone: '+14155552671', offer: 'discount' } },
  },
  {
    name: 'a road bike',
    flow: 'bike-service',
    facts: ada,
    answers: [
      says(/would you like to book|shall we go on/i, yes),
      agreesTo(/Shall I book/i, ['day', 'name']),
      readBack,
      tells(/who is calling|your name/i, 'name'),
      tells(/what kind of bike/i, 'bike'),
      tells(/which (other )?day/i, 'day', 'change_day'),
      tells(/like to change/i, 'day', 'change_day'),
    ],
    question: said('How much does it cost?', { wants: 'price' }),
    ends: 'booked',
    write: { name: 'book_service', args: { day: '2026-12-01' } },
  },
];
