import { boolean } from './boolean.ts';
import { code } from './code.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { enumeration } from './enum.ts';
import { integer } from './integer.ts';
import { name } from './name.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import type { SlotType } from './slot-type.ts';
import { text } from './text.ts';
import { time } from './time.ts';

/** The slot types by their document names. */
export const slotTypes = {
  name,
  date,
  time,
  number,
  integer,
  boolean,
  enum: enumeration,
  phone,
  code,
  email,
  text,
} as const satisfies Readonly<Record<string, SlotType>>;

export type SlotTypeName = keyof typeof slotTypes;

export const slotTypeNames = Object.keys(slotTypes) as [SlotTypeName, ...SlotTypeName[]];

/** Returns the type of a slot. */
export function typeOf({ type }: { readonly type: SlotTypeName }): SlotType {
  return slotTypes[type];
}
