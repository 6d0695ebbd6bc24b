import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { english } from '../../src/language/english/reader.ts';
import type { SlotFacts } from '../../src/flow/slots/slot-type.ts';
import { type SlotTypeName, slotTypeNames, typeOf } from '../../src/flow/slots/slot-types.ts';

const slot: SlotFacts = {
  values: new Map([['small', ['little']]]),
  minimum: 1,
  maximum: 9,
  pattern: { ok: true, source: '.' },
  region: 'US',
};
const kept: Readonly<Record<SlotTypeName, { readonly good: Json; readonly bad: readonly Json[] }>> = {
  name: { good: 'Maria Delgado', bad: [4, true] },
  date: { good: '2027-03-15', bad: ['tomorrow', 20_270_315] },
  time: { good: '15:30', bad: ['half past three', 15] },
  number: { good: 2.5, bad: ['two', Number.NaN, true] },
  integer: { good: 4, bad: [2.5, 'four'] },
  boolean: { good: false, bad: ['no', 0] },
  enum: { good: 'small', bad: ['little', 'large', {}] },
  phone: { good: '+14155552671', bad: ['four one five', 4_155_552_671] },
  code: { good: 'AB1234', bad: ['AB 12', 'ab12', 12] },
  email: { good: 'ann@example.com', bad: ['ann at example', 1] },
  text: { good: 'anything', bad: [1, null] },
};

describe.each(slotTypeNames)('a slot of type %s', (name) => {
  const type = typeOf({ type: name });
  const ajv = new Ajv({ strict: true, formats: { date: true, time: true, email: true, phone: true, code: true } });
  const { good, bad } = kept[name];

  it('takes a value in the form in which it is kept, and no other', () => {
    expect(type.form(good, slot)).toEqual({ ok: true, value: good });
    for (const value of bad) expect(type.form(value, slot).ok, JSON.stringify(value)).toBe(false);
  });
  it('tells a model a schema that its values fit', () => {
    expect(ajv.validate({ ...type.schema(slot), ...type.limits?.(slot) }, good)).toBe(true);
  });
  it('is said so that it is read again', () => {
    const said = english.spoken(type.readAs, good, { today: () => '2026-11-22' });
    const read = english.value(type.readAs, said, { now: '2026-11-22T10:00', asked: true, values: slot.values });
    expect(read).toMatchObject({ ok: true, value: good });
  });
});
