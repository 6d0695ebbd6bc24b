import type { ConversationDocument } from '../../document/document.ts';
import type { DocumentPath, Problem } from '../../document/problems/diagnostic.ts';
import type { DocumentTool, OpenApiDocument } from '../../document/tools/http-tool.ts';
import { FlowError } from '../../../model/errors.ts';
import { describeFailure, readConfined } from '../files/confined-file.ts';
import { limits } from '../limits.ts';
import { readData } from '../read-data.ts';
import type { Folder } from '../yaml/read-tree.ts';
import { requestOf } from './openapi-request.ts';

interface Expanded {
  /** The document with the requests of the operations instead of their names, so that its hash covers them. */
  readonly document: ConversationDocument;
  readonly problems: readonly Problem[];
  /** The path of a part of `document` in the document as it is written. */
  readonly origin: (path: DocumentPath) => DocumentPath;
}

/** Replaces each `openapi` of a tool by the request of its operation. */
export function expandOpenApi(document: ConversationDocument, folder: Folder | undefined): Expanded {
  const { tools = {} } = document;
  const names = new Set(Object.entries(tools).flatMap(([name, tool]) => (isExpanded(tool) ? name : [])));
  if (names.size === 0) return { document, problems: [], origin: (path) => path };
  const problems: Problem[] = [];
  const files = new Map<string, unknown>();
  const openFile = (name: string): unknown => {
    if (!files.has(name)) files.set(name, readDescription(name, folder));
    return files.get(name);
  };
  const expanded = Object.entries(tools).map(([name, tool]): [string, DocumentTool] => {
    if (!isExpanded(tool)) return [name, tool];
    try {
      return [name, withRequest(tool, openFile)];
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      const path = ['tools', name, 'openapi'];
      problems.push({ code: 'invalid-openapi', severity: 'error', path, message: error.message });
      return [name, tool];
    }
  });
  return {
    document: { ...document, tools: Object.fromEntries(expanded) },
    problems,
    origin(path) {
      const [first, name, part] = path;
      const isOfRequest = first === 'tools' && typeof name === 'string' && names.has(name) && part === 'http';
      return isOfRequest ? ['tools', name, 'openapi'] : path;
    },
  };
}

type Named = DocumentTool & { readonly openapi: OpenApiDocument };

/** A tool with both keys is refused later. */
function isExpanded(tool: DocumentTool): tool is Named {
  return tool.openapi !== undefined && tool.http === undefined;
}

/** The keys of the tool take precedence over the description. */
function withRequest({ openapi, ...tool }: Named, openFile: (name: string) => unknown): DocumentTool {
  const request = requestOf(openFile(openapi.file), openapi);
  return {
    description: tool.description ?? request.description,
    parameters: tool.parameters ?? request.parameters,
    ...(tool.effect === undefined ? {} : { effect: tool.effect }),
    http: request.http,
  };
}

/** Reads a description in YAML or JSON. Throws `flow-invalid` with the reason. */
function readDescription(name: string, folder: Folder | undefined): unknown {
  if (folder === undefined)
    throw new FlowError('flow-invalid', 'a flow without a folder has no files. Give the option baseFolder.');
  const file = readConfined(folder, name, limits.openapiBytes);
  if (!file.ok) {
    const { message, hint } = describeFailure('openapi-file', name, file, limits.openapiBytes, folder);
    throw new FlowError('flow-invalid', hint === undefined ? message : `${message} ${hint}`);
  }
  return readData(file.text, name);
}
