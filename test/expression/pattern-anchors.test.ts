import { expect, test } from 'vitest';
import { halfAnchored } from '../../src/flow/expression/pattern-anchors.ts';

test.each([
  ['^[A-Z]{2}', '^[A-Z]{2}'],
  ['[0-9]{4}$', '[0-9]{4}$'],
  ['^[A-Z]{2}|[0-9]{4}$', '^[A-Z]{2}'],
  ['^a$|b$', 'b$'],
  [String.raw`^a\$`, String.raw`^a\$`],
  [String.raw`a\\$`, String.raw`a\\$`],
])('%s is anchored on one side only', (source, part) => {
  expect(halfAnchored(source)).toBe(part);
});

test.each(['[A-Z]{2}[0-9]{4}', '^[A-Z]{2}$', '^a$|^b$', 'a|b', '^(a|b)$', '[|^$]', String.raw`\^a\$`, '[^a]', 'a[$]'])(
  '%s is anchored on both or on none',
  (source) => {
    expect(halfAnchored(source)).toBeUndefined();
  },
);
