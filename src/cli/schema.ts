import { defineCommand } from 'citty';
import { flowJsonSchema } from '../graph/json-schema.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { print } from './output.ts';
import { openConfig } from './sources.ts';

export const schemaCommand = defineCommand({
  args: { config: { type: 'string', description: 'agent.config.ts: the node types of its packs are part of it.' } },
  async run({ args }) {
    const config = await openConfig(args.config);
    print(JSON.stringify(flowJsonSchema(config?.catalog ?? builtinCatalog), null, 2));
  },
});
