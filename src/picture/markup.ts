/** Text that is no markup in HTML and SVG, wherever it comes from. XML takes no control characters. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, ' ');
}
