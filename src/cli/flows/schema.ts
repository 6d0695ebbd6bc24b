import { defineCommand } from 'citty';
import { flowJsonSchema } from '../../flow/graph/json-schema.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { print } from '../output.ts';
import { openNearest } from './sources.ts';

export const schemaCommand = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'A configuration whose node packs are included. Default: the nearest agent.config.ts.',
    },
    test: { type: 'boolean', description: 'Print the schema of conversation tests (*.flowtest.yaml) instead.' },
  },
  async run({ args }) {
    if (args.test === true) {
      const { flowTestJsonSchema } = await import('../../flowtest/document/json-schema.ts');
      return print(JSON.stringify(flowTestJsonSchema(), null, 2));
    }
    const config = await openNearest(args.config, 'flow.yaml');
    print(JSON.stringify(flowJsonSchema(config?.catalog ?? builtinCatalog), null, 2));
  },
});
