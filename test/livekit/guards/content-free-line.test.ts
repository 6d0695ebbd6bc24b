import { pino } from 'pino';
import { expect, it } from 'vitest';
import { errorKind, FlowError } from '../../../src/model/errors.ts';
import { contentFreeLine } from '../../../src/livekit/guards/content-free-line.ts';
import { telephoneNames } from '../../../src/livekit/guards/telephone-names.ts';

const nameOf = (telephone: string): string => `<${telephone.replaceAll(/\D/g, '').length} digits>`;

/** Returns the JSON line that pino writes, after the filter. */
function line(write: (logger: pino.Logger) => void): Record<string, unknown> {
  let written = '';
  const serializers = { error: pino.stdSerializers.err };
  write(pino({ base: null, timestamp: false, serializers }, { write: (text) => void (written += text) }));
  const { level: _level, ...rest } = JSON.parse(contentFreeLine(written, nameOf)) as Record<string, unknown>; // The level is pino's.
  return rest;
}

class APIStatusError extends Error {
  readonly statusCode = 401;
}

it.each<[string, (logger: pino.Logger) => void, Record<string, unknown>]>([
  [
    'what LiveKit marks is left out, wherever it stands',
    (log) =>
      log.info(
        { 'lk.pii.arguments': { who: 'Zebedee' }, LK: 1, job: { 'lk.pii.room': 'Zebedee', id: 'AJ_1' } },
        'Ran.',
      ),
    { LK: 1, job: { id: 'AJ_1' }, msg: 'Ran.' },
  ],
  [
    'ids, labels, numbers and addresses stay',
    (log) =>
      log.info({ speech_id: 'speech_9f', llm: 'openai.LLM', ms: 3.5, url: 'ws://127.0.0.1:7880', on: true }, 'Up.'),
    { speech_id: 'speech_9f', llm: 'openai.LLM', ms: 3.5, url: 'ws://127.0.0.1:7880', on: true, msg: 'Up.' },
  ],
  [
    'sentences and members that hold content are withheld',
    (log) => log.warn({ reason: 'I am Zebedee Quill', event: { type: 'x', text: 'Zebedee' }, args: 'Zebedee' }, 'Odd.'),
    { reason: '[withheld]', event: { type: 'x', text: '[withheld]' }, args: '[withheld]', msg: 'Odd.' },
  ],
  [
    'an error is told by its kind and status',
    (log) => log.error({ error: new APIStatusError('bad key sk-1 of Zebedee') }, 'It failed.'),
    { error: 'APIStatusError 401', msg: 'It failed.' },
  ],
  [
    'an error that is the line itself is told by its kind, and by where it was thrown',
    (log) => log.error(new Error('no Zebedee here\n    at zebedee.ts:1:1')),
    { err: expect.stringMatching(/^Error at content-free-line\.test\.ts:\d+$/), msg: 'an error' },
  ],
  [
    'an error within a message is cut off after its name',
    (log) => log.error('Error running STT task: TypeError: Zebedee is not a function'),
    { msg: 'Error running STT task: TypeError: [withheld]' },
  ],
  [
    'what a provider quotes is withheld',
    (log) => log.warn('Invalid value: "Zebedee Quill, 12 Elm Street" for `input`'),
    { msg: 'Invalid value: "[withheld]" for `input`' },
  ],
  [
    'what LiveKit’s native part tells behind the name of an event is cut off',
    (log) => log.child({ name: 'lk-rtc' }).warn('RoomEvent.TrackMuted: participant zebedee is not found'),
    { name: 'lk-rtc', msg: 'RoomEvent.TrackMuted' },
  ],
  [
    'our own lines are trusted, but for telephone numbers',
    (log) => log.child({ name: 'roomflow' }).warn({ code: 'session-taken' }, 'session "+49 151 1234567~2" is owned.'),
    { name: 'roomflow', code: 'session-taken', msg: 'session "<12 digits>~2" is owned.' },
  ],
])('%s', (_what, write, expected) => {
  expect(line(write)).toEqual(expected);
});

it.each([
  ['+15550100', '<8 digits>'],
  ['+4915112345678~2', '<13 digits>~2'],
  ['0151 / 123-45678', '<12 digits>'],
  ['sip_+4915112345678', 'sip_<13 digits>'],
  ['tel:+4915112345678', 'tel:<13 digits>'],
  ['sip:15550100123@carrier.example', 'sip:<11 digits>@carrier.example'],
  ['whatsapp-4915112345678', 'whatsapp-<13 digits>'],
  ['user.0049 151 1234567/2', 'user.<14 digits>/2'],
  ['campaign/recall/1/0151-1234-5678', 'campaign/recall/1/<12 digits>'],
  ['call-17', 'call-17'],
  ['AD_8xYz12345678ab', 'AD_8xYz12345678ab'],
  ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
])('the id of a session %s is shown as %s', (sessionId, shown) => {
  expect(line((log) => log.child({ name: 'roomflow' }).info({ sessionId }, 'flow'))).toMatchObject({
    sessionId: shown,
  });
});

it('a number within a value of our own lines has a name as well', () => {
  const told = { held: [{ sessionId: 'sms-4915112345678' }], detail: { to: '+4915112345678' } };
  expect(line((log) => log.child({ name: 'roomflow' }).info(told, 'clerk'))).toMatchObject({
    ...{ held: [{ sessionId: 'sms-<13 digits>' }], detail: { to: '<13 digits>' } },
  });
});

it('a line that is no JSON is left as it is', () => {
  expect(contentFreeLine('registered worker\n', nameOf)).toBe('registered worker\n');
});

it('a telephone number has one name, however it is written, in all processes that have the server’s key, and another with another key', () => {
  const [here, there] = [1, 2].map(() => telephoneNames({ LIVEKIT_API_SECRET: 'one' }));
  const name = here?.('+49 151 1234567') ?? '';
  expect(name).toMatch(/^tel-[0-9a-f]{12}$/);
  expect(there?.('+491511234567')).toBe(name);
  expect(telephoneNames({ LIVEKIT_API_SECRET: 'two' })('+491511234567')).not.toBe(name);
  expect(telephoneNames({})('+491511234567')).not.toBe(telephoneNames({})('+491511234567'));
});

it('the kind of an error says more than that it is one, and nothing of its text', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED zebedee.example'), { code: 'ECONNREFUSED' });
  expect(errorKind(refused)).toBe('ECONNREFUSED');
  expect(errorKind(new FlowError('store-full', 'no room for Zebedee.'))).toBe('store-full');
  expect(errorKind(new TypeError('Zebedee'))).toBe('TypeError');
  expect(errorKind(new Error('Zebedee'))).toMatch(/^Error at content-free-line\.test\.ts:\d+$/);
  expect(errorKind('Zebedee')).toBe('a thrown string');
  expect(errorKind(null)).toBe('a thrown null');
  expect(errorKind(Object.assign(new Error('x'), { name: 'for Zebedee', code: 'Zebedee' }))).not.toContain('Zebedee');
});
