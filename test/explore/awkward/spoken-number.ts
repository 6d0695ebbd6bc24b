import { type Fact, fact } from '../talk/said.ts';

/** A telephone number, recognised by its last three digits in any grouping. */
export function number(value: string, words: string): Fact {
  const [one, two, three] = value.slice(-3);
  return fact(value, words, new RegExp(`${one}[ ,]*${two}[ ,]*${three}(?![ ,]*[0-9])`));
}
