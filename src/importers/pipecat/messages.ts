import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { isRecord, rewriteItems, type Findings } from './rewrite.ts';

/** Prompt messages as a list. A text is a system message. A single message becomes a list of one. */
export function toMessages(value: unknown, path: DocumentPath, { origins }: Findings): unknown {
  if (typeof value === 'string') {
    origins.made(path, origins.of(path));
    return [systemMessage(value)];
  }
  if (isRecord(value)) {
    origins.moved([...path, 0], origins.of(path));
    return [value];
  }
  if (!Array.isArray(value)) return value;
  return rewriteItems(value, (item, index) => {
    if (typeof item !== 'string') return item;
    origins.made([...path, index], origins.of([...path, index]));
    return systemMessage(item);
  });
}

function systemMessage(content: string): { readonly role: 'system'; readonly content: string } {
  return { role: 'system', content };
}
