import { groundedName } from '../english/names/grounded-name.ts';
import { textsOf } from '../english/said-words.ts';
import type { CodeReader } from '../codes.ts';
import type { Reader } from '../../model/ports/reader.ts';
import type { Tables } from './tables.ts';

/** Number of final digits that identify a telephone number. */
const TAIL = 9;

/**
 * Whether a value is in what a caller said: names and digits are sought, days, times and numbers read in every clause. A number
 * that tables find nowhere is unsaid, and read back. Null where the words may mean a choice in a way that tables do not know.
 */
export function groundingBy(
  { fold, digits }: Tables,
  { isConnecting, leaning }: Pick<Reader, 'isConnecting' | 'leaning'>,
  read: Reader['value'],
  codes: Pick<CodeReader, 'grounding'>,
): Reader['grounding'] {
  const digitsIn = (text: string): string => digits(fold(text)).replaceAll(/\D/g, '');
  const wordsIn = (text: string): string => ` ${(fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return (kind, value, said) => {
    const { turns, beside, options } = said;
    const texts = textsOf(turns);
    switch (kind) {
      case 'name':
        return groundedName(String(value), turns);
      case 'phone': {
        const tail = String(value).replaceAll(/\D/g, '').slice(-TAIL);
        const isSaid = texts.some((text) => {
          const reading = read('phone', text, { ...options, asked: true });
          return digitsIn(text).includes(tail) || (reading.ok && reading.value === value);
        });
        return tail.length >= 5 && isSaid ? 'said' : 'unsaid';
      }
      case 'date':
      case 'time':
      case 'number':
      case 'integer': {
        for (const text of texts)
          for (const part of new Set([text, ...text.split(/[.;!,]/)])) {
            const reading = read(kind, part, { ...options, asked: true });
            if (reading.ok && reading.value === value) return 'said';
          }
        return 'unsaid';
      }
      case 'code':
        return codes.grounding(String(value), said);
      case 'email': {
        const isSaid = texts.some((text) => {
          const reading = read('email', text, options);
          return reading.ok && reading.value === String(value).toLowerCase();
        });
        return isSaid ? 'said' : null;
      }
      case 'boolean': {
        const isOther = beside !== undefined && isConnecting(beside, '') && leaning(beside) === null;
        return isOther ? 'unsaid' : null;
      }
      case 'enum': {
        const reading = read('enum', texts[0] ?? '', options);
        return reading.ok && reading.value === value ? 'said' : null;
      }
      case 'text': {
        const wanted = wordsIn(String(value));
        return wanted !== '  ' && turns.some((text) => wordsIn(text).includes(wanted)) ? 'said' : null;
      }
    }
  };
}
