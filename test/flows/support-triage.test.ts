import { describe, expect, it } from 'vitest';
import { type Account, createTools, type SupportOptions } from '../../flows/support-triage/tools.ts';
import { call, type Exchange, flowOf, phoneCall, record } from './phone-call.ts';

const maria: Account = {
  phone: '+14155552671',
  name: 'María Delgado',
  area: 'harbour',
  termEnds: '2027-03-31',
  invoice: { dollars: 84, day: '2026-11-01' },
  order: { item: 'router', arrives: '2026-11-24' },
};
const greeting = 'Thank you for calling Northwind Internet. This call is recorded. What can I help you with?';
const whichNumber = 'Which phone number is your account under?';
const readback = 'I have 4 1 5, 5 5 5, 2 6 7 1. Is that right?';
const toAColleague = 'I am putting you through to a colleague. Please stay on the line.';
const notSaved = 'I am sorry, I could not save that, and nothing has changed. Shall I put you through to a colleague?';
const device = 'Does anyone in the house depend on it for a medical device or an alarm?';
const gone = 'Is it gone altogether, or is it slow or unstable?';
const restart = 'Please unplug the router, wait ten seconds, and plug it in again. Does it work now?';
const urgentTicket = 'Shall I open a ticket with high priority, so that a technician calls you today?';

/** An identified caller with a topic. `heard` is the first line of the branch. */
function identified(topic: string, heard: string): readonly Exchange[] {
  return [
    [`It is about ${topic}.`, [record({ topic })], whichNumber],
    ['415 555 2671.', [record({ phone: '415 555 2671' })], readback],
    ['Yes.', [], 'What is the name on the account?'],
    ['Maria Delgado.', [record({ full_name: 'Maria Delgado' })], heard],
  ];
}
const noInternet: readonly Exchange[] = [
  ...identified('outage', device),
  ['No.', [record({ medical_device: false })], gone],
  ['Gone.', [record({ impact: 'gone' })], restart],
];
const leaving = identified('cancellation', 'May I ask why you want to leave?');
const reallyCancel = 'Your contract then ends on Wednesday, March 31. Shall I cancel it?';

async function support(options: Partial<SupportOptions> = {}) {
  const rung: string[] = [];
  const ring = (line: string, about: string): void => void rung.push(`${line}: ${about}`);
  const tools = createTools({ today: () => '2026-11-21', accounts: [maria], ring, ...options });
  const phone = phoneCall(flowOf('support-triage', tools), tools);
  expect(await phone.begin()).toBe(greeting);
  return { ...phone, rung };
}

describe('the support line', () => {
  it('opens a ticket of high priority for a line that is gone, after a yes', async () => {
    const phone = await support();
    await phone.talk(...noInternet, ['No.', [call('still_broken')], urgentTicket]);
    expect(phone.ranAs('open_ticket')).toEqual([]);
    await phone.talk(
      ['Yes.', [], 'Your ticket number is 4 0 0 1. Is there anything else?'],
      ['No.', [call('nothing_else')], 'Thank you for calling. Goodbye!'],
    );
    expect(phone.ranAs('open_ticket')).toEqual([
      { phone: maria.phone, topic: 'outage', severity: 'high', impact: 'gone' },
    ]);
    expect(phone.ended()).toBe('ended');
  });

  it('opens one of normal priority for a line that is slow, without a say of the model in it', async () => {
    const phone = await support();
    await phone.talk(
      ...noInternet.slice(0, -1),
      ['It is slow.', [record({ impact: 'slow' })], restart],
      ['No.', [call('still_broken')], 'Shall I open a ticket about a connection that is slow?'],
      ['Yes.', [], 'Your ticket number is 4 0 0 1. Is there anything else?'],
    );
    expect(phone.ranAs('open_ticket')).toMatchObject([{ severity: 'normal', impact: 'slow' }]);
  });

  it('is content where the router only wanted a restart', async () => {
    const phone = await support();
    await phone.talk(...noInternet, [
      'Yes, it works!',
      [call('works_again')],
      'I am glad to hear it. Is there anything else?',
    ]);
    expect(phone.ranAs('open_ticket')).toEqual([]);
  });

  it('puts through at once who depends on the line', async () => {
    const phone = await support();
    await phone.talk(
      ...identified('outage', device),
      ['Yes, my mother.', [record({ medical_device: true })], gone],
      [
        'Gone.',
        [record({ impact: 'gone' })],
        'Then this cannot wait. I am putting you through to our emergency team right now.',
      ],
    );
    expect(phone.rung).toEqual(['emergency_team: gone']);
    expect(phone.ended()).toBe('urgent');
  });

  it('knows of a fault in the area, and texts when it is fixed', async () => {
    const phone = await support({ faults: { harbour: 'six this evening' } });
    const known =
      'There is a fault in your area, and it should be fixed by six this evening. Shall I text 4 1 5, 5 5 5, 2 6 7 1 when it is?';
    await phone.talk(
      ...noInternet.slice(0, -1),
      ['Gone.', [record({ impact: 'gone' })], known],
      ['Yes, please.', [], 'Alright, I will text you. Is there anything else?'],
    );
    expect(phone.ranAs('notify_when_fixed')).toHaveLength(1);
    const other = await support({ faults: { harbour: 'six this evening' } });
    await other.talk(...noInternet.slice(0, -1), ['Gone.', [record({ impact: 'gone' })], known]);
    await other.talk(['No.', [call('no_text')], 'Alright. Is there anything else I can help with?']);
    expect(other.ranAs('notify_when_fixed')).toEqual([]);
  });

  it('asks for nothing that was said already', async () => {
    const phone = await support();
    await phone.talk(
      [
        'This is Maria Delgado, 415 555 2671, my internet is down and my father has an alarm on it.',
        [
          record({
            topic: 'outage',
            full_name: 'Maria Delgado',
            phone: '415 555 2671',
            impact: 'gone',
            medical_device: true,
          }),
        ],
        readback,
      ],
      ['Yes.', [], 'Then this cannot wait. I am putting you through to our emergency team right now.'],
    );
  });

  it('has a bill checked, and takes no card numbers', async () => {
    const phone = await support();
    const bill = identified('billing', 'What is wrong with the bill?');
    const checked =
      'Your last bill was 84 dollars on Sunday, November 1. Shall I open a ticket to have the bill checked?';
    await phone.talk(
      ...bill,
      ['It is too high.', [record({ billing_issue: 'amount' })], checked],
      ['Yes.', [], 'Your ticket number is 4 0 0 1. Is there anything else?'],
    );
    expect(phone.ranAs('open_ticket')).toEqual([
      { phone: maria.phone, topic: 'billing', severity: 'normal', billing_issue: 'amount' },
    ]);
    const paying = await support();
    await paying.talk(...bill, [
      'I want to pay it.',
      [record({ billing_issue: 'payment' })],
      'I take no card numbers myself. I am putting you through to our secure payment line.',
    ]);
    expect(paying.rung).toEqual(['payments: payment']);
  });

  it('makes one offer that fits the reason, and keeps who takes it', async () => {
    const phone = await support();
    await phone.talk(
      ...leaving,
      [
        'It is too expensive.',
        [record({ cancel_reason: 'price' })],
        'I understand. I could take twenty percent off for a year. Would you like to stay with that?',
      ],
      ['Yes.', [], 'Thank you for staying. It counts from your next bill. Is there anything else?'],
    );
    expect(phone.ranAs('apply_offer')).toEqual([{ phone: maria.phone, offer: 'discount' }]);
    expect(phone.ranAs('cancel_contract')).toEqual([]);
  });

  it('cancels for who refuses the offer, after a yes to the very day', async () => {
    const phone = await support();
    await phone.talk(
      ...leaving,
      [
        'It is too slow.',
        [record({ cancel_reason: 'slow' })],
        'I understand. I could double your speed at the same price. Would you like to stay with that?',
      ],
      ['No.', [call('refuse_offer')], reallyCancel],
      ['Yes.', [], 'Your contract ends on Wednesday, March 31, and you get that in writing. Is there anything else?'],
    );
    expect(phone.ranAs('apply_offer')).toEqual([]);
    expect(phone.ranAs('cancel_contract')).toEqual([{ phone: maria.phone, cancel_reason: 'slow' }]);
  });

  it('plans the move with who moves, and cancels for who does not want that', async () => {
    const moving: Exchange = [
      'I am moving.',
      [record({ cancel_reason: 'moving' })],
      'We can move your line with you, free of charge. Would that help?',
    ];
    const phone = await support();
    const line = 'Then I am putting you through to the colleagues who plan your move.';
    await phone.talk(...leaving, moving, ['Yes.', [call('move_line')], line]);
    expect(phone.rung).toEqual(['movers: moving']);
    const leaves = await support();
    await leaves.talk(...leaving, moving, ['No.', [call('refuse_offer')], reallyCancel]);
  });

  it('makes no offer to who would rather not say why, and cancels nothing after a no', async () => {
    const phone = await support();
    await phone.talk(
      ...leaving,
      ['I would rather not say.', [record({ cancel_reason: 'private' })], reallyCancel],
      ['No.', [call('keep_contract')], 'Then nothing changes. Is there anything else?'],
    );
    expect(phone.ranAs('cancel_contract')).toEqual([]);
  });

  it('hears a complaint before it asks who calls, and hands it to a person with what was said', async () => {
    const phone = await support();
    await phone.talk(
      ['I want to complain.', [record({ topic: 'complaint' })], 'I am sorry that we have let you down. What happened?'],
      [
        'Nobody came twice.',
        [record({ complaint: 'Nobody came twice.' })],
        'Thank you for telling me. I am putting you through to someone who can put it right.',
      ],
    );
    expect(phone.rung).toEqual(['complaints: Nobody came twice.']);
    const angry = await support();
    await angry.talk(...noInternet, [
      'This is outrageous!',
      [call('complain')],
      'I am sorry that we have let you down. What happened?',
    ]);
  });

  it('goes on by the corrected topic', async () => {
    const phone = await support();
    await phone.talk(
      ['It is about my bill.', [record({ topic: 'billing' })], whichNumber],
      [
        '415 555 2671, and sorry, it is the internet that is down.',
        [record({ phone: '415 555 2671', topic: 'outage' })],
        readback,
      ],
      ['Yes.', [], 'What is the name on the account?'],
      ['Maria Delgado.', [record({ full_name: 'Maria Delgado' })], device],
    );
  });

  it('hears a complaint that the topic turned out to be', async () => {
    const phone = await support();
    await phone.talk(...identified('billing', '').slice(0, 3), [
      'Maria Delgado, and what I really want is to complain.',
      [record({ full_name: 'Maria Delgado', topic: 'complaint' })],
      'I am sorry that we have let you down. What happened?',
    ]);
  });

  it('tells in between where an order is, and comes back', async () => {
    const phone = await support();
    await phone.talk(
      ['It is about my bill.', [record({ topic: 'billing' })], whichNumber],
      ['First, where is my router?', [call('order_status')], `So: ${whichNumber}`],
      ['415 555 2671.', [record({ phone: '415 555 2671' })], readback],
      ['Yes.', [], 'Your router is on its way, and arrives on Tuesday, November 24. What is the name on the account?'],
    );
    expect(phone.session.state.position.stack).toEqual([]);
  });

  it('says so in between where there is no order, or no way to look', async () => {
    const ask: Exchange = ['Where is my router?', [call('order_status')], whichNumber];
    const give: Exchange = ['415 555 2671.', [record({ phone: '415 555 2671' })], readback];
    const back = 'What can I help you with?';
    const phone = await support({ accounts: [] });
    await phone.talk(ask, give, ['Yes.', [], `I find no order under that number. ${back}`]);
    const down = await support({ isReachable: () => false });
    await down.talk(ask, give, ['Yes.', [], `I cannot look into the orders right now. ${back}`]);
  });

  it('puts through who calls about something else', async () => {
    const phone = await support();
    await phone.talk(['Something else.', [record({ topic: 'other' })], toAColleague]);
    expect(phone.rung).toEqual(['colleague: other']);
  });

  it('puts through who does not want to be recorded, or will not say who they are', async () => {
    const phone = await support();
    await phone.talk([
      'Do not record me.',
      [call('no_recording')],
      'Then I am putting you through to a colleague, and nothing is recorded.',
    ]);
    expect(phone.rung).toEqual(['colleague: no recording']);
    const unnamed = await support();
    await unnamed.talk(
      ['It is about my bill.', [record({ topic: 'billing' })], whichNumber],
      [
        'I would rather not say.',
        [call('will_not_identify')],
        'Without it I cannot look into your account. Shall I put you through to a colleague?',
      ],
      ['Yes.', [call('put_through')], toAColleague],
    );
    expect(unnamed.rung).toEqual(['colleague: billing']);
  });

  it('asks again where number and name do not belong together', async () => {
    const phone = await support();
    await phone.talk(
      ...identified('outage', '').slice(0, 3),
      [
        'Bob Miller.',
        [record({ full_name: 'Bob Miller' })],
        'I find no account with that number and name. Which other number could it be under?',
      ],
      ['The name is Maria Delgado.', [call('other_name', { full_name: 'Maria Delgado' })], device],
    );
  });

  it('looks again for a name that is only corrected', async () => {
    const phone = await support();
    await phone.talk(...identified('outage', '').slice(0, 3), [
      'Robert Smith.',
      [record({ full_name: 'Robert Smith' })],
      'I find no account with that number and name. Which other number could it be under?',
    ]);
    // A turn that changes nothing does not repeat the lookup: the model answers.
    await phone.talk(['My number is 415 555 2671.', [record({ phone: '415 555 2671' })], '']);
    expect(phone.ranAs('lookup_account')).toHaveLength(1);
    await phone.talk(['No, sorry, I meant Maria Delgado.', [record({ full_name: 'Maria Delgado' })], device]);
  });

  it('puts a caller through to a person who is not found three times', async () => {
    const phone = await support();
    const otherName = 'I find no account with that number and name. Which other number could it be under?';
    await phone.talk(
      ...identified('outage', device).slice(0, -1),
      ['Bob Miller.', [record({ full_name: 'Bob Miller' })], otherName],
      ['Then it is Rob Miller.', [call('other_name', { full_name: 'Rob Miller' })], `So: ${otherName}`],
      ['Then it is Ann Miller.', [call('other_name', { full_name: 'Ann Miller' })], toAColleague],
    );
    expect(phone.rung).toEqual(['colleague: outage']);
    expect(phone.ended()).toBe('colleague');
  });

  it('sends an emergency to nine one one, and ends', async () => {
    const phone = await support();
    await phone.talk(...noInternet, [
      'There is smoke from the router!',
      [call('emergency')],
      'Please hang up now and call nine one one, from a mobile phone if this line fails.',
    ]);
    expect(phone.ended()).toBe('emergency');
  });

  it('never says that something is done that could not be saved', async () => {
    let isUp = true;
    const phone = await support({ isReachable: () => isUp });
    await phone.talk(...noInternet, ['No.', [call('still_broken')], urgentTicket]);
    isUp = false;
    await phone.talk(['Yes.', [], notSaved], ['No.', [call('not_now')], 'Thank you for calling. Goodbye!']);
    expect(phone.ranAs('open_ticket')).toHaveLength(1);
    const down = await support({ isReachable: () => false });
    await down.talk(
      ...identified('billing', 'I cannot reach our systems right now. Shall I put you through to a colleague?'),
      ['Yes.', [call('put_through')], toAColleague],
    );
  });

  it('takes the next topic without asking who calls again, and with a summary of the first', async () => {
    const phone = await support();
    await phone.talk(
      ...noInternet,
      ['Yes.', [call('works_again')], 'I am glad to hear it. Is there anything else?'],
      ['Yes, my bill is wrong.', [call('new_topic', { topic: 'billing' })], 'What is wrong with the bill?'],
    );
    expect(phone.session.state.position.context?.strategy).toBe('reset_with_summary');
    const unsure = await support();
    await unsure.talk(
      ...noInternet,
      ['Yes.', [call('works_again')], 'I am glad to hear it. Is there anything else?'],
      ['Yes.', [call('say_more')], 'What is it about?'],
      [
        'I want to complain.',
        [call('new_topic', { topic: 'complaint' })],
        'I am sorry that we have let you down. What happened?',
      ],
    );
  });
});
