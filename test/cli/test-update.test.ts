import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orderFolder } from '../testing/flowtests.ts';
import { roomflowHere } from './run-cli.ts';

const file = 'order.flowtest.yaml';
const scenario = (name: string, finallyNode: string): string => `  - name: ${name}
    turns:
      - expect: { said: { exactly: } } # the greeting
      - user: tulips, as always
        model: { record: { flowers: tulips } }
        expect:
          asked:
            exactly: nothing yet
          said: { exactly: Hw many? }
    finally: { node: ${finallyNode} }
`;

test('what an author wants word for word is written by --update, with the difference shown and all else as it was', async () => {
  const text = `flow: order.yaml # the shop\nscenarios:\n${scenario('it asks', 'details')}`;
  const folder = orderFolder({ [file]: text });
  const before = await roomflowHere(['test'], '', folder);
  expect(before.code).toBe(1);
  expect(before.out).toContain('expect.said.exactly: it is not written yet: roomflow test --update writes it');

  const { code, out } = await roomflowHere(['test', '--update'], '', folder);
  expect(out).toContain(`${file}:5 updated (it asks)\n  + Roses or tulips?`);
  expect(out).toContain('  - Hw many?\n  + How many?');
  expect(out).toContain('3 updated\n');
  expect(out).toContain('1 scenario: 1 passed');
  expect(code).toBe(0);
  const written = readFileSync(join(folder, file), 'utf8');
  expect(written).toContain('flow: order.yaml # the shop\n');
  expect(written).toContain('- expect: { said: { exactly: "Roses or tulips?" } } # the greeting\n');
  expect(written).toContain('            exactly: |-\n              You take orders for a flower shop.');
  expect(written).toContain('functions: goodbye, record\n');
  expect(await roomflowHere(['test', '--update'], '', folder)).toMatchObject({
    code: 0,
    out: expect.not.stringContaining('updated'),
  });
});

test('a scenario in which something else does not hold is left as it is, and so is every other expectation', async () => {
  const text = `flow: order.yaml\nscenarios:\n${scenario('it asks', 'pay')}`;
  const folder = orderFolder({ [file]: text });
  const { code, out } = await roomflowHere(['test', '--update'], '', folder);
  expect(code).toBe(1);
  expect(out).toContain('not updated: something else does not hold in this scenario (it asks)');
  expect(out).toContain('0 updated, 3 unchanged');
  expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
});

test('rows of each that say different things are left as they are', async () => {
  const text = `flow: order.yaml
scenarios:
  - name: it takes <flowers>
    each: [{ flowers: roses }, { flowers: tulips }]
    turns:
      - user: <flowers>, as always
        model: { say: <flowers> indeed, record: { flowers: <flowers> } }
        expect: { said: { exactly: } }
`;
  const folder = orderFolder({ [file]: text });
  const { out } = await roomflowHere(['test', '--update'], '', folder);
  expect(out).toContain('not updated: the rows of each say different things');
  expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
});

test('what the model was asked can be looked at', async () => {
  const text = `flow: order.yaml
scenarios:
  - name: the prompt names the shop
    turns:
      - user: tulips, as always
        model: { record: { flowers: tulips } }
        expect: { asked: { contains: [flower shop, "functions: goodbye, record", "user: tulips"], not: wholesale } }
      - user: hello
        model: Hello!
        expect: { asked: { contains: bakery, not: flower shop } }
`;
  const { out } = await roomflowHere(['test'], '', orderFolder({ [file]: text }));
  expect(out).toContain('turn 2, expect.asked.contains: the model was not asked this');
  expect(out).toContain('turn 2, expect.asked.not: the model was asked this');
  expect(out).not.toContain('turn 1');
});
