import { describe, expect, test } from 'vitest';
import { findSecret } from '../../../src/flow/check/secret-forms.ts';
import { flow, found, problemsOf } from './found.ts';
import { cpuSecondsOf } from '../../cpu.ts';

// Split, so that secret scanners do not report this file as a leak.
const random = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0';
const secrets: readonly (readonly [string, string, string])[] = [
  ['an API key', 'sk-', `proj-${random}`],
  ['an API key of a payment service', 'sk_live_', random],
  ['an API key of a search engine', 'AIza', random],
  ['an AWS access key', 'AKIA', 'IOSFODNN7EXAMPLE'],
  ['a GitHub token', 'ghp_', `${random}aB3dE6`],
  ['a Slack token', 'xoxb-', '123456789012-abcdefghij'],
  ['a private key', '-----BEGIN ', 'RSA PRIVATE KEY-----'],
  ['a signed token', 'eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc'],
  ['a password', 'password', ': hunter2!'],
  ['a password in JSON', 'api_key', '": "k3yk3yk3y"'],
  ['a URL with a password', '://', 'admin:tr0ub4dor@db.example'],
  ['something random', 'aB', `${random.slice(2)}xY3z`],
];

describe('a text with a secret', () => {
  test.each(secrets)('%s is found at its place, and never shown', (_what, prefix, rest) => {
    const document = flow({ start: { say: `Use ${prefix}${rest} here.`, defaultTransition: 'done' } });
    expect(found('secret-in-prompt', document)).toEqual([`warning nodes.start.say "${prefix}"@4`]);
    expect(JSON.stringify(problemsOf(document))).not.toContain(rest);
  });

  test('is found wherever it stands', () => {
    const key = `sk-${random}`;
    const prompts = [{ role: 'system', content: key }];
    const document = flow(
      { look: { type: 'test.pure', defaultTransition: 'done', input: { list: [key] }, config: { deep: { key } } } },
      { description: key, roleMessages: prompts, slots: { x: { type: 'text', ask: key } }, state: { __proto__x: key } },
    );
    expect(new Set(found('secret-in-prompt', document))).toEqual(
      new Set([
        'warning nodes.look.input.list[0] "sk-"@0',
        'warning nodes.look.config.deep.key "sk-"@0',
        'warning description "sk-"@0',
        'warning roleMessages[0].content "sk-"@0',
        'warning slots.x.ask "sk-"@0',
        'warning state.__proto__x "sk-"@0',
      ]),
    );
  });
});

describe('no secret is', () => {
  test.each([
    'The risk-averse and task-oriented caller wants a desk-based appointment.',
    'Ask for the password: eight letters or more. Then say thank you.',
    'Their password: 8-character code from the letter.',
    'password: {{ args.password }}',
    'password = <your password here 1>',
    '-----BEGIN PUBLIC KEY-----',
    'https://example.com/flows/clinic-intake/2026-11-21/how-it-works-and-why-it-does',
    'postgres://user:{{ secret }}@host and mailto:someone@example.com',
    'https://user:password@example.com',
    `https://docs.example/document/${random}xY3zW4/edit`,
    'the commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'the id 123e4567-e89b-12d3-a456-426614174000',
    'handleTheCallersFirstQuestionAboutBillingVersion2AndMore',
    'THE_CALLER_MUST_HAVE_AN_APPOINTMENT_BEFORE_2026',
    '+1 (415) 555-0100 or 4111 1111 1111 1111',
    'Ding, dong. '.repeat(20),
  ])('%s', (text) => {
    expect(findSecret(text)).toBeUndefined();
  });
});

test('a search takes linear time, whatever the text', () => {
  for (const piece of ['a', 'sk-', 'eyJ', 'password', '://a', 'a1B', '-----BEGIN ', ':', 'api ', 'ghp_', '"', 'x@']) {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(cpuSecondsOf(() => findSecret(text))).toBeLessThan(5);
  }
});
