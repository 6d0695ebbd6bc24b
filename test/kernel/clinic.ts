import type { ConversationFlow } from '../../src/flow/document/document.ts';

/** The clinic intake of the flow format's documentation, with `append` in `book`. */
export const clinic: ConversationFlow = {
  schemaVersion: 1,
  name: 'clinic-intake',
  initialNode: 'greet',
  input: { clinic: { type: 'string', default: 'Harbour Clinic' } },
  slots: {
    full_name: { type: 'name', ask: 'May I have your full name?', pii: true, confirm: 'readback' },
    birth_date: { type: 'date', ask: 'And your date of birth?', before: 'today', pii: true },
    reason: {
      type: 'enum',
      ask: 'What brings you in?',
      values: { checkup: ['routine', 'annual'], pain: ['hurts', 'ache'], other: [] },
    },
    phone: { type: 'phone', region: 'US', optional: true },
  },
  roleMessages: [{ role: 'system', content: 'You are the intake nurse of {{ clinic }}. One question at a time.' }],
  nodes: {
    greet: {
      say: 'Hi, this is {{ clinic }}. Shall we start?',
      functions: [
        { name: 'start', description: 'The caller agrees.', transitionTo: 'details' },
        { name: 'decline', description: 'The caller refuses.', transitionTo: 'bye' },
      ],
    },
    details: {
      collect: ['full_name', 'birth_date', 'reason', 'phone'],
      taskMessages: [{ role: 'system', content: 'Collect the details. Be brief.' }],
      defaultTransition: 'triage',
    },
    triage: {
      type: 'control.switch',
      input: {
        value: '{{ reason }}',
        cases: [{ when: { equals: { var: 'reason', value: 'pain' } }, route: 'urgent' }],
      },
    },
    book: {
      taskMessages: [{ role: 'system', content: 'Offer a time and book it.' }],
      functions: [
        {
          name: 'book_visit',
          description: 'Book the visit.',
          parameters: { type: 'object', properties: { time: { type: 'string' } }, required: ['time'] },
          effect: 'write',
          confirm: 'Shall I book {{ args.time }}?',
          saveAs: 'visit',
          transitionTo: { field: 'ok', cases: { true: 'done', false: 'book' }, default: 'book' },
        },
      ],
      preActions: [{ type: 'tts_say', text: 'One moment.' }],
    },
    done: { say: 'You are booked for {{ visit.time }}.', end: 'booked' },
    bye: { say: 'Goodbye.', end: 'declined' },
  },
  edges: [
    { from: 'triage', to: 'book', when: { exists: { var: 'triage.route' } } },
    { from: 'triage', to: 'book' },
  ],
};
