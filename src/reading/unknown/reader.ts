import { readText } from '../english/texts.ts';
import type { Json } from '../../events/json.ts';
import type { Reader, Reading, ReadOptions, ValueKind } from '../../ports/reader.ts';

/**
 * The reader of a language for which there are no rules: it takes values in their written form only, as a model gives them,
 * and knows no yes, no value and no line. A mark of a question tells that a text asks.
 */
export function unknownReader(language: string): Reader {
  const asks = (text: string): boolean => QUESTION_MARK.test(text);
  return {
    language,
    lines: null,
    help: null,
    isOwn: () => true,
    wordCount: (text) => text.match(/[\p{L}\p{M}\d]+/gu)?.length ?? 0,
    consent: (text) => (asks(text) ? { isHedged: true, asks: true } : { isHedged: false }),
    leaning: () => null,
    value: readWritten,
    isConnecting: (text) => !/[\p{L}\d]/u.test(text),
    saysNothing: (text) => !/[\p{L}\d]/u.test(text),
    request: () => null,
    keeps: () => false,
    asks,
    keepsQuestion: (text, instead) => text === instead || (asks(text) && asks(instead)),
    isYesNoQuestion: () => false,
    // Without rules nothing shows that it is not: a plain answer is not taken alone.
    isNegativeOrEitherOr: () => true,
    answerMeant: () => null,
    choosesOffered: () => false,
    sharedWords: () => null,
    grounding: () => null,
    spoken: (_kind, value) => written(value),
    proposal: (call, details) => `${[call, ...details].join(', ')}?`,
    anyOf: (choices) => choices.join(', '),
    allOf: (things) => things.join(', '),
  };
}

const QUESTION_MARK = /[?？؟\u037e՞]\s*$/u;

/** A value in the form in which it is kept: `2027-03-15`, `15:30`, `4`, `true`, a key of an enum. */
export function readWritten(kind: ValueKind, text: string, options: ReadOptions): Reading {
  const said = text.trim();
  const start = text.indexOf(said);
  const found = (value: string | number | boolean): Reading => {
    return { ok: true, value, said, start, end: start + said.length, certain: true };
  };
  switch (kind) {
    case 'date':
      return isDay(said) ? found(said) : NOT_FOUND;
    case 'time':
      return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(said) ? found(said) : NOT_FOUND;
    case 'number':
    case 'integer': {
      const value = /^-?\d{1,15}(?:\.\d{1,10})?$/.test(said) ? Number(said) : Number.NaN;
      return Number.isNaN(value) || (kind === 'integer' && !Number.isSafeInteger(value)) ? NOT_FOUND : found(value);
    }
    case 'boolean':
      return said === 'true' || said === 'false' ? found(said === 'true') : NOT_FOUND;
    case 'enum':
      return options.values?.has(said) === true ? found(said) : NOT_FOUND;
    case 'phone':
      return /^\+[1-9]\d{6,14}$/.test(said) ? found(said) : NOT_FOUND;
    case 'email':
      return /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/u.test(said) ? found(said) : NOT_FOUND;
    case 'name':
      return /^\p{L}[\p{L}\p{M}'’. -]{0,79}$/u.test(said) ? found(said) : NOT_FOUND;
    case 'text':
      return readText(text);
  }
}

const NOT_FOUND: Reading = { ok: false, problem: 'not-found' };

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function written(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
