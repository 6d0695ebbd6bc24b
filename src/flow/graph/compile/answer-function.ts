import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { answerFunctionName, type FunctionDocument } from '../../document/function.ts';
import type { GraphFunction } from '../graph.ts';
import { plainFunction } from './plain-function.ts';
import { type Report, addProblem } from '../report.ts';

/** Functions by question, so the same question always has the same function. */
const made = new Map<string, GraphFunction>();
const mostKept = 256;

/**
 * Returns the function by which a model reports whether the caller agreed to a question, for words that the rules do
 * not decide.
 */
export function answerFunction(question: string): GraphFunction {
  const known = made.get(question);
  if (known !== undefined) return known;
  if (made.size >= mostKept) made.clear();
  const offered: GraphFunction = {
    ...plainFunction,
    name: answerFunctionName,
    description:
      `The caller was asked: "${question}" Call this where their words agree to exactly that, or refuse it. ` +
      'Do not call it where they ask something or want something changed.',
    parameters: {
      type: 'object',
      properties: {
        agrees: { type: 'boolean', description: 'Whether the caller agrees, without any condition.' },
        instead: { type: 'string', description: 'What the caller wants instead, in their words.' },
      },
      required: ['agrees'],
      additionalProperties: false,
    },
    body: 'answer',
    handler: answerFunctionName,
    cancelOnInterruption: true,
  };
  made.set(question, offered);
  return offered;
}

/** Reports contradictions in a function's keys about answers. */
export function reportAnswers(report: Report, source: FunctionDocument, path: DocumentPath): void {
  const { name, confirm, onRefuse, answers, parameters } = source;
  if (onRefuse !== undefined && (confirm === undefined || confirm === false))
    addProblem(
      report,
      'error',
      'conflicting-keys',
      [...path, 'onRefuse'],
      `function "${name}" asks no question, so it cannot be refused.`,
      { hint: 'Add confirm: with the question, or remove on_refuse.', atKey: true },
    );
  const required = parameters?.['required'];
  if (answers !== undefined && Array.isArray(required) && required.length > 0)
    addProblem(
      report,
      'error',
      'conflicting-keys',
      [...path, 'answers'],
      `function "${name}" requires arguments, which a plain ${answers} does not give.`,
      { hint: 'Remove answers, or require nothing.', atKey: true },
    );
  if (name === answerFunctionName)
    addProblem(
      report,
      'error',
      'reserved-name',
      [...path, 'name'],
      `"${answerFunctionName}" is the function that answers a question of the flow's; it is offered by itself.`,
      { hint: 'Choose another name.' },
    );
}
