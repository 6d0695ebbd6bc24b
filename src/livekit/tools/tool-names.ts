/** What a list of tools has twice: both places, the name, and what each says of itself. Null where each name is one tool's. */
export function sameNameFault(
  tools: readonly { readonly name: string; readonly description?: string }[],
): string | null {
  for (const [at, tool] of tools.entries()) {
    const first = tools.findIndex(({ name }) => name === tool.name);
    const other = tools[first];
    // One tool that is listed twice is still one.
    if (other === undefined || other === tool) continue;
    const told = [other, tool].map(({ description = '' }) => JSON.stringify(description)).join(' and ');
    return `tools[${first}] and tools[${at}] are both named "${tool.name}" (${told}). Name one of them otherwise.`;
  }
  return null;
}
