/** The limits of a flow: far more than anyone writes, but quick to read. */
export const limits = Object.freeze({
  fileBytes: 2_000_000,
  promptBytes: 256_000,
  /** All prompt files of a flow together. A file counts each time it is named. */
  allPromptBytes: 8_000_000,
  /** An OpenAPI description. */
  openapiBytes: 4_000_000,
  includeDepth: 8,
  nodes: 10_000,
  keysPerMap: 10_000,
  /** Keys and list items of a file, or values of an object. */
  values: 250_000,
  /** Words, punctuation marks, line ends and indentations of a file. Flows have about four for each key. */
  lexemes: 900_000,
  /** Values that aliases add. */
  aliasedValues: 100_000,
  /** Characters of a file that aliases add, and of the texts of an object. A text counts each time it occurs. */
  repeatedText: 8_000_000,
  depth: 64,
  syntaxProblems: 100,
});

/** Advice for a flow that exceeds a limit. */
export const smaller = 'Make it smaller, or split the flow.';
