import { read } from '../../../language/english/reading.ts';
import { digitsOf } from '../../../language/english/numbers/spoken-numbers.ts';
import type { Field } from '../field.ts';
import type { ParameterOptions, ParameterReading } from './read-parameter.ts';
import { asSchemaWants } from '../schema-value.ts';

interface Code {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Reads a dictated or written number or code: "four eight two", "A B 1 2 3", "PX-20417". */
export function readCode(field: Field, text: string, { now }: ParameterOptions): ParameterReading {
  const day = read('date', text, { now });
  const isDay = (code: Code): boolean => day.ok && code.start < day.end && day.start < code.end;
  const codes = codesIn(text).filter((code) => !isDay(code));
  const fitting = codes.filter((code) => asSchemaWants(field, code.text) !== undefined);
  const [code] = fitting;
  const distinct = [...new Set(fitting.map((each) => each.text))];
  if (code === undefined) return { ok: false, problem: codes.length > 0 ? 'invalid' : 'not-found' };
  if (distinct.length > 1) {
    const longest = fitting.toSorted((one, other) => other.text.length - one.text.length);
    const [first, second] = longest;
    if (first === undefined || second === undefined || second.text.length > 2 || first.text.length < 4)
      return { ok: false, problem: 'ambiguous', candidates: distinct };
    return { ok: true, value: first.text, start: first.start, end: first.end, certain: true };
  }
  return { ok: true, value: code.text, start: code.start, end: code.end, certain: true };
}

const CODE =
  /(?<![\p{L}\d'’])(?:[\p{L}\d]*\d[\p{L}\d]*|\p{Lu}{1,4}|\p{L})(?:(?:\s*[-–/]\s*|\s+|,\s+)(?:[\p{L}\d]*\d[\p{L}\d]*|\p{Lu}{1,4}|\p{L}|dash)(?![\p{L}\d']))*(?![\p{L}\d'])/gu;

function codesIn(text: string): Code[] {
  const digits = digitsOf(text);
  const codes: Code[] = [];
  let from = 0;
  for (const match of digits.matchAll(CODE)) {
    const written = match[0]
      .replace(/^(?:[ai]\s+)(?=\S*[\d])/, '')
      .replaceAll(/\s*\bdash\b\s*/g, '-')
      .replaceAll(/(?<=[\p{L}\d])[\s,]+(?=[\p{L}\d])/gu, '')
      .trim();
    const isCode = /\d/.test(written) && written.length > 1 && !/\d(?:st|nd|rd|th)\b/i.test(match[0]);
    if (!isCode) continue;
    const spelled = /[\p{L}]\s+[\p{L}\d]/u.test(match[0]) ? written.toUpperCase() : written;
    // The position is exact only if the numbers are written as digits.
    const at = text.indexOf(match[0].trim(), from);
    from = at < 0 ? from : at;
    codes.push({ text: spelled, start: at < 0 ? 0 : at, end: at < 0 ? text.length : at + match[0].trim().length });
  }
  return codes;
}
