/** Returns the words of a document name: `first_name` becomes "first name". */
export function nameWords(name: string): string {
  return name.replaceAll(/[_-]+/g, ' ');
}
