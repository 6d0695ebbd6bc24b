import { parseDocument } from 'yaml';
import { FlowError } from '../../model/errors.ts';

/** Reads YAML or JSON that is not a flow, such as a script. Throws `data-invalid` with the place of the first fault. */
export function readData(text: string, file: string): unknown {
  const document = parseDocument(text, { schema: 'core', merge: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw new FlowError('data-invalid', `${file}: ${fault.message}`);
  return document.toJS({ maxAliasCount: 100 });
}
