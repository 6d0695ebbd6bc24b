import type { Group } from './sentences.ts';

/**
 * Other domains, written before the rules were first run. They were taken right 84 times in 100, asked about 10 times and
 * taken wrong 6 times when first counted; the rules have been tuned by them since.
 */
export const moreSentences: readonly Group[] = [
  {
    domain: 'vet, greeting',
    scene: {
      agent: 'Happy Paws animal clinic. Is this about a new appointment?',
      slots: {
        owner: { type: 'name', ask: 'What is your name?' },
        animal: {
          type: 'enum',
          ask: 'What kind of animal is it?',
          values: { dog: ['puppy'], cat: ['kitten'], bird: ['parrot', 'budgie'], other: [] },
        },
        pet_name: { type: 'text', ask: 'What is the name of your pet?' },
      },
      functions: [
        { name: 'make_appointment', description: 'The caller agrees or wants to see the vet.' },
        { name: 'move_appointment', description: 'The caller wants to move or cancel an existing appointment.' },
        { name: 'no_appointment', description: 'The caller refuses.' },
        {
          name: 'poisoned',
          description: 'The animal has eaten something poisonous, cannot breathe or is bleeding heavily.',
        },
        { name: 'reception', description: 'The caller wants to talk to a person.' },
      ],
    },
    sentences: [
      { say: 'yes it is', expect: { make_appointment: {} } },
      { say: 'yes, my cat is not eating', expect: { make_appointment: {}, record: { animal: 'cat' } } },
      { say: 'no, I need to reschedule my appointment', expect: { move_appointment: {} } },
      { say: "my dog can't breathe", expect: { poisoned: {}, record: { animal: 'dog' } } },
      { say: "she's bleeding a lot, please help", expect: { poisoned: {} } },
      { say: 'no thank you', expect: { no_appointment: {} } },
      { say: 'I want to see the vet with my parrot', expect: { make_appointment: {}, record: { animal: 'bird' } } },
      { say: 'put me through to a human being', expect: { reception: {} } },
      { say: 'purple monkey dishwasher', expect: 'asks' },
      { say: 'hello?', expect: 'asks' },
    ],
  },
  {
    domain: 'vet, details',
    scene: {
      slots: {
        owner: { type: 'name', ask: 'What is your name?' },
        pet_name: { type: 'text', ask: 'What is the name of your pet?' },
        age: { type: 'integer', ask: 'How old is it?', minimum: 0, maximum: 40 },
        vaccinated: { type: 'boolean', ask: 'Has it been vaccinated this year?' },
        visit: { type: 'date', ask: 'Which day would you like to come?', after: 'today' },
      },
      collect: ['owner', 'pet_name', 'age', 'vaccinated', 'visit'],
      known: { owner: 'Lena Fischer', pet_name: 'Rex', age: 4 },
      agent: 'Has it been vaccinated this year?',
      functions: [
        { name: 'not_sure', description: 'The caller does not know whether the animal has been vaccinated.' },
      ],
    },
    sentences: [
      { say: 'yes in March', expect: { record: { vaccinated: true } } },
      { say: 'nope', expect: { record: { vaccinated: false } } },
      { say: 'I have no idea', expect: { not_sure: {} } },
      { say: 'no, he has not', expect: { record: { vaccinated: false } } },
      { say: 'actually he is five years old', expect: { record: { age: 5 } } },
      { say: 'yes, and we could come on Thursday', expect: { record: { vaccinated: true, visit: '2026-11-26' } } },
      { say: 'the vet did it', expect: 'asks' },
    ],
  },
  {
    domain: 'insurance claim',
    scene: {
      slots: {
        policy_number: { type: 'text', ask: 'What is your policy number?' },
        happened_on: { type: 'date', ask: 'When did it happen?', before: 'today' },
        what: {
          type: 'enum',
          ask: 'What kind of damage is it?',
          values: {
            water: ['flood', 'burst pipe', 'leak'],
            fire: ['burned', 'smoke'],
            storm: ['hail', 'wind'],
            burglary: ['broken into', 'break-in'],
            other: [],
          },
        },
        injured: { type: 'boolean', ask: 'Was anybody hurt?' },
      },
      collect: ['policy_number', 'happened_on', 'what', 'injured'],
      agent: 'What is your policy number?',
      functions: [
        { name: 'no_policy_number', description: 'The caller does not have the policy number at hand.' },
        { name: 'claims_desk', description: 'The caller wants to speak to a claims agent.' },
        { name: 'claim_status', description: 'The caller asks about the status of a claim they have already made.' },
      ],
    },
    sentences: [
      { say: 'HX 40 22 71', expect: { record: { policy_number: 'HX402271' } } },
      { say: 'four zero two two seven one', expect: { record: { policy_number: '402271' } } },
      { say: "I don't have it with me", expect: { no_policy_number: {} } },
      { say: 'it is 402271 and we had a burst pipe', expect: { record: { policy_number: '402271', what: 'water' } } },
      { say: 'someone broke in, our house was broken into', expect: { record: { what: 'burglary' } } },
      { say: 'I want to know the status of my claim', expect: { claim_status: {} } },
      { say: 'can I please speak with an agent', expect: { claims_desk: {} } },
      { say: 'sorry, what did you say?', expect: 'asks' },
      { say: 'what do you need that for', expect: 'asks' },
    ],
  },
  {
    domain: 'insurance claim, date',
    scene: {
      slots: {
        happened_on: { type: 'date', ask: 'When did it happen?', before: 'today' },
        injured: { type: 'boolean', ask: 'Was anybody hurt?' },
        reach: { type: 'email', ask: 'Which email address can we write to?' },
      },
      collect: ['happened_on', 'injured', 'reach'],
      agent: 'When did it happen?',
      functions: [{ name: 'cannot_tell', description: 'The caller cannot say when it happened.' }],
    },
    sentences: [
      { say: 'yesterday', expect: { record: { happened_on: '2026-11-20' } } },
      { say: 'on the third of November 2026', expect: { record: { happened_on: '2026-11-03' } } },
      { say: 'November third', expect: 'asks' },
      { say: 'next week', expect: 'asks' },
      { say: "I can't remember", expect: { cannot_tell: {} } },
      { say: 'last night at eleven', expect: { record: { happened_on: '2026-11-20' } } },
      {
        say: 'yesterday, you can write to lena dot fischer at example dot com',
        expect: { record: { happened_on: '2026-11-20', reach: 'lena.fischer@example.com' } },
      },
    ],
  },
  {
    domain: 'taxi',
    scene: {
      agent: 'City Cabs. Where shall we pick you up?',
      functions: [
        {
          name: 'order_taxi',
          description: 'Order a taxi.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: {
              pickup_address: { type: 'string', description: 'Where the caller wants to be picked up.' },
              passengers: { type: 'integer', minimum: 1, maximum: 8, description: 'How many people will ride.' },
              pickup_time: { type: 'string', format: 'time', description: 'When the caller wants to be picked up.' },
            },
            required: ['pickup_address', 'passengers'],
          },
        },
        { name: 'lost_property', description: 'The caller has left something in a taxi.' },
        { name: 'complaint', description: 'The caller complains about a driver.' },
      ],
    },
    sentences: [
      { say: 'I left my umbrella in one of your cabs', expect: { lost_property: {} } },
      { say: 'I want to complain about a driver', expect: { complaint: {} } },
      { say: 'at the main station', expect: 'asks' },
      { say: 'there are three of us', expect: 'asks' },
      { say: 'uh what', expect: 'asks' },
    ],
  },
  {
    domain: 'taxi, passengers',
    scene: {
      agent: 'How many people will ride?',
      slots: {
        from_address: { type: 'text', ask: 'Where shall we pick you up?' },
        riders: { type: 'integer', ask: 'How many people will ride?', minimum: 1, maximum: 8 },
        pickup_at: { type: 'time', ask: 'What time shall we come?' },
        luggage: { type: 'boolean', ask: 'Do you have large luggage?' },
      },
      collect: ['from_address', 'riders', 'pickup_at', 'luggage'],
      known: { from_address: 'main station' },
      functions: [{ name: 'call_off', description: 'The caller does not need the taxi any more.' }],
    },
    sentences: [
      { say: 'three', expect: { record: { riders: 3 } } },
      { say: 'just me', expect: 'asks' },
      { say: 'four of us at half past six in the evening', expect: { record: { riders: 4, pickup_at: '18:30' } } },
      { say: 'twelve', expect: 'asks' },
      { say: 'two or three', expect: 'asks' },
      { say: "I don't need the taxi any more", expect: { call_off: {} } },
      { say: 'me and my wife', expect: 'asks' },
    ],
  },
  {
    domain: 'survey, consent',
    scene: {
      agent: 'We would like to ask you three short questions about your stay. Is now a good time?',
      functions: [
        { name: 'begin', description: 'The caller agrees to take part.' },
        { name: 'later', description: 'The caller has no time now or wants to be called back.' },
        { name: 'opt_out', description: 'The caller does not want to take part.' },
      ],
    },
    sentences: [
      { say: 'sure', expect: { begin: {} } },
      { say: 'okay, go ahead', expect: { begin: {} } },
      { say: 'no', expect: { later: {} } },
      { say: "I'm busy right now", expect: { later: {} } },
      { say: 'can you call me back', expect: { later: {} } },
      { say: "I don't want to take part", expect: { opt_out: {} } },
      { say: "I'm not interested", expect: { opt_out: {} } },
      { say: 'who is this', expect: 'asks' },
      { say: 'maybe', expect: 'asks' },
    ],
  },
  {
    domain: 'survey, rating',
    scene: {
      slots: {
        score: {
          type: 'integer',
          ask: 'From one to ten, how likely are you to recommend us?',
          minimum: 1,
          maximum: 10,
        },
        comment: { type: 'text', ask: 'What could we do better?' },
      },
      collect: ['score', 'comment'],
      agent: 'From one to ten, how likely are you to recommend us?',
      functions: [{ name: 'skip_question', description: 'The caller would rather not answer.' }],
    },
    sentences: [
      { say: 'an eight', expect: { record: { score: 8 } } },
      { say: 'eleven', expect: 'asks' },
      { say: 'seven, no, let us say six', expect: { record: { score: 6 } } },
      { say: "I'd rather not answer that", expect: { skip_question: {} } },
      { say: 'very likely', expect: 'asks' },
      { say: 'between seven and eight', expect: 'asks' },
    ],
  },
  {
    domain: 'pharmacy',
    scene: {
      agent: 'Corner Pharmacy. What can I do for you?',
      functions: [
        {
          name: 'refill',
          description: 'Refill a prescription.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: {
              prescription_number: {
                type: 'string',
                pattern: '^\\d{6}$',
                description: 'Six digit prescription number.',
              },
              birth_date: { type: 'string', format: 'date', description: 'Date of birth of the patient.' },
            },
            required: ['prescription_number', 'birth_date'],
          },
        },
        { name: 'pharmacist', description: 'The caller has a question for the pharmacist.' },
        { name: 'store_hours', description: 'The caller asks when the pharmacy opens or closes.' },
        { name: 'delivery_status', description: 'The caller asks where their delivery is.' },
      ],
    },
    sentences: [
      {
        say: 'I need to refill prescription 402118, date of birth May 4th 1961',
        expect: { refill: { prescription_number: '402118', birth_date: '1961-05-04' } },
      },
      { say: 'I need a refill', expect: 'asks' },
      { say: 'a refill for prescription number 402118', expect: 'asks' },
      { say: 'when do you close', expect: { store_hours: {} } },
      { say: "where's my delivery", expect: { delivery_status: {} } },
      { say: 'I have a question for the pharmacist', expect: { pharmacist: {} } },
      { say: 'are you open on Sunday', expect: { store_hours: {} } },
      {
        say: 'May 4th 1961',
        expect: { refill: { prescription_number: '402118', birth_date: '1961-05-04' } },
        before: [
          { type: 'agent', text: 'What can I do for you?' },
          { type: 'caller', text: 'a refill for prescription number 402118' },
        ],
      },
    ],
  },
  {
    domain: 'flat viewing',
    scene: {
      agent:
        'The flat on Mill Road is still free. Would you like to see it on Monday at five, or would another day be better?',
      functions: [
        { name: 'take_offer', description: 'The caller accepts the time that was offered.' },
        {
          name: 'other_day',
          description: 'The caller wants to come on another day.',
          parameters: {
            type: 'object',
            properties: {
              day: { type: 'string', format: 'date', description: 'The day the caller would like.' },
              at: { type: 'string', format: 'time', description: 'The time.' },
            },
            required: ['day'],
          },
        },
        { name: 'not_interested', description: 'The caller is not interested in the flat any more.' },
        { name: 'rent', description: 'The caller asks about the rent or other costs.' },
        { name: 'pets', description: 'The caller asks whether pets are allowed.' },
      ],
    },
    sentences: [
      { say: 'could we do Wednesday at six pm', expect: { other_day: { day: '2026-11-25', at: '18:00' } } },
      { say: 'Thursday would be better', expect: { other_day: { day: '2026-11-26' } } },
      { say: 'how much is the rent', expect: { rent: {} } },
      { say: 'can I bring my dog', expect: { pets: {} } },
      { say: "I'm not interested any more", expect: { not_interested: {} } },
      { say: 'another day please', expect: 'asks' },
      { say: 'I accept', expect: { take_offer: {} } },
    ],
  },
  {
    domain: 'concert tickets',
    scene: {
      slots: {
        tickets: { type: 'integer', ask: 'How many tickets would you like?', minimum: 1, maximum: 10 },
        block: {
          type: 'enum',
          ask: 'Where would you like to sit?',
          values: { stalls: ['ground floor', 'parquet'], balcony: ['upstairs', 'circle'], standing: ['stand'] },
        },
        buyer: { type: 'name', ask: 'Under which name?' },
        mail: { type: 'email', ask: 'Where shall we send the tickets?' },
      },
      collect: ['tickets', 'block', 'buyer', 'mail'],
      agent: 'How many tickets would you like?',
      functions: [
        { name: 'refund', description: 'The caller wants their money back for tickets they have bought.' },
        { name: 'programme', description: 'The caller asks who is playing or what is on.' },
      ],
    },
    sentences: [
      { say: 'four in the balcony', expect: { record: { tickets: 4, block: 'balcony' } } },
      { say: 'two please', expect: { record: { tickets: 2 } } },
      {
        say: 'six tickets upstairs under the name Paul Novak',
        expect: { record: { tickets: 6, block: 'balcony', buyer: 'Paul Novak' } },
      },
      { say: 'I want a refund for my tickets', expect: { refund: {} } },
      { say: 'who is playing tonight', expect: { programme: {} } },
      { say: 'fifty', expect: 'asks' },
      { say: 'some', expect: 'asks' },
      { say: 'two, no three', expect: { record: { tickets: 3 } } },
    ],
  },
  {
    domain: 'meter reading',
    scene: {
      agent: 'What is the reading on your electricity meter?',
      functions: [
        {
          name: 'submit_reading',
          description: 'Save the meter reading.',
          isTool: true,
          parameters: {
            type: 'object',
            properties: { reading: { type: 'integer', minimum: 0, description: 'The number on the meter.' } },
            required: ['reading'],
          },
        },
        { name: 'cannot_read', description: 'The caller cannot find or read the meter.' },
        { name: 'bill_question', description: 'The caller has a question about their bill.' },
      ],
    },
    sentences: [
      { say: 'four eight one two seven', expect: { submit_reading: { reading: 48127 } } },
      { say: "it's 48127", expect: { submit_reading: { reading: 48127 } } },
      { say: "I can't find the meter", expect: { cannot_read: {} } },
      { say: 'my bill is much too high', expect: { bill_question: {} } },
      { say: 'let me go and look', expect: 'asks' },
      { say: 'minus five', expect: 'asks' },
    ],
  },
  {
    domain: 'order confirmation with plain tools',
    scene: {
      task: 'Confirm the order with the customer. If they agree, place it; if they want to change something, update it.',
      agent: 'So that is two lattes and a bagel. Is everything correct?',
      functions: [
        { name: 'place_order', description: 'User confirms the order.' },
        { name: 'revise_order', description: 'User wants to make changes to their order.' },
        { name: 'end_conversation', description: 'End the conversation.' },
      ],
    },
    sentences: [
      { say: "yes that's correct", expect: { place_order: {} } },
      { say: 'I want to change something', expect: { revise_order: {} } },
      { say: 'no, can I change the bagel', expect: { revise_order: {} } },
      { say: 'goodbye', expect: { end_conversation: {} } },
      { say: 'perfect, thanks', expect: { place_order: {} } },
      { say: 'how long will it take', expect: 'asks' },
    ],
  },
  {
    domain: 'department routing',
    scene: {
      agent: 'Which department would you like?',
      functions: [
        {
          name: 'route',
          description: 'Connect the caller with a department.',
          parameters: {
            type: 'object',
            properties: {
              department: {
                type: 'string',
                enum: ['sales', 'technical_support', 'accounts'],
                description: 'sales: buy, offer. technical_support: broken, internet. accounts: invoice, bill.',
              },
            },
            required: ['department'],
          },
        },
      ],
    },
    sentences: [
      { say: 'technical support', expect: { route: { department: 'technical_support' } } },
      { say: 'I have a question about an invoice', expect: { route: { department: 'accounts' } } },
      { say: 'I would like to buy something', expect: { route: { department: 'sales' } } },
      { say: 'whatever', expect: 'asks' },
      { say: 'sales or accounts, I am not sure', expect: 'asks' },
    ],
  },
];
