import { z } from 'zod';

const envName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, such as CRM_TOKEN')
  .describe('The name of an environment variable.');

const byUrl = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('The address of a server that speaks streamable HTTP.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Headers of each request. {{ env.NAME }} is an environment variable.'),
});

const byCommand = z.strictObject({
  command: z.string().min(1).describe('The program of a server that speaks over its standard input and output.'),
  args: z.array(z.string()).optional().describe('Its arguments.'),
  env: z
    .array(envName)
    .optional()
    .describe('Names of the environment variables that it gets, besides PATH, HOME and the like.'),
  cwd: z.string().min(1).optional().describe('Its working directory. Default: the folder of the configuration.'),
});

/** Schema of `mcp` in `agent.config.ts`. */
export const mcpSchema = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,19}$/, 'must be a word of letters, digits, "_" and "-", at most 20 long'),
  z.union([byUrl, byCommand], 'must have a url, or a command with args, env and cwd'),
);

export type McpServers = z.output<typeof mcpSchema>;
export type McpServer = McpServers[string];
