/** Returns the fault if two tools have the same name, with their positions and descriptions; otherwise null. */
export function sameNameFault(
  tools: readonly { readonly name: string; readonly description?: string }[],
): string | null {
  for (const [at, tool] of tools.entries()) {
    const first = tools.findIndex(({ name }) => name === tool.name);
    const other = tools[first];
    // The same tool listed twice is not a conflict.
    if (other === undefined || other === tool) continue;
    const told = [other, tool].map(({ description = '' }) => JSON.stringify(description)).join(' and ');
    return `tools[${first}] and tools[${at}] are both named "${tool.name}" (${told}). Name one of them otherwise.`;
  }
  return null;
}
