/** Whether a file holds conversation tests, by its name. */
export function isTestFile(file: string): boolean {
  return /\.flowtest\.(?:ya?ml|json|[cm]?[jt]s)$/.test(file);
}
