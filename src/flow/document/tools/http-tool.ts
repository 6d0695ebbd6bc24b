import { z } from 'zod';

const json: z.ZodType = z.unknown();

/** A request that a document writes down. */
export const httpRequestSchema = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('The method. Default: GET.'),
    url: z
      .string()
      .describe(
        'The address. {{ args.NAME }} in its path is an argument; the host is written out and allowed in httpTools.',
      ),
    query: z
      .record(z.string(), json)
      .optional()
      .describe('Parameters of the query; a missing argument leaves one out.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers. {{ env.NAME }} is a secret that httpTools allows for the host.'),
    body: json.optional().describe('The JSON body. A text that is only {{ args.NAME }} becomes the argument itself.'),
    idempotencyHeader: z
      .string()
      .min(1)
      .optional()
      .describe('The header for the key of a write. Default: Idempotency-Key.'),
    result: z
      .record(z.string(), json)
      .optional()
      .describe('JSON Schema of the answer. Another answer is a failed call. Default: any JSON.'),
  })
  .meta({ id: 'HttpRequest', description: 'A request over HTTP.' });

/** An operation of an OpenAPI description. */
const openApiSchema = z
  .strictObject({
    file: z.string().min(1).describe('The OpenAPI description (version 3, YAML or JSON) in the flow’s folder.'),
    operation: z.string().min(1).describe('The operationId.'),
    server: z.string().min(1).optional().describe('The base address. Default: the first server of the description.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('More headers, such as those of a key. {{ env.NAME }} is a secret that httpTools allows for the host.'),
    idempotencyHeader: z
      .string()
      .min(1)
      .optional()
      .describe('The header for the key of a write. Default: Idempotency-Key.'),
  })
  .meta({ id: 'OpenApiOperation', description: 'An operation of an OpenAPI description.' });

/** A tool that a document writes down. */
export const documentToolSchema = z
  .strictObject({
    description: z.string().optional().describe('A description of when the model should call it.'),
    parameters: z.record(z.string(), json).optional().describe('JSON Schema of the arguments.'),
    effect: z
      .enum(['read', 'write'])
      .optional()
      .describe('`write`: it changes the world. Default: write, except for GET.'),
    http: httpRequestSchema.optional().describe('The request.'),
    openapi: openApiSchema
      .optional()
      .describe('An operation whose request, parameters and result are read from its description, instead of `http`.'),
  })
  .meta({ id: 'DocumentTool', description: 'A tool of the flow without code.' });

export type DocumentTool = z.output<typeof documentToolSchema>;
export type OpenApiDocument = z.output<typeof openApiSchema>;
export type HttpRequestDocument = z.output<typeof httpRequestSchema>;
