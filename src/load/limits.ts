/** What a flow may be at most: far more than anyone writes, and little enough to be read in a moment. */
export const limits = Object.freeze({
  fileBytes: 2_000_000,
  promptBytes: 256_000,
  /** All prompt files of a flow together, each counted wherever it is named. */
  allPromptBytes: 8_000_000,
  includeDepth: 8,
  nodes: 10_000,
  keysPerMap: 10_000,
  /** Keys and list items of a file, or values of an object. */
  values: 250_000,
  /** Words, signs, line ends and indentations of a file; flows have some four for each key. */
  lexemes: 900_000,
  /** Values that aliases add. */
  aliasedValues: 100_000,
  /** Characters of a file that aliases add, and of the texts of an object, each counted wherever it stands. */
  repeatedText: 8_000_000,
  depth: 64,
  syntaxProblems: 100,
});

/** What to do about a flow that is too much. */
export const smaller = 'Make it smaller, or split the flow.';
