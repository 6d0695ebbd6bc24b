/** Checks by its name whether a file contains conversation tests. */
export function isTestFile(file: string): boolean {
  return /\.flowtest\.(?:ya?ml|json|[cm]?[jt]s)$/.test(file);
}
