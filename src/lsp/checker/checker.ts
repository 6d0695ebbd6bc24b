import type { JsonObject } from '../../model/json.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import { flowJsonSchema } from '../../flow/graph/json-schema.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import { checkFlow } from '../../flow/load/check-flow.ts';

/** One flow to check. */
export interface CheckRequest {
  readonly path: string;
  /** The file name in reported problems. */
  readonly file: string;
  /** Unsaved texts of an editor, by path. They replace the files. */
  readonly unsaved: ReadonlyMap<string, string>;
}

/** The names that code has registered for flows, as an editor proposes them. */
export interface CodeNames {
  /** Functions by name, or null if it is unknown what code registers. */
  readonly functions: ReadonlyMap<string, { readonly description: string; readonly parameters: JsonObject }> | null;
  readonly handlers: readonly string[];
  /** Task flows, which a function may run. */
  readonly flows: readonly string[];
  /** The files of the flows of a configuration, by the names of the flows. */
  readonly files: ReadonlyMap<string, string>;
  /** The JSON Schema of documents, with the node types of all packs. */
  readonly schema: JsonObject;
}

/** Checks flows as `roomflow check` does, and lists the names that they may use. */
export interface Checker {
  /** Rejects with a `FlowError` if the configuration is broken. */
  names(): Promise<CodeNames>;
  /** The problems, in the order of the file. Rejects like `names`. */
  check(request: CheckRequest): Promise<readonly Diagnostic[]>;
  /** The same for a file of conversation tests, with the flow and the configuration that it names. */
  checkTest(request: CheckRequest): Promise<readonly Diagnostic[]>;
  close(): void;
}

/** Checks flows in this process, with what code has registered. It runs nothing of a flow or a configuration. */
export function createChecker(catalog: Catalog, registered: Registered): Checker {
  let names: CodeNames | undefined;
  return {
    names: () => Promise.resolve((names ??= namesOf(catalog, registered))),
    check: (request) => Promise.resolve(checkUnsaved(request, catalog, registered)),
    // For tests the code is loaded as well, which needs a separate process.
    checkTest: () => Promise.resolve([]),
    close: () => undefined,
  };
}

export function checkUnsaved(
  { path, file, unsaved }: CheckRequest,
  catalog: Catalog,
  registered: Registered,
): readonly Diagnostic[] {
  return checkFlow(path, { file, catalog, unsaved: (one) => unsaved.get(one), ...registered }).diagnostics;
}

export function namesOf(
  catalog: Catalog,
  { functions, handlers, flows, declared }: Registered,
  files: ReadonlyMap<string, string> = new Map<string, string>(),
): CodeNames {
  const known = [...(functions ?? [])].map((name) => {
    const { description = '', parameters = {} } = declared?.get(name) ?? {};
    return [name, { description, parameters }] as const;
  });
  return {
    functions: functions === undefined ? null : new Map(known),
    handlers: [...(handlers ?? [])],
    flows: [...(flows ?? [])],
    files,
    schema: schemaOf(catalog),
  };
}

/** Created once for a catalog: names are requested with every word that the author types. */
function schemaOf(catalog: Catalog): JsonObject {
  const schema = schemas.get(catalog) ?? flowJsonSchema(catalog);
  schemas.set(catalog, schema);
  return schema;
}

const schemas = new WeakMap<Catalog, JsonObject>();
