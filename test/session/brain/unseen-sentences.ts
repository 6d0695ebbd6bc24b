import type { Group } from './sentences.ts';

const date = { type: 'string', format: 'date' };
const time = { type: 'string', format: 'time' };

/** Written when the rules were done with the other sentences, and not tuned by: how the rules do on flows that nobody has seen. */
export const unseenSentences: readonly Group[] = [
  {
    domain: 'hairdresser, greeting',
    scene: {
      agent: 'Salon Mira, hello! Would you like an appointment?',
      slots: {
        service: {
          type: 'enum',
          ask: 'What shall we do for you?',
          values: { cut: ['haircut', 'trim'], color: ['dye', 'highlights'], both: ['cut and color'] },
        },
        client: { type: 'name', ask: 'May I have your name?' },
        day: { type: 'date', ask: 'Which day would suit you?', after: 'today' },
        at: { type: 'time', ask: 'What time?' },
      },
      functions: [
        { name: 'wants_appointment', description: 'The caller agrees or wants an appointment.' },
        { name: 'move_it', description: 'The caller has an appointment and wants to move it.' },
        { name: 'cancel_it', description: 'The caller has an appointment and wants to cancel it.' },
        { name: 'prices', description: 'The caller asks what something costs.' },
        { name: 'no_thanks', description: 'The caller refuses.' },
        { name: 'stylist', description: 'The caller wants to speak to a stylist or another person.' },
      ],
    },
    sentences: [
      {
        say: 'yes i would like a haircut on thursday',
        expect: { wants_appointment: {}, record: { service: 'cut', day: '2026-11-26' } },
      },
      { say: 'um yeah sure', expect: { wants_appointment: {} } },
      { say: 'how much is a trim', expect: { prices: {} } },
      { say: 'i need to cancel my appointment for tomorrow', expect: { cancel_it: {} } },
      { say: 'i have an appointment and i would like to reschedule', expect: { move_it: {} } },
      { say: 'not today thanks', expect: { no_thanks: {} } },
      { say: 'can you connect me to someone please', expect: { stylist: {} } },
      { say: 'this is Gloria Mendes', expect: { record: { client: 'Gloria Mendes' } } },
      { say: 'wrong number sorry', expect: 'asks' },
    ],
  },
  {
    domain: 'hairdresser, time',
    scene: {
      agent: 'On Thursday I have ten thirty or a quarter past two. What time would you like?',
      slots: {
        at: { type: 'time', ask: 'What time would you like?' },
        day: { type: 'date', ask: 'Which day would suit you?', after: 'today' },
      },
      collect: ['day', 'at'],
      known: { day: '2026-11-26' },
      functions: [
        { name: 'neither', description: 'The caller wants none of these times.' },
        {
          name: 'another_day',
          description: 'The caller wants another day.',
          parameters: { type: 'object', properties: { day: date }, required: ['day'] },
        },
      ],
    },
    sentences: [
      { say: 'ten thirty', expect: { record: { at: '10:30' } } },
      { say: 'quarter past two is good', expect: { record: { at: '14:15' } } },
      { say: 'neither works for me', expect: { neither: {} } },
      { say: 'do you have anything on friday', expect: { another_day: { day: '2026-11-27' } } },
      { say: 'the later one', expect: 'asks' },
      { say: 'either is fine', expect: 'asks' },
    ],
  },
  {
    domain: 'airline check-in',
    scene: {
      slots: {
        booking_code: { type: 'text', ask: 'What is your booking code?' },
        passenger: { type: 'name', ask: 'And the name of the passenger?' },
        bags: { type: 'integer', ask: 'How many bags will you check in?', minimum: 0, maximum: 5 },
        seat: { type: 'enum', ask: 'Window or aisle?', values: { window: [], aisle: ['corridor'], middle: [] } },
      },
      collect: ['booking_code', 'passenger', 'bags', 'seat'],
      agent: 'What is your booking code?',
      functions: [
        { name: 'lost_code', description: 'The caller does not have or cannot find the booking code.' },
        { name: 'flight_delay', description: 'The caller asks whether a flight is delayed.' },
        { name: 'rebook', description: 'The caller has missed a flight.' },
      ],
    },
    sentences: [
      { say: 'K T 4 9 2 B', expect: { record: { booking_code: 'KT492B' } } },
      { say: "i can't find it", expect: { lost_code: {} } },
      { say: 'i missed my flight', expect: { rebook: {} } },
      { say: 'is the flight to rome late', expect: { flight_delay: {} } },
      { say: 'a window seat please', expect: { record: { seat: 'window' } } },
      { say: 'i have two bags', expect: { record: { bags: 2 } } },
      { say: 'why is everything so complicated', expect: 'asks' },
    ],
  },
  {
    domain: 'airline, bags',
    scene: {
      slots: {
        bags: { type: 'integer', ask: 'How many bags will you check in?', minimum: 0, maximum: 5 },
        seat: { type: 'enum', ask: 'Window or aisle?', values: { window: [], aisle: ['corridor'], middle: [] } },
        assistance: { type: 'boolean', ask: 'Do you need a wheelchair?' },
      },
      collect: ['bags', 'seat', 'assistance'],
      agent: 'How many bags will you check in?',
    },
    sentences: [
      { say: 'just one', expect: { record: { bags: 1 } } },
      { say: 'none', expect: 'asks' },
      { say: 'one bag and a seat on the aisle', expect: { record: { bags: 1, seat: 'aisle' } } },
      { say: 'nine', expect: 'asks' },
      { say: 'yes', expect: 'asks' },
    ],
  },
  {
    domain: 'dry cleaner, plain tools',
    scene: {
      task: 'Find out what the customer needs and use the right tool.',
      agent: 'Bright Cleaners, how can I help you?',
      functions: [
        {
          name: 'schedule_pickup',
          description: 'Schedule a pickup of clothes at the address of the customer.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: {
              date: { ...date, description: 'The day of the pickup.' },
              time: { ...time, description: 'The time of the pickup.' },
            },
            required: ['date', 'time'],
          },
        },
        {
          name: 'check_status',
          description: 'Check whether an order is ready.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: { ticket: { type: 'string', description: 'The ticket number.', pattern: '^\\d{3,5}$' } },
            required: ['ticket'],
          },
        },
        { name: 'damage_claim', description: 'The customer reports that something was damaged.' },
      ],
    },
    sentences: [
      {
        say: 'schedule a pickup for monday at nine am',
        expect: { schedule_pickup: { date: '2026-11-23', time: '09:00' } },
      },
      { say: 'is my order ready my ticket is 4471', expect: { check_status: { ticket: '4471' } } },
      { say: 'is my order ready', expect: 'asks' },
      { say: 'you ruined my shirt, it is damaged', expect: { damage_claim: {} } },
      { say: 'pick up my clothes on monday', expect: 'asks' },
      { say: 'do you sell shirts', expect: 'asks' },
    ],
  },
  {
    domain: 'mobile contract',
    scene: {
      agent: 'Your contract ends next month. Shall I renew it for another year?',
      functions: [
        { name: 'renew', description: 'The caller agrees to renew the contract.' },
        { name: 'end_contract', description: 'The caller does not want to renew the contract.' },
        { name: 'cheaper', description: 'The caller finds it too expensive or asks for a better price.' },
        { name: 'think_about_it', description: 'The caller wants to think about it or decide later.' },
      ],
    },
    sentences: [
      { say: 'yes go ahead', expect: { renew: {} } },
      { say: 'no i do not want to renew', expect: { end_contract: {} } },
      { say: 'no', expect: { end_contract: {} } },
      { say: 'that is too expensive for me', expect: { cheaper: {} } },
      { say: 'let me think about it', expect: { think_about_it: {} } },
      { say: 'yes but only if it gets cheaper', expect: { cheaper: {} } },
      { say: 'what happens if i do nothing', expect: 'asks' },
      { say: 'i guess so', expect: { renew: {} } },
    ],
  },
  {
    domain: 'blood donation',
    scene: {
      slots: {
        donor: { type: 'name', ask: 'What is your full name?' },
        born: { type: 'date', ask: 'When were you born?', before: 'today' },
        weight: { type: 'number', ask: 'How much do you weigh, in kilos?', minimum: 30, maximum: 250 },
        tattoo: { type: 'boolean', ask: 'Have you had a tattoo in the last four months?' },
        blood: {
          type: 'enum',
          ask: 'Which blood group do you have?',
          values: { a: ['group a'], b: ['group b'], ab: ['group ab'], o: ['zero', 'group zero'], unknown: [] },
        },
      },
      collect: ['donor', 'born', 'weight', 'tattoo'],
      known: { donor: 'Nils Berg' },
      agent: 'When were you born?',
      functions: [{ name: 'too_private', description: 'The caller would rather not say.' }],
    },
    sentences: [
      { say: 'the twelfth of june nineteen ninety', expect: { record: { born: '1990-06-12' } } },
      { say: 'june twelfth', expect: 'asks' },
      { say: 'on 12 June 1990 and i weigh 82 kilos', expect: { record: { born: '1990-06-12', weight: 82 } } },
      { say: "that's none of your business", expect: 'asks' },
      { say: "i'd rather not say", expect: { too_private: {} } },
      { say: 'thirty six years ago', expect: 'asks' },
    ],
  },
  {
    domain: 'language course',
    scene: {
      slots: {
        language: {
          type: 'enum',
          ask: 'Which language would you like to learn?',
          values: { spanish: [], french: [], german: [] },
        },
        level: {
          type: 'enum',
          ask: 'What is your level?',
          values: {
            beginner: ['no knowledge', 'from scratch'],
            intermediate: ['some'],
            advanced: ['fluent', 'very well'],
          },
        },
        evenings: { type: 'boolean', ask: 'Would evenings suit you?' },
        mail: { type: 'email', ask: 'What is your email address?' },
      },
      collect: ['language', 'level', 'evenings', 'mail'],
      agent: 'Which language would you like to learn?',
      functions: [
        { name: 'price', description: 'The caller asks about the price of a course.' },
        { name: 'not_listed', description: 'The caller wants a language that we do not teach.' },
      ],
    },
    sentences: [
      { say: 'french for beginners', expect: { record: { language: 'french', level: 'beginner' } } },
      { say: 'spanish, i am fluent already', expect: { record: { language: 'spanish', level: 'advanced' } } },
      { say: 'either french or german', expect: 'asks' },
      { say: 'german, no sorry, french', expect: { record: { language: 'french' } } },
      { say: 'how much does it cost', expect: { price: {} } },
      { say: 'i am not sure', expect: 'asks' },
    ],
  },
  {
    domain: 'moving company',
    scene: {
      slots: {
        from_city: { type: 'text', ask: 'Which city are you moving from?' },
        to_city: { type: 'text', ask: 'And to which city?' },
        moving_day: { type: 'date', ask: 'When would you like to move?', after: 'today' },
        rooms: { type: 'integer', ask: 'How many rooms do you have?', minimum: 1, maximum: 20 },
        piano: { type: 'boolean', ask: 'Do you have a piano?' },
      },
      collect: ['from_city', 'to_city', 'moving_day', 'rooms', 'piano'],
      known: { from_city: 'Bremen', to_city: 'Kiel' },
      agent: 'When would you like to move?',
      functions: [{ name: 'not_fixed', description: 'The caller does not know the date yet.' }],
    },
    sentences: [
      { say: 'on the first of february', expect: { record: { moving_day: '2027-02-01' } } },
      { say: 'i do not know yet', expect: { not_fixed: {} } },
      { say: 'in two weeks and we have four rooms', expect: { record: { moving_day: '2026-12-05', rooms: 4 } } },
      { say: 'as soon as you can', expect: 'asks' },
      { say: 'we have three rooms', expect: { record: { rooms: 3 } } },
      { say: 'February 30th', expect: 'asks' },
    ],
  },
  {
    domain: 'museum',
    scene: {
      agent: 'City Museum. What would you like to know?',
      functions: [
        { name: 'hours', description: 'The caller asks about opening hours.' },
        { name: 'tickets', description: 'The caller asks about ticket prices or discounts.' },
        {
          name: 'group_tour',
          description: 'The caller wants to book a tour for a group.',
          parameters: {
            type: 'object',
            properties: {
              group_size: { type: 'integer', minimum: 2, maximum: 40, description: 'Number of people in the group.' },
              day: date,
            },
            required: ['group_size', 'day'],
          },
        },
        { name: 'lost_and_found', description: 'The caller has lost something in the museum.' },
        { name: 'goodbye', description: 'The caller needs nothing else.' },
      ],
    },
    sentences: [
      { say: 'when do you open on sundays', expect: { hours: {} } },
      { say: 'how much is a ticket for students', expect: { tickets: {} } },
      {
        say: 'i want to book a tour for twenty people on december third',
        expect: { group_tour: { group_size: 20, day: '2026-12-03' } },
      },
      { say: 'i would like to book a group tour', expect: 'asks' },
      { say: 'i think i lost my scarf', expect: { lost_and_found: {} } },
      { say: 'nothing else thank you', expect: { goodbye: {} } },
      { say: 'that would be all', expect: { goodbye: {} } },
      { say: 'do you like art', expect: 'asks' },
    ],
  },
  {
    domain: 'power outage',
    scene: {
      agent: 'Is the power out in your whole street, or only in your home?',
      functions: [
        {
          name: 'report_outage',
          description: 'Report an outage.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: {
              extent: {
                type: 'string',
                enum: ['street', 'home'],
                description:
                  'How far the outage reaches. street: whole street, everybody. home: only in my home, just us, my flat.',
              },
            },
            required: ['extent'],
          },
        },
        { name: 'sparks', description: 'The caller sees sparks, smoke or a cable on the ground.' },
        { name: 'power_is_back', description: 'The power has come back.' },
      ],
    },
    sentences: [
      { say: 'the whole street', expect: { report_outage: { extent: 'street' } } },
      { say: 'just us', expect: { report_outage: { extent: 'home' } } },
      { say: 'there is smoke coming out of the socket', expect: { sparks: {} } },
      { say: 'oh it just came back', expect: { power_is_back: {} } },
      { say: 'i have no idea', expect: 'asks' },
      { say: 'yes', expect: 'asks' },
    ],
  },
  {
    domain: 'package pick-up by courier, many values',
    scene: {
      slots: {
        sender: { type: 'name', ask: 'Who is sending the parcel?' },
        weight: { type: 'number', ask: 'How heavy is it, in kilos?', minimum: 0, maximum: 50 },
        parcels: { type: 'integer', ask: 'How many parcels are there?', minimum: 1 },
        pickup_day: { type: 'date', ask: 'When shall we pick it up?', after: 'today' },
        pickup_time: { type: 'time', ask: 'At what time?' },
        contact: { type: 'phone', ask: 'Which phone number may the driver call?', region: 'US' },
        fragile: { type: 'boolean', ask: 'Is it fragile?' },
      },
      collect: ['sender', 'parcels', 'weight', 'pickup_day', 'pickup_time', 'contact', 'fragile'],
      agent: 'Who is sending the parcel?',
    },
    sentences: [
      {
        say: 'my name is Omar Haddad and i have three parcels',
        expect: { record: { sender: 'Omar Haddad', parcels: 3 } },
      },
      { say: 'omar haddad', expect: { record: { sender: 'Omar Haddad' } } },
      {
        say: 'Omar Haddad, you can pick it up on Monday at noon',
        expect: { record: { sender: 'Omar Haddad', pickup_day: '2026-11-23', pickup_time: '12:00' } },
      },
      {
        say: 'two parcels, the driver can call 415 555 2671',
        expect: { record: { parcels: 2, contact: '+14155552671' } },
      },
      { say: 'the company', expect: 'asks' },
      { say: 'sorry can you say that again', expect: 'asks' },
    ],
  },
];
