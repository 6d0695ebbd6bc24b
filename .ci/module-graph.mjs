// The modules that Rolldown reads, for bundlers that choose the chunk of a module by who reaches it.

/** Whether an import names a package and not a file. */
export function isPackage(id) {
  return !/^(\.|\/|\\|[A-Za-z]:\\)/.test(id);
}

/** A plug-in that notes the imports of each module, and the modules reached from some of them once all are read. */
export function createModuleGraph() {
  const imports = new Map();
  return {
    plugin: { name: 'graph', moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) },
    reachedFrom(ids) {
      const reached = new Set(ids.filter((id) => imports.has(id)));
      for (const id of reached) for (const next of imports.get(id)) if (imports.has(next)) reached.add(next);
      return reached;
    },
  };
}
