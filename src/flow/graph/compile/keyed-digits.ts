import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { DtmfDocument, SlotDocument } from '../../document/slot.ts';
import { slotTypeNames, typeOf } from '../../slots/slot-types.ts';
import type { KeyedDigits } from '../graph.ts';
import { type Report, addProblem } from '../report.ts';

/** The default pause after a key that ends an entry. */
const defaultTimeoutMs = 3_000;

/** The longest whole number that a number keeps exactly, in digits. */
const mostNumberDigits = 15;

/** Compiles the entry of a slot by telephone keys. Reports digits that cannot be a value of the slot; null for those. */
export function keyedDigits(
  report: Report,
  name: string,
  slot: SlotDocument & { readonly dtmf: DtmfDocument },
  path: DocumentPath,
): KeyedDigits | null {
  const [least, most] = rangeOf(slot.dtmf.digits);
  const at = [...path, 'dtmf', 'digits'];
  if (typeOf(slot).ofKeys === undefined) {
    const types = slotTypeNames.filter((type) => typeOf({ type }).ofKeys !== undefined);
    const hint = `It is for ${types.join(', ')}. Remove dtmf, or offer a menu with the keys of a node.`;
    impossible(report, [...path, 'dtmf'], `digits are not a value of slot "${name}", which is ${slot.type}.`, hint);
    return null;
  }
  const problem = rangeProblem(least, most) ?? boundsProblem(slot, least, most);
  if (problem !== undefined) {
    impossible(report, at, `slot "${name}" ${problem.fact}`, problem.hint);
    return null;
  }
  if (slot.pii === true && slot.confirm !== undefined)
    addProblem(
      report,
      'error',
      'sealed-slot-spoken',
      [...path, 'confirm'],
      `slot "${name}" is personal and takes keys, so its digits are never spoken.`,
      { hint: 'Remove confirm; a function can check the digits.', atKey: true },
    );
  const { end = '#', timeoutMs = defaultTimeoutMs } = slot.dtmf;
  return { least, most, end, clear: end === '#' ? '*' : '#', timeoutMs };
}

function rangeOf(digits: DtmfDocument['digits']): readonly [least: number, most: number] {
  if (typeof digits === 'number') return [digits, digits];
  const [least = '', most = ''] = digits.split('..');
  return [Number(least), Number(most)];
}

interface DigitsProblem {
  readonly fact: string;
  readonly hint: string;
}

function rangeProblem(least: number, most: number): DigitsProblem | undefined {
  if (least >= 1 && least <= most && most <= 32) return undefined;
  return { fact: 'has an impossible number of digits.', hint: 'Write 1 to 32 digits, the smaller number first: 4..8.' };
}

function boundsProblem(
  { type, minimum, maximum }: SlotDocument,
  least: number,
  most: number,
): DigitsProblem | undefined {
  if (type !== 'number' && type !== 'integer') return undefined;
  if (most > mostNumberDigits)
    return {
      fact: `is a number, and a number keeps at most ${mostNumberDigits} digits.`,
      hint: 'Use type text for longer ones.',
    };
  if (maximum !== undefined && maximum < 0)
    return { fact: 'takes only negative numbers, which have no keys.', hint: 'Change its maximum.' };
  if (minimum !== undefined && minimum > 10 ** most - 1)
    return { fact: `needs more than ${most} digits for its minimum.`, hint: 'Raise digits or lower the minimum.' };
  // Without a leading zero, the smallest number of `least` digits.
  if (maximum !== undefined && least > 1 && maximum < 10 ** (least - 1))
    return { fact: `needs fewer than ${least} digits for its maximum.`, hint: 'Lower digits or raise the maximum.' };
  return undefined;
}

function impossible(report: Report, path: DocumentPath, message: string, hint: string): void {
  addProblem(report, 'error', 'impossible-digits', path, message, { hint, atKey: true });
}
