import type { JsonObject } from '../../model/json.ts';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import { flowJsonSchema } from '../../flow/graph/json-schema.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import { checkFlow } from '../../flow/load/check-flow.ts';

/** One flow to check. */
export interface CheckRequest {
  readonly path: string;
  /** The name that problems are told under. */
  readonly file: string;
  /** What an editor holds in place of files, by path. */
  readonly unsaved: ReadonlyMap<string, string>;
}

/** What code has registered for flows to name, as an editor proposes it. */
export interface CodeNames {
  /** Functions by name; null where nobody knows what code registers. */
  readonly functions: ReadonlyMap<string, { readonly description: string; readonly parameters: JsonObject }> | null;
  readonly handlers: readonly string[];
  /** Task flows, which a function may run. */
  readonly flows: readonly string[];
  /** The files of the flows of a configuration, by the names of the flows. */
  readonly files: ReadonlyMap<string, string>;
  /** The JSON Schema of documents, with the node types of all packs. */
  readonly schema: JsonObject;
}

/** Checks flows as `roomflow check` does, and tells what they may name. */
export interface Checker {
  /** Rejects with a `FlowError` where the configuration is broken. */
  names(): Promise<CodeNames>;
  /** What is wrong, in the order of the file. Rejects as `names`. */
  check(request: CheckRequest): Promise<readonly Diagnostic[]>;
  /** The same of a file of conversation tests, with the flow and the configuration that it names. */
  checkTest(request: CheckRequest): Promise<readonly Diagnostic[]>;
  close(): void;
}

/** Checks flows in this process, with what code has registered; nothing of a flow or of a configuration is run. */
export function createChecker(catalog: Catalog, registered: Registered): Checker {
  let names: CodeNames | undefined;
  return {
    names: () => Promise.resolve((names ??= namesOf(catalog, registered))),
    check: (request) => Promise.resolve(checkUnsaved(request, catalog, registered)),
    // Of tests the code is loaded as well, which is for a process of its own.
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

/** Made once for a catalog: names are asked for with every word that somebody types. */
function schemaOf(catalog: Catalog): JsonObject {
  const schema = schemas.get(catalog) ?? flowJsonSchema(catalog);
  schemas.set(catalog, schema);
  return schema;
}

const schemas = new WeakMap<Catalog, JsonObject>();
