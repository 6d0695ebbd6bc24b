import { toNumber } from './numeral.ts';

/** `units / 10 ** scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/**
 * Returns the sum of numbers and numerals in decimal arithmetic, so 0.1 and 0.2 give 0.3; undefined if any is not a
 * number.
 */
export function decimalSum(values: readonly unknown[]): number | undefined {
  let exact: Decimal | undefined = { units: 0n, scale: 0 };
  let rounded = 0;
  for (const value of values) {
    const number = toNumber(value);
    if (number === undefined || !Number.isFinite(number)) return undefined;
    rounded += number;
    const decimal = toDecimal(value);
    exact = exact === undefined || decimal === undefined ? undefined : plus(exact, decimal);
  }
  return exact === undefined ? rounded : Number(textOf(exact));
}

/** Compares two numbers or numerals exactly. Returns a negative, zero or positive number. */
export function compareDecimals(left: unknown, right: unknown): number {
  const [a, b] = [toDecimal(left), toDecimal(right)];
  if (a === undefined || b === undefined) {
    const [one, other] = [toNumber(left) ?? Number.NaN, toNumber(right) ?? Number.NaN];
    return Number(one > other) - Number(one < other);
  }
  const { units } = plus(a, { units: -b.units, scale: b.scale });
  return Number(units > 0n) - Number(units < 0n);
}

/** Limit of digits, more than any amount has. Longer numbers use floating point, which bounds the time. */
const mostDigits = 400;

function toDecimal(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > mostDigits) return undefined;
  const match = NUMERAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const scale = fraction.length - Number(power);
  if (Math.abs(scale) > mostDigits) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * 10n ** BigInt(Math.max(0, -scale));
  return { units: sign === '-' ? -digits : digits, scale: Math.max(0, scale) };
}

const NUMERAL = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  const units = ({ units, scale: own }: Decimal): bigint => units * 10n ** BigInt(scale - own);
  return { units: units(one) + units(other), scale };
}

function textOf({ units, scale }: Decimal): string {
  return `${units}e-${scale}`;
}
