/** Escapes a text for HTML and SVG. XML does not allow control characters. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, ' ');
}
