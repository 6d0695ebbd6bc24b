import { asks, type PlayedFlow } from './played.ts';

/**
 * The other five flows of the tenth set. In the first run, 54 of 73 were right, 17 asked again and 2 wrong, with the
 * same result after the rules for the first half were written. A look at it then showed that a caller who names a
 * coming day wants an appointment on it: 56 right. Never change these sentences.
 */
export const tenthHeldOut: readonly PlayedFlow[] = [
  {
    flow: {
      name: 'hair-salon',
      initialNode: 'hello',
      slots: {
        treatment: {
          type: 'enum',
          ask: 'What would you like to have done?',
          values: {
            cut: ['haircut', 'trim'],
            colour: ['dye', 'highlights'],
            perm: [],
            wash_and_blow_dry: ['blow-dry'],
          },
        },
        stylist: {
          type: 'enum',
          ask: 'With whom would you like to come?',
          values: { Ayse: [], Marco: [], anyone: ['no preference', "don't mind", 'whoever'] },
        },
        day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
        hour: { type: 'time', ask: 'And at what time?' },
        customer: { type: 'name', ask: 'Under which name?' },
      },
      nodes: {
        hello: {
          say: 'Salon Aurora, good morning. What can I do for you?',
          functions: [
            { name: 'new_appointment', description: 'The caller wants an appointment.', transitionTo: 'book' },
            { name: 'move_appointment', description: 'The caller wants to move an appointment.', transitionTo: 'move' },
            { name: 'gift_card', description: 'The caller asks about gift cards.', transitionTo: 'gift' },
          ],
        },
        book: { collect: ['treatment', 'stylist', 'day', 'hour', 'customer'], defaultTransition: 'done' },
        move: { say: 'I hand you to the front desk for that.', end: 'move' },
        gift: { say: 'You can buy those in the salon.', end: 'gift' },
        done: { say: 'See you then.', end: 'done' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          ["hi, I'd like a haircut on Wednesday", { at: 'book', slots: { treatment: 'cut', day: '2026-11-25' } }],
          [
            'could Marco do my highlights next Friday?',
            { at: 'book', slots: { stylist: 'Marco', treatment: 'colour', day: '2026-11-27' } },
          ],
          [
            "I've got an appointment tomorrow but I can't make it, can we find another day?",
            { at: 'move', ended: 'move' },
          ],
          ['do you sell vouchers?', { at: 'gift', ended: 'gift' }],
          ['is it raining where you are?', asks],
          ['I need something done about my hair before the wedding', { at: 'book' }],
        ],
      },
      {
        before: [
          ['An appointment.', { name: 'new_appointment' }],
          ['A cut.', { name: 'record', arguments: { treatment: 'cut' } }],
        ],
        says: [
          ["I don't mind", { slots: { stylist: 'anyone' } }],
          ['not Marco, he always takes too much off', asks],
          [
            'with Ayse, Thursday at two in the afternoon',
            { slots: { stylist: 'Ayse', day: '2026-11-26', hour: '14:00' } },
          ],
          ['who is working on Saturday?', asks],
        ],
      },
      {
        before: [
          ['An appointment.', { name: 'new_appointment' }],
          ['A cut.', { name: 'record', arguments: { treatment: 'cut' } }],
          ['Marco.', { name: 'record', arguments: { stylist: 'Marco' } }],
        ],
        says: [
          ['any time next week', asks],
          ['the day after tomorrow, say ten thirty in the morning', { slots: { day: '2026-11-23', hour: '10:30' } }],
          ["sorry, I'd like it coloured too, not just cut", asks],
          ['December the fourth. Oh, and Ayse would be better', { slots: { day: '2026-12-04', stylist: 'Ayse' } }],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'water-meter',
      initialNode: 'line',
      slots: {
        meter: { type: 'text', ask: 'What is the number on your meter?', pattern: '^[A-Z]{2}\\d{6}$' },
        reading: { type: 'integer', ask: 'And what does it read, in cubic metres?', minimum: 0, maximum: 99999 },
        read_on: { type: 'date', ask: 'On which day did you read it?' },
        moved_in: { type: 'boolean', ask: 'Have you moved in this year?' },
        reachable: { type: 'phone', ask: 'Which phone number can we reach you on?', region: 'US' },
      },
      functions: [
        { name: 'burst_pipe', description: 'Water is leaking or a pipe has burst.', transitionTo: 'emergency' },
      ],
      nodes: {
        line: {
          say: 'Riverside Water. Do you want to give us a meter reading?',
          functions: [
            { name: 'give_reading', description: 'The caller agrees.', transitionTo: 'reading' },
            {
              name: 'something_else',
              description: 'The caller refuses or calls about something else.',
              transitionTo: 'other',
            },
          ],
        },
        reading: {
          collect: ['meter', 'reading', 'read_on', 'moved_in', 'reachable'],
          defaultTransition: 'done',
        },
        emergency: { say: 'The emergency crew is on its way to you.', end: 'emergency' },
        other: { say: 'I connect you with a colleague.', end: 'other' },
        done: { say: 'Thank you, I have noted it.', end: 'done' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          ["yes, I've got it in front of me", { at: 'reading' }],
          ['no, I have a question about my bill', { at: 'other', ended: 'other' }],
          ["there's water coming through my ceiling!", { at: 'emergency', ended: 'emergency' }],
          ['sure, the reading is four hundred and twelve', { at: 'reading', slots: { reading: 412 } }],
          ['who is this?', asks],
        ],
      },
      {
        before: [['Yes.', { name: 'give_reading' }]],
        says: [
          ['W M three oh five double one seven', { slots: { meter: 'WM305117' } }],
          ['there are two numbers here, which one do you need?', asks],
          ["hold on, I'm going down to the basement", asks],
          ['AB 204 771', { slots: { meter: 'AB204771' } }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'give_reading' }],
          ['WM305117', { name: 'record', arguments: { meter: 'WM305117' } }],
        ],
        says: [
          ['one thousand two hundred and six', { slots: { reading: 1206 } }],
          ['0 8 1 4, I read it this morning', { slots: { reading: 814, read_on: '2026-11-21' } }],
          ["it's about five hundred more than last year", asks],
          ['I cannot read the last digit', asks],
          ['three hundred and eighty, no wait, eight hundred and thirty', { slots: { reading: 830 } }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'give_reading' }],
          ['WM305117', { name: 'record', arguments: { meter: 'WM305117' } }],
          ['412', { name: 'record', arguments: { reading: 412 } }],
          ['Today.', { name: 'record', arguments: { read_on: '2026-11-21' } }],
        ],
        says: [
          ["no, we've been here for ten years", { slots: { moved_in: false } }],
          ['in March', { slots: { moved_in: true } }],
          ['why do you want to know?', asks],
          [
            'yes we have, and my number is 212 555 0173',
            { at: 'done', ended: 'done', slots: { moved_in: true, reachable: '+12125550173' } },
          ],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'newspaper',
      initialNode: 'readers',
      functions: [
        {
          name: 'pause_delivery',
          description: 'Stop the delivery while the reader is away.',
          effect: 'write',
          parameters: {
            type: 'object',
            properties: {
              from: { type: 'string', format: 'date', description: 'First day without a paper' },
              until: { type: 'string', format: 'date', description: 'Last day without a paper' },
            },
            required: ['from', 'until'],
          },
          transitionTo: 'paused',
        },
        {
          name: 'report_missing',
          description: 'The paper was not delivered.',
          parameters: {
            type: 'object',
            properties: { day: { type: 'string', format: 'date', description: 'The day on which no paper came' } },
            required: ['day'],
          },
          saveAs: 'report',
          transitionTo: 'sorry',
        },
        {
          name: 'subscribe',
          description: 'The caller wants to subscribe.',
          parameters: {
            type: 'object',
            properties: { edition: { type: 'string', enum: ['daily', 'weekend', 'digital'] } },
            required: ['edition'],
          },
          saveAs: 'order',
          transitionTo: 'welcome',
        },
      ],
      nodes: {
        readers: { say: "Morning Courier, readers' service. How can I help you?" },
        paused: { say: 'Enjoy your time away.', end: 'paused' },
        sorry: { say: 'I am sorry, we send you that one.', end: 'sorry' },
        welcome: { say: 'Welcome among our readers.', end: 'welcome' },
      },
    },
    results: { pause_delivery: { ok: true }, report_missing: { ok: true }, subscribe: { ok: true } },
    moments: [
      {
        before: [],
        says: [
          [
            "we're away from the first to the tenth of December, no paper then please",
            { at: 'paused', ended: 'paused', ran: { pause_delivery: { from: '2026-12-01', until: '2026-12-10' } } },
          ],
          ['could you stop the delivery for a bit', asks],
          [
            'I did not get my paper today',
            { at: 'sorry', ended: 'sorry', ran: { report_missing: { day: '2026-11-21' } } },
          ],
          [
            "yesterday's paper never arrived",
            { at: 'sorry', ended: 'sorry', ran: { report_missing: { day: '2026-11-20' } } },
          ],
          [
            "I'd like to take out the weekend edition",
            { at: 'welcome', ended: 'welcome', ran: { subscribe: { edition: 'weekend' } } },
          ],
          ['can I get a subscription?', asks],
          [
            'can I read it online as well, the digital one I mean, I want to subscribe',
            { at: 'welcome', ended: 'welcome', ran: { subscribe: { edition: 'digital' } } },
          ],
          ["I'm ringing to place an ad", asks],
          ['the paper boy woke us up again at five', asks],
          ["I don't want to subscribe to anything", asks],
          ['pause it from Monday', asks],
          ['your article about the harbour was excellent', asks],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'removals',
      initialNode: 'quote',
      slots: {
        moving_day: { type: 'date', ask: 'When are you moving?', after: 'today' },
        rooms: { type: 'integer', ask: 'How many rooms does your flat have?', minimum: 1, maximum: 12 },
        floor: { type: 'integer', ask: 'Which floor is it on?', minimum: 0, maximum: 40 },
        elevator: { type: 'boolean', ask: 'Is there an elevator?' },
        size: {
          type: 'enum',
          ask: 'Do you need the small, the medium or the large van?',
          values: ['small', 'medium', 'large'],
        },
        weight: { type: 'number', ask: 'How much does the heaviest piece weigh, in kilos?', optional: true },
        reply_to: { type: 'email', ask: 'To which email address may I send the quote?' },
      },
      functions: [
        { name: 'operator', description: 'The caller wants to speak to a person.', transitionTo: 'person' },
        { name: 'damage', description: 'Something was broken during a move.', transitionTo: 'claims' },
      ],
      nodes: {
        quote: {
          say: 'Hansen Removals. I can make you a quote.',
          collect: ['moving_day', 'rooms', 'floor', 'elevator', 'size', 'reply_to'],
          defaultTransition: 'sent',
        },
        person: { say: 'One moment, I put you through.', end: 'person' },
        claims: { say: 'Our claims desk will ring you.', end: 'claims' },
        sent: { say: 'The quote is on its way.', end: 'sent' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          [
            "we're moving on the fifteenth of January, it's a three room flat",
            { slots: { moving_day: '2027-01-15', rooms: 3 } },
          ],
          ['your men smashed my mirror last week', { at: 'claims', ended: 'claims' }],
          ["I'd rather talk to a human being", { at: 'person', ended: 'person' }],
          ['at the end of January', asks],
        ],
      },
      {
        before: [['On 15 January.', { name: 'record', arguments: { moving_day: '2027-01-15' } }]],
        says: [
          ['four rooms on the second floor', { slots: { rooms: 4, floor: 2 } }],
          ['five, if you count the kitchen', { slots: { rooms: 5 } }],
          ['two bedrooms and a living room', asks],
          ['eh, let me think', asks],
        ],
      },
      {
        before: [
          ['On 15 January.', { name: 'record', arguments: { moving_day: '2027-01-15' } }],
          ['Four.', { name: 'record', arguments: { rooms: 4 } }],
        ],
        says: [
          ['the third, but there is a lift', { slots: { floor: 3, elevator: true } }],
          ['the ground floor', { slots: { floor: 0 } }],
          ['at the very top', asks],
          ["fifth floor and I'm afraid there's no elevator", { slots: { floor: 5, elevator: false } }],
        ],
      },
      {
        before: [
          ['On 15 January.', { name: 'record', arguments: { moving_day: '2027-01-15' } }],
          ['Four.', { name: 'record', arguments: { rooms: 4 } }],
          ['The third.', { name: 'record', arguments: { floor: 3 } }],
          ['Yes.', { name: 'record', arguments: { elevator: true } }],
        ],
        says: [
          ['the big one', { slots: { size: 'large' } }],
          ['what fits in the medium one?', asks],
          ["not the small one, that's for sure", asks],
          ['medium will do, and the piano is about two hundred kilos', { slots: { size: 'medium', weight: 200 } }],
          [
            'large, my address is t dot moss at mail dot com',
            { at: 'sent', ended: 'sent', slots: { size: 'large', reply_to: 't.moss@mail.com' } },
          ],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'trattoria',
      initialNode: 'phone',
      nodes: {
        phone: {
          say: 'Trattoria Lucia, buonasera. How may I help?',
          functions: [
            {
              name: 'reserve_table',
              description: 'Reserve a table.',
              effect: 'write',
              confirm: 'A table for {{ args.guests }} on {{ args.day }} at {{ args.time }}, shall I reserve it?',
              parameters: {
                type: 'object',
                properties: {
                  guests: { type: 'integer', minimum: 1, maximum: 12 },
                  day: { type: 'string', format: 'date' },
                  time: { type: 'string', format: 'time' },
                  area: { type: 'string', enum: ['inside', 'terrace'] },
                },
                required: ['guests', 'day', 'time'],
              },
              transitionTo: 'reserved',
            },
            { name: 'take_away', description: 'Order food to take away.', transitionTo: 'kitchen' },
            { name: 'lost_item', description: 'The caller left something in the restaurant.', transitionTo: 'lost' },
            { name: 'allergies', description: 'A question about ingredients or allergies.', transitionTo: 'chef' },
          ],
        },
        reserved: { say: 'It is reserved. A presto!', end: 'reserved' },
        kitchen: { say: 'I put you through to the kitchen.', end: 'kitchen' },
        lost: { say: 'I will look for it.', end: 'lost' },
        chef: { say: 'I ask our chef to ring you.', end: 'chef' },
      },
    },
    results: { reserve_table: { ok: true } },
    moments: [
      {
        before: [],
        says: [
          ['two pizzas to take away please', { at: 'kitchen', ended: 'kitchen' }],
          ['I think I left my umbrella at your place last night', { at: 'lost', ended: 'lost' }],
          ['is there gluten in your gnocchi?', { at: 'chef', ended: 'chef' }],
          ['a table for four please', asks],
          ['tomorrow at eight', asks],
          ['can I bring my dog?', asks],
          ["I'd like to cancel my table", asks],
          ['what is on the menu today?', asks],
        ],
      },
      {
        before: [
          [
            'A table for four tomorrow at eight in the evening.',
            { name: 'reserve_table', arguments: { guests: 4, day: '2026-11-22', time: '20:00' } },
          ],
        ],
        says: [
          [
            'perfect',
            {
              at: 'reserved',
              ended: 'reserved',
              ran: { reserve_table: { guests: 4, day: '2026-11-22', time: '20:00' } },
            },
          ],
          ['no, we are five', asks],
          ['on the terrace please', asks],
          ["no, I've changed my mind", asks],
        ],
      },
    ],
  },
];
