import { expect, it } from 'vitest';
import { parseMetadata } from '../../src/worker/jobs/job-metadata.ts';

it('metadata names the flow, the session, its input and the caller, each as needed', () => {
  expect(parseMetadata('')).toEqual({});
  expect(parseMetadata(' {"flow":"intake","sessionId":"s1","input":{"who":"Ada"},"participant":"guest"}')).toEqual({
    flow: 'intake',
    sessionId: 's1',
    input: { who: 'Ada' },
    participant: 'guest',
  });
});

it('metadata names the language, as a tag', () => {
  expect(parseMetadata('{"language":"pt-BR"}')).toEqual({ language: 'pt-BR' });
  expect(() => parseMetadata('{"language":"Portuguese"}')).toThrow('invalid at: language');
});

it.each([
  ['{"flow"', "metadata-invalid: the job's metadata is not JSON. Write { "],
  ['{"input":{"id":90071992547409931}}', "metadata-invalid: the job's metadata holds a number that would lose digits."],
  ['[1]', "metadata-invalid: the job's metadata is invalid at: an unknown name. Write { "],
  ['{"sessionId":""}', "metadata-invalid: the job's metadata is invalid at: sessionId. Write { "],
  ['{"flow":7,"speed":2}', "metadata-invalid: the job's metadata is invalid at: flow, an unknown name. Write { "],
  ['{"input":["Ada"],"flow":null}', "metadata-invalid: the job's metadata is invalid at: flow, input. Write { "],
])('%s is refused with the place and the shape, and is not repeated', (text, message) => {
  expect(() => parseMetadata(text)).toThrow(message);
  expect(() => parseMetadata(text)).not.toThrow('Ada');
});

it('names that objects inherit are ordinary text', () => {
  expect(parseMetadata('{"flow":"__proto__"}').flow).toBe('__proto__');
  expect(() => parseMetadata('{"constructor":1}')).toThrow('metadata-invalid');
});
