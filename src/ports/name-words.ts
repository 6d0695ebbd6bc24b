/** The words that a name of a document is made of, as they are said and read: `first_name` is "first name". */
export function nameWords(name: string): string {
  return name.replaceAll(/[_-]+/g, ' ');
}
