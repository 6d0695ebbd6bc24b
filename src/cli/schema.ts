import { defineCommand } from 'citty';
import { flowJsonSchema } from '../graph/json-schema.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { print } from './output.ts';

export const schemaCommand = defineCommand({
  meta: { name: 'schema', description: 'Print the JSON Schema of flow documents, for editors.' },
  run() {
    print(JSON.stringify(flowJsonSchema(builtinCatalog), null, 2));
  },
});
