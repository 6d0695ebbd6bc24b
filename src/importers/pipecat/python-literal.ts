/** Returns the value of a Python source text that is a literal, or undefined for every other text. */
export function pythonLiteral(
  source: string,
): { readonly value: string | number | boolean | null | readonly unknown[] } | undefined {
  const text = source.trim();
  const list = /^(?:\[(.*)\]|\((.*)\)|\{(.*)\})$/s.exec(text);
  if (list === null) return scalar(text);
  const items: unknown[] = [];
  let rest = (list[1] ?? list[2] ?? list[3] ?? '').trim();
  while (rest !== '') {
    const item = /^("[^"\\]*"|'[^'\\]*'|[^,"'\s]+)\s*(?:,\s*|$)/.exec(rest);
    const value = item === null ? undefined : scalar(item[1] ?? '');
    if (item === null || value === undefined) return undefined;
    items.push(value.value);
    rest = rest.slice(item[0].length);
  }
  return { value: items };
}

function scalar(text: string): { readonly value: string | number | boolean | null } | undefined {
  const quoted = /^(?:"([^"\\]*)"|'([^'\\]*)')$/.exec(text);
  if (quoted !== null) return { value: quoted[1] ?? quoted[2] ?? '' };
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return { value: Number(text) };
  if (text === 'True' || text === 'False') return { value: text === 'True' };
  return text === 'None' ? { value: null } : undefined;
}
