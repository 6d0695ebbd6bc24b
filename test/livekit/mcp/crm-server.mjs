// A CRM as an MCP server of the official SDK. Run by node, it speaks over its standard input and output.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { argv, env, exit } from 'node:process';
import { pathToFileURL } from 'node:url';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };

export function createCrm({ aborted = () => undefined } = {}) {
  const server = new Server({ name: 'crm', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  let priceOf = { type: 'number' };
  const tools = () => [
    {
      name: 'find_patient',
      description: 'Finds a patient by name.',
      inputSchema: object({ name: string }),
      outputSchema: object({ id: string }),
      annotations: { readOnlyHint: true },
    },
    { name: 'book', description: 'Books a visit.', inputSchema: object({ day: string }) },
    { name: 'price', inputSchema: object({ item: string }), outputSchema: object({ price: priceOf }) },
    { name: 'broken', inputSchema: 'none' },
    { name: 'slow', inputSchema: object({}), annotations: { readOnlyHint: true } },
    ...['fail', 'long', 'die', 'change', 'token'].map((name) => ({ name, inputSchema: object({}) })),
  ];
  const run = {
    find_patient: ({ name }) => structured({ id: `p-${name.toLowerCase()}` }),
    book: ({ day }, { _meta }) => structured({ day, key: _meta?.['roomflow/idempotencyKey'] ?? null }),
    price: () => structured({ price: 'a lot' }),
    slow: (_given, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted();
          resolve(text('late'));
        });
      }),
    fail: () => ({ ...text('no patient of this name'), isError: true }),
    long: () => text('x'.repeat(300_000)),
    die: () => exit(1),
    change: async () => {
      priceOf = string;
      await server.sendToolListChanged();
      return text('changed');
    },
    token: () => text(`${env.CRM_TOKEN} ${env.OTHER_TOKEN ?? 'none'}`),
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => run[params.name](params.arguments, extra));
  return server;
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await createCrm().connect(new StdioServerTransport());
