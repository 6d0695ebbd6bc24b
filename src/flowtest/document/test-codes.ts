import type { DiagnosticCode } from '../../flow/document/problems/diagnostic-codes.ts';

/** Problems that only a file of conversation tests can have, by code. All other problems have the codes of flows. */
export const testCodes = Object.freeze({
  'unknown-node': 'A test names a node that its flow does not have.',
  'unknown-function': 'A test lets the model call a function that its flow does not have.',
  'unknown-tool': 'A test names a tool or a handler that its flow does not call.',
  'schedule-invalid': 'A schedule of a test never comes, or cannot be read.',
  'unknown-column': 'A text of a test has a <name> that no row, or not every row, of its each has.',
  'unused-column': 'A row of each has a name that no text of its scenario has.',
  'unknown-edge': 'A test expects a way between two nodes that its flow does not have.',
});

/** The codes of problems in a file of tests. */
export type TestCode = keyof typeof testCodes | DiagnosticCode;
