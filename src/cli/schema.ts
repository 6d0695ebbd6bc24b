import { defineCommand } from 'citty';
import { flowJsonSchema } from '../graph/json-schema.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { print } from './output.ts';
import { openConfig } from './sources.ts';

export const schemaCommand = defineCommand({
  args: {
    config: { type: 'string', description: 'agent.config.ts: the node types of its packs are part of it.' },
    test: { type: 'boolean', description: 'That of conversation tests (*.flowtest.yaml) instead.' },
  },
  async run({ args }) {
    if (args.test === true) {
      const { flowTestJsonSchema } = await import('../testing/flowtest/json-schema.ts');
      return print(JSON.stringify(flowTestJsonSchema(), null, 2));
    }
    const config = await openConfig(args.config);
    print(JSON.stringify(flowJsonSchema(config?.catalog ?? builtinCatalog), null, 2));
  },
});
