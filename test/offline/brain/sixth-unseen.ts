import { asks, type PlayedFlow } from './played.ts';

/**
 * Five whole flows with sentences of callers, written before their author had seen the brain. In the first run, 54 of
 * 90 were right, 31 asked again and 5 wrong. Rules were tuned with them since, so they only guard against regressions.
 * (Two wrong expectations were corrected: an unspoken hyphen of a number, and a path that only returns to the same
 * question.)
 */
export const sixthUnseen: readonly PlayedFlow[] = [
  {
    flow: {
      name: 'car-workshop',
      initialNode: 'hello',
      slots: {
        driver: { type: 'name', ask: 'What name is the car under?', confirm: 'readback' },
        trouble: {
          type: 'enum',
          ask: 'What is wrong with the car?',
          values: {
            brakes: ['brake', 'squeaks when I stop'],
            tyres: ['tyre change', 'winter tyres', 'puncture', 'flat tyre'],
            oil: ['oil change', 'service'],
            warning_light: ['light on the dashboard', 'engine light'],
            other: [],
          },
        },
        bring_day: { type: 'date', ask: 'Which day can you bring it in?', after: 'today' },
        bring_time: { type: 'time', ask: 'At what time will you bring it?' },
        mileage: { type: 'integer', ask: 'How many miles has it done?', minimum: 0, maximum: 500000 },
        loan_car: { type: 'boolean', ask: 'Do you need a loan car?' },
      },
      functions: [
        {
          name: 'opening_hours',
          description: 'The caller asks when the workshop is open.',
          digression: true,
          transitionTo: 'hours',
        },
        {
          name: 'mechanic',
          description: 'The caller wants to talk to a mechanic or a person.',
          transitionTo: 'person',
        },
      ],
      nodes: {
        hello: {
          say: 'Miller Motors. Would you like to bring your car in?',
          functions: [
            { name: 'bring_in', description: 'The caller agrees or wants to bring a car in.', transitionTo: 'details' },
            {
              name: 'ready_yet',
              description: 'The caller asks whether their car is ready.',
              transitionTo: 'which_car',
            },
            {
              name: 'broken_down',
              description: 'The car has broken down on the road or does not start.',
              transitionTo: 'tow',
            },
            {
              name: 'nothing',
              description: 'The caller refuses or has dialled the wrong number.',
              transitionTo: 'bye',
            },
          ],
        },
        details: { collect: ['trouble', 'bring_day', 'bring_time'], defaultTransition: 'person_details' },
        person_details: { collect: ['driver', 'mileage', 'loan_car'], defaultTransition: 'book' },
        book: {
          taskMessages: [{ role: 'system', content: 'Book it with book_bay.' }],
          functions: [
            {
              name: 'book_bay',
              description: 'Book a bay in the workshop.',
              parameters: {
                type: 'object',
                properties: {
                  bring_day: { type: 'string', format: 'date' },
                  bring_time: { type: 'string', format: 'time' },
                },
                required: ['bring_day', 'bring_time'],
              },
              effect: 'write',
              confirm: 'That is {{ args.bring_day }} at {{ args.bring_time }}. Shall I book it?',
              transitionTo: 'done',
            },
          ],
        },
        which_car: {
          say: 'Could you give me the number plate?',
          functions: [
            {
              name: 'look_up_car',
              description: 'Look up a car by its number plate.',
              parameters: {
                type: 'object',
                properties: { plate: { type: 'string', description: 'The number plate.' } },
                required: ['plate'],
              },
              effect: 'read',
              transitionTo: 'ready',
            },
          ],
        },
        ready: { say: 'It is ready to be collected. Goodbye.', end: 'told' },
        hours: {
          say: 'We are open from eight to six, Monday to Friday. Shall we go on?',
          functions: [{ name: 'go_on', description: 'The caller agrees to go on.', transitionTo: '$return' }],
          defaultTransition: '$return',
        },
        tow: { say: 'I am sending the tow truck.', end: 'tow' },
        person: { say: 'I am putting you through.', end: 'person' },
        done: { say: 'It is booked. Goodbye.', end: 'booked' },
        bye: { say: 'Goodbye.', end: 'nothing' },
      },
    },
    results: { book_bay: { ok: true }, look_up_car: { ready: true } },
    moments: [
      {
        before: [],
        says: [
          [
            'yeah hi um I need my brakes looked at, could I come on Thursday?',
            { at: 'details', slots: { trouble: 'brakes', bring_day: '2026-11-26' } },
          ],
          ["my car won't start this morning", { ended: 'tow', at: 'tow' }],
          ['hiya just ringing to see if my Golf is ready', { at: 'which_car' }],
          ['sorry I think I have the wrong number', { ended: 'nothing', at: 'bye' }],
          ['i guess so', { at: 'details' }],
          ['what time do you close today?', { at: 'hours' }],
        ],
      },
      {
        before: [['Yes.', { name: 'bring_in' }]],
        says: [
          ['erm it makes a funny smell', asks],
          ["there's a light on the dashboard and also I've got a flat tyre", asks],
          [
            'I need winter tyres put on, say Wednesday at half eight',
            { slots: { trouble: 'tyres', bring_day: '2026-11-25', bring_time: '08:30' }, at: 'person_details' },
          ],
          ['can I just speak to one of the mechanics about that', { at: 'person', ended: 'person' }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'bring_in' }],
          ['The brakes.', { name: 'record', arguments: { trouble: 'brakes' } }],
          ['On Tuesday.', { name: 'record', arguments: { bring_day: '2026-11-24' } }],
        ],
        says: [
          [
            'actually Wednesday at 11',
            { slots: { bring_day: '2026-11-25', bring_time: '11:00' }, at: 'person_details' },
          ],
          ['18, 8:30 in the morning', { slots: { bring_time: '08:30' }, at: 'person_details' }],
          [
            "let us say quarter to nine, I've got to be at work by half nine",
            { slots: { bring_time: '08:45' }, at: 'person_details' },
          ],
          ['whenever suits you really', asks],
          ['first thing', asks],
          [
            'hold on, not the brakes, it was the oil change I wanted, and nine o clock is fine',
            { slots: { trouble: 'oil', bring_time: '09:00' }, at: 'person_details' },
          ],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'tax-office',
      initialNode: 'welcome',
      slots: {
        taxpayer: { type: 'name', ask: 'What is your full name?', confirm: 'readback' },
        born: { type: 'date', ask: 'When were you born?', before: 'today' },
        tax_number: { type: 'text', ask: 'What is your tax number?', pattern: '^\\d{3}-?\\d{4}$' },
        matter: {
          type: 'enum',
          ask: 'What is it about?',
          values: {
            tax_return: ['my return', 'declaration'],
            payment: ['pay', 'instalments', 'bill'],
            objection: ['disagree', 'appeal', 'wrong assessment'],
            change_of_address: ['moved house', 'new address'],
            other: ['something else'],
          },
        },
        visit_day: { type: 'date', ask: 'Which day would suit you?', after: 'today' },
        callback_number: { type: 'phone', ask: 'Which number can we reach you on?', region: 'US' },
        interpreter: { type: 'boolean', ask: 'Do you need an interpreter?' },
      },
      functions: [
        {
          name: 'officer',
          description: 'The caller wants to speak to an officer or a person.',
          transitionTo: 'through',
        },
        {
          name: 'documents',
          description: 'The caller asks which documents to bring.',
          digression: true,
          transitionTo: 'papers',
        },
      ],
      nodes: {
        welcome: {
          say: 'City tax office. I can make an appointment for you. Shall we begin?',
          functions: [
            { name: 'begin', description: 'The caller agrees.', transitionTo: 'who' },
            { name: 'no_appointment', description: 'The caller refuses.', transitionTo: 'end' },
            {
              name: 'cancel_appointment',
              description: 'The caller wants to cancel an appointment they already have.',
              transitionTo: 'through',
            },
          ],
        },
        who: {
          collect: ['taxpayer', 'born', 'tax_number'],
          functions: [
            {
              name: 'number_unknown',
              description: 'The caller does not know or cannot find the tax number.',
              transitionTo: 'about',
            },
          ],
          defaultTransition: 'about',
        },
        about: { collect: ['matter', 'visit_day', 'callback_number', 'interpreter'], defaultTransition: 'done' },
        papers: {
          say: 'Please bring your passport and the last assessment. Shall we go on?',
          functions: [{ name: 'continue', description: 'The caller agrees to continue.', transitionTo: '$return' }],
          defaultTransition: '$return',
        },
        through: { say: 'I am putting you through.', end: 'through' },
        done: { say: 'Your appointment is made. Goodbye.', end: 'made' },
        end: { say: 'Goodbye.', end: 'refused' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          ['Leo Braun born 4 May 1979', { slots: { taxpayer: 'Leo Braun', born: '1979-05-04' } }],
          ['er yes alright then', { at: 'who' }],
          ["I've already got one and I can't make it any more", { at: 'through', ended: 'through' }],
          ['is this a robot?', asks],
          ['no thanks not today', { at: 'end', ended: 'refused' }],
        ],
      },
      {
        before: [['Yes.', { name: 'begin' }]],
        says: [
          ["it's Sinead, S I N E A D, Murphy", { slots: { taxpayer: 'Sinead Murphy' } }],
          [
            'Anders Holm, and I was born on the twelfth of June seventy three',
            { slots: { taxpayer: 'Anders Holm', born: '1973-06-12' } },
          ],
          ['why do you want to know that', asks],
          ['hang on which papers do I have to bring with me', { at: 'papers' }],
          ['my wife usually does these things', asks],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'begin' }],
          ['Leo Braun.', { name: 'record', arguments: { taxpayer: 'Leo Braun' } }],
          ['Yes.'],
        ],
        says: [
          ['the third of August', asks],
          ['eleven twelve nineteen sixty eight', { slots: { born: '1968-11-12' } }],
          ["I'm sixty two", asks],
          ["oh it's spelled Brown by the way, with a W", asks],
          [
            'fifth of March 1990 and the number is 221 4058',
            { slots: { born: '1990-03-05', tax_number: '2214058' }, at: 'about' },
          ],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'begin' }],
          ['Leo Braun.', { name: 'record', arguments: { taxpayer: 'Leo Braun' } }],
          ['Yes.'],
          ['May 4th 1979.', { name: 'record', arguments: { born: '1979-05-04' } }],
        ],
        says: [
          ["I haven't got that letter in front of me", { at: 'about' }],
          ['two two one four zero five eight', { slots: { tax_number: '2214058' }, at: 'about' }],
          ['two two one four zero', asks],
          ['wait, my birthday is the fifth of May not the fourth', { slots: { born: '1979-05-05' } }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'begin' }],
          ['Leo Braun.', { name: 'record', arguments: { taxpayer: 'Leo Braun' } }],
          ['Yes.'],
          ['May 4th 1979.', { name: 'record', arguments: { born: '1979-05-04' } }],
          ['221-4058', { name: 'record', arguments: { tax_number: '221-4058' } }],
        ],
        says: [
          ["well I've moved house, that's all", { slots: { matter: 'change_of_address' } }],
          ['the bill you sent me is wrong and I want to appeal', { slots: { matter: 'objection' } }],
          [
            'I want to pay in instalments, any chance of Friday week?',
            { slots: { matter: 'payment', visit_day: '2026-12-04' } },
          ],
          ['you people never answer the phone', asks],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'flower-shop',
      initialNode: 'open',
      slots: {
        flowers: {
          type: 'enum',
          ask: 'Which flowers would you like?',
          values: { roses: ['rose'], tulips: [], lilies: ['lily'], mixed: ['a bit of everything', 'surprise me'] },
        },
        how_many: { type: 'integer', ask: 'How many stems?', minimum: 1, maximum: 200 },
        deliver_on: { type: 'date', ask: 'Which day shall we deliver them?', after: 'today' },
        recipient: { type: 'name', ask: 'Who are they for?' },
        card_text: { type: 'text', ask: 'What shall we write on the card?', optional: true },
        budget: { type: 'number', ask: 'How much would you like to spend?', minimum: 10, maximum: 500 },
        receipt_email: { type: 'email', ask: 'Where shall we send the receipt?', confirm: 'readback' },
      },
      functions: [
        {
          name: 'delivery_area',
          description: 'The caller asks where the shop delivers or what delivery costs.',
          digression: true,
          transitionTo: 'area',
        },
        { name: 'florist', description: 'The caller wants to talk to a florist or a person.', transitionTo: 'person' },
        {
          name: 'stop_order',
          description: 'The caller changes their mind and does not want to order any more.',
          transitionTo: 'stopped',
        },
      ],
      nodes: {
        open: {
          say: 'Bloom and Co. Would you like to send some flowers?',
          functions: [
            { name: 'order', description: 'The caller agrees or wants to order flowers.', transitionTo: 'bunch' },
            {
              name: 'complaint',
              description: 'The flowers never came, came late or were wilted.',
              transitionTo: 'person',
            },
            { name: 'no_order', description: 'The caller refuses.', transitionTo: 'stopped' },
          ],
        },
        bunch: { collect: ['flowers', 'how_many', 'deliver_on', 'recipient'], defaultTransition: 'money' },
        money: { collect: ['budget', 'receipt_email'], defaultTransition: 'pay' },
        pay: {
          taskMessages: [{ role: 'system', content: 'Place the order with place_order.' }],
          functions: [
            {
              name: 'place_order',
              description: 'Place the order.',
              parameters: {
                type: 'object',
                properties: { flowers: { type: 'string' }, how_many: { type: 'integer' } },
                required: ['flowers', 'how_many'],
              },
              effect: 'write',
              confirm: '{{ args.how_many }} {{ args.flowers }}. Shall I place the order?',
              transitionTo: 'done',
            },
            { name: 'change_order', description: 'The caller wants to change something.', transitionTo: 'bunch' },
          ],
        },
        area: {
          say: 'We deliver free of charge anywhere in town. Shall we go on?',
          functions: [{ name: 'carry_on', description: 'The caller agrees to go on.', transitionTo: '$return' }],
          defaultTransition: '$return',
        },
        person: { say: 'One moment, I get the florist.', end: 'florist' },
        done: { say: 'They are on their way. Goodbye.', end: 'ordered' },
        stopped: { say: 'No problem. Goodbye.', end: 'stopped' },
      },
    },
    results: { place_order: { ok: true } },
    moments: [
      {
        before: [],
        says: [
          [
            'hello yes I want two dozen red roses for my mum, for Friday',
            { at: 'bunch', slots: { flowers: 'roses', how_many: 24, deliver_on: '2026-11-27' } },
          ],
          ['the bouquet I ordered last week turned up completely wilted', { at: 'person', ended: 'florist' }],
          ['do you deliver out in Greenfield?', { at: 'area' }],
          [
            "I'd like to send tulips to Margaret Hayes please",
            { at: 'bunch', slots: { flowers: 'tulips', recipient: 'Margaret Hayes' } },
          ],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'order' }],
          ['Roses.', { name: 'record', arguments: { flowers: 'roses' } }],
        ],
        says: [
          ['a dozen', { slots: { how_many: 12 } }],
          ['make it fifteen, no, twenty', { slots: { how_many: 20 } }],
          ['as many as fit in a vase', asks],
          [
            'actually could I have lilies instead of roses, ten of them',
            { slots: { flowers: 'lilies', how_many: 10 } },
          ],
          ["you know what, forget it, I'll go to the market", { at: 'stopped', ended: 'stopped' }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'order' }],
          ['Twelve roses.', { name: 'record', arguments: { flowers: 'roses', how_many: 12 } }],
          ['On Friday.', { name: 'record', arguments: { deliver_on: '2026-11-27' } }],
        ],
        says: [
          ['for my boss, her name is Priscilla Nwosu', { slots: { recipient: 'Priscilla Nwosu' }, at: 'money' }],
          ['they are for the office', asks],
          ['sorry, can you make that Saturday instead', { slots: { deliver_on: '2026-11-28' } }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'order' }],
          ['Twelve roses.', { name: 'record', arguments: { flowers: 'roses', how_many: 12 } }],
          ['On Friday.', { name: 'record', arguments: { deliver_on: '2026-11-27' } }],
          ['Ann Lee.', { name: 'record', arguments: { recipient: 'Ann Lee' } }],
        ],
        says: [
          ['about forty five fifty, no more than that', { slots: { budget: 45.5 } }],
          ['somewhere between thirty and forty', asks],
          [
            'fifty, and send it to p dot nwosu at fastmail dot com',
            { slots: { budget: 50, receipt_email: 'p.nwosu@fastmail.com' } },
          ],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'order' }],
          ['Twelve roses.', { name: 'record', arguments: { flowers: 'roses', how_many: 12 } }],
          ['On Friday.', { name: 'record', arguments: { deliver_on: '2026-11-27' } }],
          ['Ann Lee.', { name: 'record', arguments: { recipient: 'Ann Lee' } }],
          ['Fifty, ann@lee.org.', { name: 'record', arguments: { budget: 50, receipt_email: 'ann@lee.org' } }],
          ['Yes.'],
        ],
        says: [
          [
            'mhm yes go ahead',
            { ran: { place_order: { flowers: 'roses', how_many: 12 } }, at: 'done', ended: 'ordered' },
          ],
          // It returns to the details, which are all known, and asks again.
          ['oh wait can I change something first', asks],
          ['hmm I am not sure', asks],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'campsite',
      initialNode: 'hi',
      slots: {
        guest: { type: 'name', ask: 'What name is the booking under?' },
        arrival: { type: 'date', ask: 'When do you arrive?', after: 'today' },
        nights: { type: 'integer', ask: 'How many nights are you staying?', minimum: 1, maximum: 60 },
        pitch: {
          type: 'enum',
          ask: 'A tent, a camper van or a cabin?',
          values: { tent: ['tents'], camper: ['camper van', 'motorhome', 'caravan'], cabin: ['hut', 'lodge'] },
        },
        grown_ups: { type: 'integer', ask: 'How many adults?', minimum: 1, maximum: 12 },
        children: { type: 'integer', ask: 'How many children?', minimum: 0, maximum: 12 },
        dog: { type: 'boolean', ask: 'Are you bringing a dog?' },
        mobile: { type: 'phone', ask: 'What is your mobile number?', region: 'US', confirm: 'readback' },
      },
      functions: [
        { name: 'ranger', description: 'The caller asks for the ranger or for a person.', transitionTo: 'ranger' },
        {
          name: 'swimming',
          description: 'The caller asks about the lake, swimming or the beach.',
          digression: true,
          transitionTo: 'lake',
        },
      ],
      nodes: {
        hi: {
          say: 'Pine Lake camping. Is it about a new booking?',
          functions: [
            { name: 'new_booking', description: 'The caller agrees or wants to book a pitch.', transitionTo: 'stay' },
            { name: 'find_booking', description: 'The caller has a booking already.', transitionTo: 'look' },
            { name: 'not_interested', description: 'The caller refuses.', transitionTo: 'bye' },
          ],
        },
        stay: { collect: ['pitch', 'arrival', 'nights', 'grown_ups', 'children', 'dog'], defaultTransition: 'contact' },
        contact: { collect: ['guest', 'mobile'], defaultTransition: 'bye' },
        look: { collect: ['guest'], defaultTransition: 'found' },
        found: { say: 'I have found it. Everything is ready for you. Goodbye.', end: 'found' },
        lake: {
          say: 'You can swim in the lake from May on. Shall we go on?',
          functions: [{ name: 'resume', description: 'The caller agrees to go on.', transitionTo: '$return' }],
          defaultTransition: '$return',
        },
        ranger: { say: 'I am ringing the ranger.', end: 'ranger' },
        bye: { say: 'Thank you. Goodbye.', end: 'bye' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          ['no no I booked last month already', { at: 'look' }],
          [
            "yeah we'd like to come with our motorhome, two adults and three kids",
            { at: 'stay', slots: { pitch: 'camper', grown_ups: 2, children: 3 } },
          ],
          [
            'there should be a booking, under Bob Stone',
            { at: 'found', ended: 'found', slots: { guest: 'Bob Stone' } },
          ],
        ],
      },
      {
        before: [['Yes.', { name: 'new_booking' }]],
        says: [
          ['we have our own tent', { slots: { pitch: 'tent' } }],
          ['is the water warm enough to go swimming at the moment', { at: 'lake' }],
          ['a cabin from December the 5th for a week', { slots: { pitch: 'cabin', arrival: '2026-12-05', nights: 7 } }],
          ['not the tent this time, it rained so much', asks],
          ['the last one', { slots: { pitch: 'cabin' } }],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'new_booking' }],
          ['A tent.', { name: 'record', arguments: { pitch: 'tent' } }],
          ['On December 5th.', { name: 'record', arguments: { arrival: '2026-12-05' } }],
        ],
        says: [
          ['three nights, so until Tuesday', { slots: { nights: 3 } }],
          ['until the eighth', asks],
          ['just me and my wife and the dog, for two nights', { slots: { nights: 2, dog: true } }],
          ['four, and could you put us by the water', { slots: { nights: 4 } }],
          ['depends on the weather', asks],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'new_booking' }],
          ['A tent.', { name: 'record', arguments: { pitch: 'tent' } }],
          ['On December 5th, three nights.', { name: 'record', arguments: { arrival: '2026-12-05', nights: 3 } }],
          ['Two adults.', { name: 'record', arguments: { grown_ups: 2 } }],
        ],
        says: [
          ['none', { slots: { children: 0 } }],
          ['one, she is four', { slots: { children: 1 } }],
          ['no kids but a dog', { slots: { children: 0, dog: true }, at: 'contact' }],
          ['oh sorry we arrive on the sixth', { slots: { arrival: '2026-12-06' } }],
        ],
      },
    ],
  },
  {
    flow: {
      name: 'driving-school',
      initialNode: 'greeting',
      slots: {
        learner: { type: 'name', ask: 'And your name?' },
        gear: { type: 'enum', ask: 'Manual or automatic?', values: { manual: ['stick'], automatic: ['auto'] } },
        lesson_day: { type: 'date', ask: 'Which day would you like your lesson?', after: 'today' },
        lesson_time: { type: 'time', ask: 'We have ten, one and half past four. Which time would you like?' },
        theory_passed: { type: 'boolean', ask: 'Have you passed your theory test?' },
        pick_up: { type: 'text', ask: 'Where shall we pick you up?' },
        licence: { type: 'text', ask: 'What is your licence number?', optional: true },
      },
      functions: [
        {
          name: 'prices',
          description: 'The caller asks what a lesson costs.',
          digression: true,
          transitionTo: 'prices',
        },
        { name: 'instructor', description: 'The caller asks for an instructor or a person.', transitionTo: 'person' },
      ],
      nodes: {
        greeting: {
          say: 'Safe Start driving school. Do you want to book a lesson?',
          functions: [
            { name: 'book_lesson', description: 'The caller agrees or wants a lesson.', transitionTo: 'lesson' },
            {
              name: 'cancel_lesson',
              description: 'The caller wants to cancel or move a lesson.',
              transitionTo: 'person',
            },
            { name: 'declined', description: 'The caller refuses.', transitionTo: 'bye' },
          ],
        },
        lesson: {
          collect: ['theory_passed', 'gear', 'lesson_day', 'lesson_time', 'pick_up', 'learner'],
          functions: [
            {
              name: 'running_late',
              description: 'The caller will be late for a lesson today.',
              transitionTo: 'person',
            },
          ],
          defaultTransition: 'done',
        },
        prices: {
          say: 'A lesson of an hour is fifty dollars. Shall we go on?',
          functions: [{ name: 'proceed', description: 'The caller agrees to go on.', transitionTo: '$return' }],
          defaultTransition: '$return',
        },
        person: { say: 'I am putting you through.', end: 'person' },
        done: { say: 'See you then. Goodbye.', end: 'booked' },
        bye: { say: 'Goodbye.', end: 'declined' },
      },
    },
    moments: [
      {
        before: [],
        says: [
          ["I can't make my lesson tomorrow, can we move it", { at: 'person', ended: 'person' }],
          ['well maybe, how much is it', { at: 'prices' }],
          ["yep, it's for an automatic", { at: 'lesson', slots: { gear: 'automatic' } }],
        ],
      },
      {
        before: [['Yes.', { name: 'book_lesson' }]],
        says: [
          ['I took it last week but I failed', { slots: { theory_passed: false } }],
          ['I did, first time', { slots: { theory_passed: true } }],
          ["not yet, I'm taking it next month", { slots: { theory_passed: false } }],
          ['does that matter?', asks],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'book_lesson' }],
          ['Yes.', { name: 'record', arguments: { theory_passed: true } }],
          ['Manual.', { name: 'record', arguments: { gear: 'manual' } }],
          ['On Monday.', { name: 'record', arguments: { lesson_day: '2026-11-23' } }],
        ],
        says: [
          ['the first one', { slots: { lesson_time: '10:00' } }],
          ['one is good', { slots: { lesson_time: '13:00' } }],
          ['the half four one please', { slots: { lesson_time: '16:30' } }],
          ['none of those work for me', asks],
          [
            'i could do ten but not on Monday, on Tuesday',
            { slots: { lesson_time: '10:00', lesson_day: '2026-11-24' } },
          ],
          ['at the earliest', asks],
        ],
      },
      {
        before: [
          ['Yes.', { name: 'book_lesson' }],
          ['Yes.', { name: 'record', arguments: { theory_passed: true } }],
          ['Manual.', { name: 'record', arguments: { gear: 'manual' } }],
          ['On Monday at ten.', { name: 'record', arguments: { lesson_day: '2026-11-23', lesson_time: '10:00' } }],
        ],
        says: [
          ['outside the library on Park Street', { slots: { pick_up: 'outside the library on Park Street' } }],
          ["um, at my house, it's 14 Elm Road", { slots: { pick_up: "at my house, it's 14 Elm Road" } }],
          ["I don't mind", asks],
        ],
      },
    ],
  },
];
