import type { Json } from '../../model/json.ts';
import type { GraphStore } from '../../model/ports/store.ts';
import { toJsonText } from '../json-text.ts';
import type { MemoryTables } from './tables.ts';

export function memoryGraphs({ graphs, assertOpen }: MemoryTables): GraphStore {
  return {
    async save(hash, document) {
      assertOpen();
      const text = toJsonText(document, 'the flow');
      if (!graphs.has(hash)) graphs.set(hash, text);
    },
    async get(hash) {
      assertOpen();
      const text = graphs.get(hash);
      return text === undefined ? null : (JSON.parse(text) as Json);
    },
  };
}
