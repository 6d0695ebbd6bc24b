import type { Scene, Sentence } from './scene.ts';

const date = { type: 'string', format: 'date' };

export interface Group {
  readonly domain: string;
  readonly scene: Scene;
  readonly sentences: readonly Sentence[];
}

const hotelSlots: Scene['slots'] = {
  guest: { type: 'name', ask: 'What name shall I book under?' },
  arrival: { type: 'date', ask: 'When will you arrive?', after: 'today' },
  departure: { type: 'date', ask: 'And when will you leave?', after: 'today' },
  adults: { type: 'integer', ask: 'How many adults?' },
  kids: { type: 'integer', ask: 'And how many children?' },
  room: {
    type: 'enum',
    ask: 'Which room would you like?',
    values: { standard: ['simple', 'normal'], deluxe: ['bigger', 'sea view'], suite: [] },
  },
};
const hotelWide = [
  { name: 'front_office', description: 'The caller asks for a person or the front desk.' },
  { name: 'breakfast', description: 'The caller asks about breakfast.' },
];

const pizzaSize = {
  type: 'enum' as const,
  ask: 'Which size?',
  values: { small: [], medium: ['regular'], large: ['big', 'family size'] },
};

/** The half for which the rules were tuned. */
export const sentences: readonly Group[] = [
  {
    domain: 'hotel, greeting',
    scene: {
      slots: hotelSlots,
      agent: 'Hello, this is the Seaview. Would you like to book a room?',
      functions: [
        { name: 'book', description: 'The caller agrees or wants to book a room.' },
        { name: 'change_stay', description: 'The caller has a reservation and wants to change or cancel it.' },
        { name: 'no_booking', description: 'The caller does not want to book.' },
        ...hotelWide,
      ],
    },
    sentences: [
      { say: 'yes please', expect: { book: {} } },
      { say: 'yes, two adults and three kids', expect: { book: {}, record: { adults: 2, kids: 3 } } },
      { say: "I'd like to book a room", expect: { book: {} } },
      { say: 'no', expect: { no_booking: {} } },
      { say: 'I need to cancel my reservation', expect: { change_stay: {} } },
      { say: 'do you serve breakfast?', expect: { breakfast: {} } },
      { say: 'can I talk to someone at the front desk', expect: { front_office: {} } },
      { say: 'the weather is lovely today', expect: 'asks' },
      { say: 'hmm', expect: 'asks' },
      { say: "okay, I'm Dana Whitfield", expect: { book: {}, record: { guest: 'Dana Whitfield' } } },
    ],
  },
  {
    domain: 'hotel, details',
    scene: {
      slots: hotelSlots,
      collect: ['arrival', 'departure', 'adults', 'kids', 'room', 'guest'],
      agent: 'When will you arrive?',
      functions: hotelWide,
    },
    sentences: [
      { say: 'December fifth', expect: { record: { arrival: '2026-12-05' } } },
      {
        say: 'arriving on December fifth and leaving on December ninth',
        expect: { record: { arrival: '2026-12-05', departure: '2026-12-09' } },
      },
      {
        say: 'from the fifth of December to the ninth of December',
        expect: { record: { arrival: '2026-12-05', departure: '2026-12-09' } },
      },
      { say: 'next month sometime', expect: 'asks' },
      { say: 'tomorrow, and we need a suite', expect: { record: { arrival: '2026-11-22', room: 'suite' } } },
      { say: 'two adults', expect: { record: { adults: 2 } } },
      { say: 'my name is Dana Whitfield', expect: { record: { guest: 'Dana Whitfield' } } },
      { say: 'what time is breakfast', expect: { breakfast: {} } },
      { say: "I don't know yet", expect: 'asks' },
      { say: 'sorry?', expect: 'asks' },
    ],
  },
  {
    domain: 'pizza',
    scene: {
      slots: {
        size: pizzaSize,
        topping: {
          type: 'enum',
          ask: 'Which topping?',
          values: { margherita: ['plain', 'just cheese'], pepperoni: ['salami'], veggie: ['vegetarian', 'vegetables'] },
        },
        how: {
          type: 'enum',
          ask: 'Shall we deliver it, or will you pick it up?',
          values: { delivery: ['deliver', 'bring it'], pickup: ['pick it up', 'pick up', 'collect', 'takeaway'] },
        },
        address: { type: 'text', ask: 'What is the address?' },
        callback: { type: 'phone', ask: 'Which number can we reach you on?' },
      },
      collect: ['size', 'topping', 'how', 'address', 'callback'],
      agent: 'Which size?',
      functions: [
        { name: 'start_over', description: 'The caller wants to start the order again.' },
        { name: 'stop_order', description: 'The caller wants to cancel the order.' },
      ],
    },
    sentences: [
      { say: 'large please', expect: { record: { size: 'large' } } },
      {
        say: 'a large pepperoni to pick up',
        expect: { record: { size: 'large', topping: 'pepperoni', how: 'pickup' } },
      },
      { say: 'the big one, and please deliver it', expect: { record: { size: 'large', how: 'delivery' } } },
      { say: 'medium or large', expect: 'asks' },
      { say: 'not large, medium', expect: { record: { size: 'medium' } } },
      { say: "actually I'd like to cancel the order", expect: { stop_order: {} } },
      { say: 'what sizes do you have?', expect: 'asks' },
      { say: 'just cheese', expect: { record: { topping: 'margherita' } } },
      { say: 'yes', expect: 'asks' },
      { say: 'can we start again', expect: { start_over: {} } },
    ],
  },
  {
    domain: 'pizza, address',
    scene: {
      slots: {
        address: { type: 'text', ask: 'What is the address?' },
        size: pizzaSize,
      },
      collect: ['address', 'size'],
      agent: 'What is the address?',
      functions: [
        { name: 'human', description: 'Transfer to a human agent.', parameters: { type: 'object', properties: {} } },
      ],
    },
    sentences: [
      { say: '14 Elm Street, second floor', expect: { record: { address: '14 Elm Street, second floor' } } },
      { say: 'let me talk to a real person', expect: { human: {} } },
      { say: 'yes', expect: 'asks' },
      { say: 'why do you need that?', expect: 'asks' },
    ],
  },
  {
    domain: 'bank card',
    scene: {
      slots: {
        holder: { type: 'name', ask: 'What is your full name?' },
        born: { type: 'date', ask: 'What is your date of birth?', before: 'today' },
        card_digits: { type: 'text', ask: 'What are the last four digits of the card number?' },
        incident: {
          type: 'enum',
          ask: 'Was it lost or stolen?',
          values: { lost: ['misplaced', 'left it'], stolen: ['theft', 'robbed', 'took it'] },
        },
      },
      collect: ['holder', 'born', 'card_digits', 'incident'],
      known: { holder: 'Ruth Okoye' },
      agent: 'What is your date of birth?',
      functions: [
        { name: 'fraud_team', description: 'The caller sees payments they did not make.' },
        { name: 'agent', description: 'The caller wants to speak to an agent.' },
      ],
    },
    sentences: [
      { say: 'April second 1979', expect: { record: { born: '1979-04-02' } } },
      { say: 'April second', expect: 'asks' },
      {
        say: 'it was stolen, and I was born on the second of April nineteen seventy nine',
        expect: { record: { born: '1979-04-02', incident: 'stolen' } },
      },
      { say: 'why do you ask', expect: 'asks' },
      { say: 'there are payments that I did not make', expect: { fraud_team: {} } },
      { say: 'give me an agent', expect: { agent: {} } },
      { say: 'my name is actually Ruth Okoro', expect: { record: { holder: 'Ruth Okoro' } } },
      { say: 'tomorrow', expect: 'asks' },
      {
        say: '1979',
        expect: { record: { born: '1979-04-02' } },
        before: [
          { type: 'agent', text: 'What is your date of birth?' },
          { type: 'caller', text: 'April second' },
        ],
      },
    ],
  },
  {
    domain: 'bank card, block',
    scene: {
      agent: 'Shall I block the card now?',
      functions: [
        {
          name: 'block_card',
          description: 'Block the card.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: {
              digits: { type: 'string', pattern: '^\\d{4}$', description: 'Last four digits of the card number.' },
            },
            required: ['digits'],
          },
        },
        { name: 'keep_card', description: 'The caller says no or has found the card.' },
      ],
    },
    sentences: [
      { say: 'yes', expect: 'asks' },
      { say: 'yes, it ends in four four one nine', expect: { block_card: { digits: '4419' } } },
      { say: 'no I found it', expect: { keep_card: {} } },
      { say: 'no', expect: { keep_card: {} } },
      { say: 'block the card ending 4419', expect: { block_card: { digits: '4419' } } },
      { say: 'block it, the number ends in 44', expect: 'asks' },
    ],
  },
  {
    domain: 'school absence',
    scene: {
      slots: {
        pupil: { type: 'name', ask: "What is your child's name?" },
        grade: { type: 'integer', ask: 'Which class is your child in?', minimum: 1, maximum: 12 },
        why: {
          type: 'enum',
          ask: 'Why is your child absent?',
          values: {
            ill: ['sick', 'fever', 'unwell'],
            appointment: ['doctor', 'dentist'],
            family: ['funeral', 'wedding'],
            other: [],
          },
        },
        back: { type: 'date', ask: 'When will your child be back?', after: 'today' },
      },
      collect: ['pupil', 'grade', 'why', 'back'],
      agent: "What is your child's name?",
      functions: [
        { name: 'office', description: 'The caller wants to speak to the school office.' },
        { name: 'school_hours', description: 'The caller asks when the school office is open.' },
      ],
    },
    sentences: [
      { say: 'Tim Brandt', expect: { record: { pupil: 'Tim Brandt' } } },
      { say: 'his name is Tim Brandt and he has a fever', expect: { record: { pupil: 'Tim Brandt', why: 'ill' } } },
      { say: "he's sick", expect: { record: { why: 'ill' } } },
      { say: 'when are you open', expect: { school_hours: {} } },
      { say: 'Tim Brandt, he will be back on Monday', expect: { record: { pupil: 'Tim Brandt', back: '2026-11-23' } } },
      { say: "I'd rather speak to the office", expect: { office: {} } },
    ],
  },
  {
    domain: 'gym',
    scene: {
      slots: {
        plan: {
          type: 'enum',
          ask: 'Which plan would you like?',
          values: { basic: ['cheap one', 'cheapest'], plus: [], premium: ['everything'] },
        },
      },
      agent: 'You are talking to Iron House. Are you calling about a new membership?',
      functions: [
        { name: 'join', description: 'The caller agrees or wants to become a member.' },
        { name: 'pause_membership', description: 'The caller wants to pause or freeze their membership.' },
        { name: 'cancel_membership', description: 'The caller wants to cancel their membership.' },
        { name: 'class_times', description: 'The caller asks about classes or their times.' },
        { name: 'nothing', description: 'The caller says no.' },
      ],
    },
    sentences: [
      { say: 'yes I want to sign up', expect: { join: {} } },
      { say: 'yeah', expect: { join: {} } },
      { say: 'no, I want to cancel my membership', expect: { cancel_membership: {} } },
      { say: "I don't want to cancel, I just want to freeze it", expect: { pause_membership: {} } },
      { say: 'cancel or pause my membership, I am not sure', expect: 'asks' },
      { say: 'when are the yoga classes', expect: { class_times: {} } },
      { say: 'how do I become a member', expect: { join: {} } },
      { say: 'the premium one', expect: { record: { plan: 'premium' } } },
      { say: 'my membership', expect: 'asks' },
    ],
  },
  {
    domain: 'parcel',
    scene: {
      agent: 'What can I do for you?',
      functions: [
        {
          name: 'track',
          description: 'Look up where a parcel is.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: { tracking_number: { type: 'string', description: 'The tracking number of the parcel.' } },
            required: ['tracking_number'],
          },
        },
        { name: 'report_damage', description: 'The caller reports that a parcel is damaged.' },
        {
          name: 'redeliver',
          description: 'The caller wants a new delivery on another day.',
          parameters: { type: 'object', properties: { day: date }, required: ['day'] },
        },
        { name: 'human', description: 'The caller asks for a human.' },
      ],
    },
    sentences: [
      { say: 'where is my parcel', expect: 'asks' },
      { say: 'where is my parcel, the tracking number is PX20417', expect: { track: { tracking_number: 'PX20417' } } },
      { say: 'my package arrived broken', expect: { report_damage: {} } },
      { say: 'can you deliver it on Friday instead', expect: { redeliver: { day: '2026-11-27' } } },
      { say: 'I need another delivery', expect: 'asks' },
      { say: 'operator', expect: { human: {} } },
      { say: 'blah blah', expect: 'asks' },
    ],
  },
  {
    domain: 'car repair',
    scene: {
      slots: {
        plate: { type: 'text', ask: 'What is the registration number of your car?' },
        trouble: { type: 'text', ask: 'What is wrong with it?' },
        day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
        at: { type: 'time', ask: 'What time?' },
        reach: { type: 'phone', ask: 'Which phone number can we call?', region: 'US' },
      },
      collect: ['plate', 'trouble', 'day', 'at', 'reach'],
      known: { plate: 'KV21 BDX' },
      agent: 'What is wrong with it?',
      functions: [{ name: 'tow', description: 'The car has broken down on the road and needs a tow truck.' }],
    },
    sentences: [
      { say: 'the brakes squeal when I stop', expect: { record: { trouble: 'the brakes squeal when I stop' } } },
      { say: 'I need a tow truck', expect: { tow: {} } },
      { say: 'what?', expect: 'asks' },
    ],
  },
  {
    domain: 'car repair, appointment',
    scene: {
      slots: {
        day: { type: 'date', ask: 'Which day suits you?', after: 'today' },
        at: { type: 'time', ask: 'What time?' },
        reach: { type: 'phone', ask: 'Which phone number can we call?', region: 'US' },
      },
      collect: ['day', 'at', 'reach'],
      agent: 'Which day suits you?',
      functions: [{ name: 'no_day', description: 'No day suits the caller.' }],
    },
    sentences: [
      { say: 'Tuesday at ten', expect: { record: { day: '2026-11-24', at: '10:00' } } },
      { say: 'Tuesday or Wednesday', expect: 'asks' },
      { say: 'Tuesday, no wait, Wednesday', expect: { record: { day: '2026-11-25' } } },
      { say: 'in the morning', expect: 'asks' },
      {
        say: 'Thursday, and you can call me at 415 555 2671',
        expect: { record: { day: '2026-11-26', reach: '+14155552671' } },
      },
      { say: 'four', expect: 'asks' },
    ],
  },
  {
    domain: 'library',
    scene: {
      agent: 'City Library. How can I help you?',
      functions: [
        {
          name: 'renew',
          description: 'Extend the loan of a book.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: { card_number: { type: 'string', description: 'Number of the library card.' } },
            required: ['card_number'],
          },
        },
        { name: 'opening', description: 'The caller asks about opening hours.' },
        { name: 'lost_card', description: 'The caller has lost their library card.' },
        { name: 'fees', description: 'The caller asks about fees for late books.' },
      ],
    },
    sentences: [
      { say: 'until when are you open today', expect: { opening: {} } },
      { say: "I can't find my library card", expect: { lost_card: {} } },
      { say: 'I want to renew my books, my card number is 88 231', expect: { renew: { card_number: '88231' } } },
      { say: 'can I keep it longer', expect: 'asks' },
      { say: 'how much is it if I bring a book back late', expect: { fees: {} } },
      { say: 'I would like to open a restaurant', expect: 'asks' },
    ],
  },
  {
    domain: 'read-back',
    scene: {
      slots: {
        guest: { type: 'name', ask: 'What is your name?', confirm: 'readback' },
        when: { type: 'time', ask: 'What time?' },
        reach: { type: 'phone', ask: 'Your phone number?', confirm: 'readback' },
      },
      collect: ['guest', 'when', 'reach'],
      known: { guest: 'Maria Delgado' },
      unconfirmed: ['guest'],
      agent: 'Maria Delgado, is that right?',
      functions: [{ name: 'bye', description: 'The caller says goodbye.' }],
    },
    sentences: [
      { say: "no, it's Mario Delgado", expect: { record: { guest: 'Mario Delgado' } } },
      { say: 'no, the last name is Delgato', expect: { record: { guest: 'Maria Delgato' } } },
      { say: 'almost', expect: 'asks' },
      { say: 'yes, and I would like to come at half past seven in the evening', expect: { record: { when: '19:30' } } },
    ],
  },
  {
    domain: 'dinner',
    scene: {
      agent: 'On Tuesday we have half past five or eight. What time would you like to have dinner?',
      slots: {
        guest: { type: 'name', ask: 'What name shall I put it under?' },
        time: { type: 'time', ask: 'What time would you like to have dinner?' },
        day: { type: 'date', ask: 'Which day would you like to come?', after: 'today' },
        people: { type: 'integer', ask: 'How many of you will there be?', minimum: 1 },
        nights: { type: 'integer', ask: 'How many nights are you staying in the inn?' },
        allergies: { type: 'boolean', ask: 'Has anybody an allergy?' },
      },
      collect: ['time', 'people', 'guest'],
      known: { day: '2026-11-24' },
      functions: [{ name: 'hours', description: 'The caller asks when the restaurant is open.' }],
    },
    sentences: [
      { say: 'at seven', expect: { record: { time: '19:00' } } },
      { say: 'Eight, eight fifteen', expect: { record: { time: '20:15' } } },
      { say: 'the first one please', expect: { record: { time: '17:30' } } },
      { say: "I'll take the later one", expect: { record: { time: '20:00' } } },
      { say: 'the third one', expect: 'asks' },
      { say: 'at seven, under Bob Stone', expect: { record: { time: '19:00', guest: 'Bob Stone' } } },
      { say: 'seven for four people', expect: { record: { time: '19:00', people: 4 } } },
      { say: "we can't make Tuesday, Wednesday at eight", expect: { record: { time: '20:00', day: '2026-11-25' } } },
      { say: "six, I've got to be home by nine", expect: { record: { time: '18:00' } } },
      { say: 'up to you', expect: 'asks' },
      { say: 'when do you open', expect: { hours: {} } },
      { say: 'yes please', expect: 'asks' },
      { say: 'my sister was ill on Monday', expect: 'asks' },
      { say: 'we would like to come on Thursday at six', expect: { record: { day: '2026-11-26', time: '18:00' } } },
    ],
  },
  {
    domain: 'the one opening',
    scene: {
      agent: 'The first opening is on Monday, November 30. Which day would you like?',
      slots: { day: { type: 'date', ask: 'Which day would you like?', after: 'today' } },
      collect: ['day'],
    },
    sentences: [
      { say: 'yes please', expect: { record: { day: '2026-11-30' } } },
      { say: 'the first one', expect: { record: { day: '2026-11-30' } } },
      { say: "I'll take that one", expect: { record: { day: '2026-11-30' } } },
      { say: 'the day after', expect: 'asks' },
      { say: 'no', expect: 'asks' },
    ],
  },
  {
    domain: 'the one day that is not open',
    scene: {
      agent: 'We are closed on Monday, November 30. Which day would you like instead?',
      slots: { day: { type: 'date', ask: 'Which day would you like?', after: 'today' } },
      collect: ['day'],
    },
    sentences: [
      { say: 'yes', expect: 'asks' },
      { say: 'the first one', expect: 'asks' },
    ],
  },
  {
    domain: 'straight to the point',
    scene: {
      agent: 'Would you like to rent a boat?',
      slots: {
        day: { type: 'date', ask: 'Which day?', after: 'today' },
        people: { type: 'integer', ask: 'How many of you?' },
      },
      functions: [
        { name: 'rent', description: 'The caller agrees or wants to rent a boat.' },
        { name: 'has_boat', description: 'The caller has a boat already and asks about it.' },
        { name: 'no', description: 'The caller refuses.' },
      ],
    },
    sentences: [
      { say: 'a boat for six on Friday', expect: { rent: {}, record: { people: 6, day: '2026-11-27' } } },
      { say: 'boat for four friday', expect: { rent: {}, record: { people: 4, day: '2026-11-27' } } },
      { say: 'a boat', expect: 'asks' },
    ],
  },
  {
    domain: 'evening class',
    scene: {
      agent: 'How many of you will take part?',
      slots: {
        people: { type: 'integer', ask: 'How many of you will take part?', minimum: 1 },
        evening: { type: 'date', ask: 'Which evening would you like?', after: 'today' },
        begin: { type: 'time', ask: 'When shall it begin?' },
      },
      collect: ['people', 'evening', 'begin'],
    },
    sentences: [
      { say: 'two, at half eight', expect: { record: { people: 2, begin: '20:30' } } },
      { say: 'me, my sister and her three kids', expect: 'asks' },
      { say: 'just the one', expect: { record: { people: 1 } } },
      { say: 'the one', expect: 'asks' },
    ],
  },
  {
    domain: 'inn, nights',
    scene: {
      agent: 'How many nights are you staying?',
      slots: {
        nights: { type: 'integer', ask: 'How many nights are you staying?', minimum: 1 },
        children: { type: 'integer', ask: 'How many children?', minimum: 0 },
        born: { type: 'date', ask: 'When were you born?', before: 'today' },
        leave: { type: 'date', ask: 'When will you leave?', after: 'today' },
      },
      collect: ['nights', 'children', 'leave'],
      known: { born: '1979-05-04' },
    },
    sentences: [
      { say: 'a week', expect: { record: { nights: 7 } } },
      { say: 'two weeks', expect: { record: { nights: 14 } } },
      { say: 'a week and three days', expect: 'asks' },
      { say: 'none', expect: 'asks' },
      { say: 'three nights, no kids', expect: { record: { nights: 3 } } },
      {
        say: 'wait, my birthday is the fifth of May not the fourth',
        expect: { record: { born: '1979-05-05' } },
      },
    ],
  },
  {
    domain: 'boat hire, offer',
    scene: {
      agent: 'Would you like to hire a boat?',
      slots: { day: { type: 'date', ask: 'Which day?', after: 'today' } },
      collect: ['day'],
      known: { day: '2026-11-27' },
      functions: [
        { name: 'hire', description: 'The caller agrees.' },
        { name: 'decline', description: 'The caller refuses.' },
      ],
    },
    sentences: [
      { say: 'no, rather on Monday', expect: { record: { day: '2026-11-23' } } },
      { say: 'no, Monday', expect: { record: { day: '2026-11-23' } } },
      { say: 'no thank you', expect: { decline: {} } },
      { say: 'no, I changed my mind', expect: { decline: {} } },
    ],
  },
];
