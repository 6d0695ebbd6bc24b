import { plainText } from '../words.ts';
import type { Source } from '../source.ts';

/** The texts for a node's id: its own id if a person chose it, else its name. */
export function idTexts(source: Source): readonly (string | undefined)[] {
  const given = source.at('id').value;
  const own = typeof given === 'string' || typeof given === 'number' ? plainText(given) : '';
  source.at('id').take();
  const name = source.text('name');
  const isPlain = /^[a-z][a-z_-]{0,40}\d{0,3}$/i.test(own) && !/^(?:start[-_]?)?node[-_]?\d*$/i.test(own);
  return isPlain ? [own, name] : [name, own];
}

/** The name of a node in Retell, if its id here does not show it. */
export function descriptionOf(source: Source, id: string): { readonly description?: string } {
  const name = source.at('name').value;
  return typeof name !== 'string' || name.trim() === '' || name === id ? {} : { description: name.trim() };
}
