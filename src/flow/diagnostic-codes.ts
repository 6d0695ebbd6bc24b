/** What each code of a diagnostic means. Codes are stable: scripts and editors may rely on them. */
export const diagnosticCodes = Object.freeze({
  // The file
  'file-not-found': 'There is no file at this path.',
  'not-a-file': 'The path is that of a folder, a pipe or a device.',
  'file-unreadable': 'The file cannot be read, for example for lack of permission.',
  'file-too-large': 'The file has more than 2 MB.',
  'not-utf8': 'The file is not UTF-8 from here on.',
  'nul-byte': 'The file has a NUL byte, so it is no text.',
  'empty-file': 'The file has nothing but comments and white space.',

  // YAML
  'yaml-syntax': 'The text is not YAML 1.2.',
  'tab-indentation': 'A line is indented by a tab.',
  'several-documents': 'The file holds more than one YAML document.',
  'yaml-directive': 'The file has a directive such as %TAG.',
  'unknown-tag': 'The only tag is !include.',
  'duplicate-key': 'A map has the same key twice.',
  'invalid-key': 'A key is missing or is no text.',
  'unsafe-key': 'A key is __proto__.',
  'merge-key': 'A map has the merge key <<, which YAML 1.2 does not know.',
  'unknown-alias': 'An alias names no anchor before it.',
  'alias-cycle': 'An alias stands inside its own anchor.',
  'alias-limit': 'Aliases multiply the document.',
  'too-deep': 'Maps and lists nest deeper than 64 levels.',
  'too-many-keys': 'A map has more than 10,000 keys, or the document more than 250,000 values.',
  'too-many-nodes': 'The flow has more than 10,000 nodes.',
  'not-json': 'A value cannot be kept as JSON, for example .nan, a function or a date.',

  // Included files
  'include-no-folder': 'A text without a folder cannot include files.',
  'include-outside': 'An included file is not inside the flow’s folder.',
  'include-missing': 'An included file does not exist.',
  'include-unreadable': 'An included file cannot be read as UTF-8 text.',
  'include-too-large': 'The included files have more than 2 MB together.',
  'include-too-deep': 'Files include each other deeper than 8 levels.',
  'include-cycle': 'A file includes itself.',
  'include-invalid': 'An include names no file, or one that is neither YAML, JSON nor text.',

  // Prompt files
  'prompt-file-no-folder': 'A flow without a folder has no prompt files.',
  'prompt-file-outside': 'A prompt file is not inside the flow’s folder.',
  'prompt-file-missing': 'A prompt file does not exist.',
  'prompt-file-unreadable': 'A prompt file cannot be read as UTF-8 text.',
  'prompt-file-too-large': 'A prompt file has more than 256 kB, or all of them more than 8 MB.',

  // The form of the document
  'not-a-map': 'A flow is a map of keys.',
  'document-kind': 'A document is either a conversation (initial_node) or a task flow (flow).',
  'unsupported-format': 'The document is in a format that cannot be imported.',
  'ignored-field': 'A field of another framework has no meaning here.',
  'conflicting-keys': 'Two keys exclude each other.',
  'both-spellings': 'A key is given in snake_case and in camelCase.',
  'unknown-key': 'A key does not exist here.',
  'missing-key': 'A required key is missing.',
  'wrong-type': 'A value is of another kind than it must be.',
  'boolean-word': 'A word such as yes or off stands where true or false is meant.',
  'invalid-value': 'A value is none of those allowed.',
  'out-of-range': 'A number or length is too small or too large.',
  'invalid-format': 'A text does not have the form it must have.',
});

export type DiagnosticCode = keyof typeof diagnosticCodes;
