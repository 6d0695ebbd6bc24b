import { parsePath } from '../../expression/path.ts';
import { type JsonObject, isRecord } from '../../../model/json.ts';
import { reportAnswers } from './answer-function.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import {
  type FunctionDocument,
  functionNameOf,
  languageFunctionName,
  recordFunctionName,
  serverOf,
} from '../../document/function.ts';
import type { SpokenTextDocument } from '../../document/spoken-text.ts';
import type { GraphFunction, Target } from '../graph.ts';
import { minifySchema } from '../minify-schema.ts';
import { schemaCheck } from '../schema-check.ts';
import { unknownKeywords } from '../../json-schema/unknown-keywords.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import { type Declaration, type Registered, reportUnregistered } from './registered.ts';
import { type Report, addProblem } from '../report.ts';
import { wordingsAt } from './text-in-language.ts';

const noParameters: JsonObject = { type: 'object', properties: {} };

/** Compiles a function and reports its problems. */
export function compileFunction(
  report: Report,
  source: FunctionDocument,
  path: DocumentPath,
  registered: Registered,
): GraphFunction {
  reportConflicts(report, source, path);
  if (source.transitionCallback !== undefined)
    reportUnregistered(report, 'handler', source.transitionCallback, [...path, 'transitionCallback'], registered);
  const body = bodyOf(report, source, path, registered);
  const handler = source.run === undefined ? (source.handler ?? source.name) : taskFlowTool(source.run);
  const declared = body === 'tool' || body === 'flow' ? registered.declared?.get(handler) : undefined;
  const isWrite =
    source.effect === 'write' || declared?.waits === true || (source.effect === undefined && declared?.writes === true);
  if (source.parameters === undefined && declared !== undefined && declared.isParsed !== true)
    reportUnenforced(report, source, declared, path);
  return {
    name: functionNameOf(source.name),
    description: source.description ?? declared?.description ?? '',
    parameters:
      source.parameters === undefined && declared !== undefined
        ? minifySchema(declared.parameters)
        : parametersOf(report, source, path),
    body,
    handler,
    write: isWrite,
    confirm:
      source.confirm === true
        ? 'described'
        : source.confirm !== undefined && source.confirm !== false
          ? confirmOf(report, source.confirm, [...path, 'confirm'], source.parameters ?? declared?.parameters)
          : null,
    onRefuse: source.onRefuse ?? null,
    answers: source.answers ?? null,
    saveAs: source.saveAs ?? null,
    target: targetOf(report, source, path),
    callback: source.transitionCallback ?? null,
    digression: source.digression ?? false,
    timeoutMs: source.timeoutMs ?? null,
    retry: { maxAttempts: source.retry?.maxAttempts ?? 1, backoffMs: source.retry?.backoffMs ?? 0 },
    cancelOnInterruption: !isWrite && (source.cancelOnInterruption ?? true),
  };
}

/** Compiles a confirmation question, which can name the arguments. Names that stay blank would be agreed to unsaid. */
function confirmOf(
  report: Report,
  question: SpokenTextDocument,
  path: DocumentPath,
  parameters: FunctionDocument['parameters'],
): GraphFunction['confirm'] {
  const names = Object.keys(propertiesOf({ parameters }));
  const before = report.names.length;
  const wordings = wordingsAt(report, question, path, names);
  for (const [index, use] of report.names.entries())
    // If the parameters of the code are unknown, any name may be an argument.
    if (index >= before) report.names[index] = { ...use, confirms: parameters === undefined ? 'anything' : names };
  return wordings;
}

/** Returns the name of the tool that runs a task flow. Authors' tools cannot have this form. */
export function taskFlowTool(flow: string): string {
  return `flow:${flow}`;
}

function bodyOf(
  report: Report,
  source: FunctionDocument,
  path: DocumentPath,
  registered: Registered,
): GraphFunction['body'] {
  if (source.run !== undefined) {
    reportUnregistered(report, 'flow', source.run, [...path, 'run'], registered);
    return 'flow';
  }
  if (source.transitionOnly === true) return 'edge';
  const handler = source.handler ?? source.name;
  if (registered.functions?.has(handler) === true || registered.own?.has(handler) === true) return 'tool';
  if (needsHandler(source)) {
    const at = source.handler === undefined ? [...path, 'name'] : [...path, 'handler'];
    reportUnregistered(report, 'function', handler, at, registered);
    return 'tool';
  }
  const moves = source.transitionTo !== undefined || source.transitionCallback !== undefined;
  if (!moves && Object.keys(propertiesOf(source)).length === 0)
    addProblem(
      report,
      registered.functions === undefined ? 'note' : 'error',
      'idle-function',
      [...path, 'name'],
      `function "${source.name}" is not registered, leads nowhere and takes nothing.`,
      {
        hint: 'Give it a transition_to, or register a tool of this name.',
      },
    );
  return 'edge';
}

/** Checks for keys that require code behind the function. */
function needsHandler(source: FunctionDocument): boolean {
  return (
    source.handler !== undefined ||
    serverOf(source.name) !== null ||
    source.effect !== undefined ||
    source.saveAs !== undefined ||
    (source.confirm !== undefined && source.confirm !== false) ||
    typeof source.transitionTo === 'object'
  );
}

function targetOf(report: Report, source: FunctionDocument, path: DocumentPath): Target | null {
  const target = source.transitionTo;
  if (target === undefined) return null;
  if (typeof target === 'string') return { kind: 'node', to: target };
  const at = [...path, 'transitionTo'];
  const field = parsePath(target.field);
  if (field === undefined)
    addProblem(report, 'error', 'invalid-path', [...at, 'field'], `"${target.field}" is not a path into a result.`, {
      hint: 'Write names joined by dots, such as status.code.',
    });
  if (Object.keys(target.cases).length === 0)
    addProblem(
      report,
      'error',
      'empty-branch',
      [...at, 'cases'],
      `the branch of function "${source.name}" has no cases.`,
      {
        hint: 'Add one, such as true: done, or name the node directly.',
        atKey: true,
      },
    );
  return {
    kind: 'branch',
    field: field ?? [],
    cases: new Map(Object.entries(target.cases)),
    otherwise: target.default ?? null,
  };
}

function parametersOf(report: Report, source: FunctionDocument, path: DocumentPath): JsonObject {
  const schema = source.parameters;
  if (schema === undefined) return noParameters;
  const at = [...path, 'parameters'];
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    addProblem(
      report,
      'error',
      'invalid-parameters',
      [...at, 'type'],
      `the parameters of "${source.name}" must be an object.`,
      {
        hint: 'Write type: object and list them under properties.',
      },
    );
  const properties = propertiesOf(source);
  reportFaults(report, schema as JsonObject, at); // JSON by the loader's contract.
  for (const { path: below, message, hint } of unknownKeywords(schema as JsonObject))
    addProblem(report, 'warning', 'unknown-keyword', [...at, ...below], message, { hint, atKey: true });
  const required = schema['required'];
  if (Array.isArray(required)) {
    for (const [index, name] of required.entries()) {
      if (typeof name === 'string' && Object.hasOwn(properties, name)) continue;
      addProblem(
        report,
        'error',
        'unknown-parameter',
        [...at, 'required', index],
        `required parameter ${JSON.stringify(name)} of "${source.name}" is not among its properties.`,
        {
          ...hintFor(String(name), Object.keys(properties)),
        },
      );
    }
  }
  return minifySchema(schema['type'] === undefined ? { type: 'object', ...schema } : schema);
}

/** Reports parts of the parameters that cannot be enforced: invalid values would reach the function. */
function reportFaults(report: Report, schema: JsonObject, path: DocumentPath): void {
  for (const { path: at, message, hint, isPattern } of schemaCheck(schema).faults)
    addProblem(
      report,
      'error',
      isPattern === true ? 'invalid-pattern' : 'invalid-parameters',
      [...path, ...at],
      message,
      {
        ...(hint === undefined ? {} : { hint }),
      },
    );
}

/** Reports parameters declared in code that cannot be enforced. */
function reportUnenforced(
  report: Report,
  { name, effect }: FunctionDocument,
  { parameters }: Declaration,
  path: DocumentPath,
): void {
  for (const { path: at, message, hint } of schemaCheck(parameters).faults)
    addProblem(
      report,
      effect === 'write' ? 'error' : 'warning',
      'unenforced-parameters',
      [...path, 'name'],
      `the parameters in the code of "${name}" cannot be enforced: ${[...at, message].join(': ')}`,
      { hint: hint ?? 'Change them there, or write parameters here.' },
    );
}

/** Returns the properties of a function's parameters; empty if there are none. */
export function propertiesOf(source: Pick<FunctionDocument, 'parameters'>): Record<string, unknown> {
  const properties = source.parameters?.['properties'];
  return isRecord(properties) ? properties : {};
}

function reportConflicts(report: Report, source: FunctionDocument, path: DocumentPath): void {
  const conflict = (key: keyof FunctionDocument, why: string, hint: string): void =>
    addProblem(report, 'error', 'conflicting-keys', [...path, key], why, { hint, atKey: true });
  const both = (first: keyof FunctionDocument, second: keyof FunctionDocument, why: string): void => {
    if (source[first] !== undefined && source[second] !== undefined) conflict(second, why, 'Keep one of them.');
  };
  both('transitionTo', 'transitionCallback', `function "${source.name}" has two ways to choose its target.`);
  if (source.transfer !== undefined)
    conflict(
      'transfer',
      `function "${source.name}" cannot put the caller through here.`,
      'Lead to a node of the flow that has the transfer.',
    );
  both('handler', 'run', `function "${source.name}" has two bodies.`);
  reportAnswers(report, source, path);
  if (source.name === languageFunctionName && report.otherLanguages.length > 0)
    addProblem(
      report,
      'error',
      'reserved-name',
      [...path, 'name'],
      `"${languageFunctionName}" is the function that goes on in another language; it is offered by itself.`,
      { hint: 'Choose another name.' },
    );
  if (source.name === recordFunctionName)
    addProblem(
      report,
      'error',
      'reserved-name',
      [...path, 'name'],
      `"${recordFunctionName}" is the function that takes slots; it is offered by itself.`,
      {
        hint: 'Choose another name.',
      },
    );
  if (source.transitionOnly === true) {
    for (const key of ['handler', 'run', 'parameters', 'effect', 'saveAs', 'confirm'] as const) {
      if (source[key] === undefined) continue;
      conflict(key, `function "${source.name}" is transition_only and cannot have "${key}".`, 'Remove one of the two.');
    }
    if (typeof source.transitionTo !== 'string')
      addProblem(
        report,
        'error',
        'missing-target',
        [...path, 'transitionOnly'],
        `function "${source.name}" is transition_only but names no node.`,
        {
          hint: 'Add transition_to.',
          atKey: true,
        },
      );
  }
  if (source.digression === true && source.transitionTo === undefined && source.transitionCallback === undefined)
    addProblem(
      report,
      'error',
      'missing-target',
      [...path, 'digression'],
      `function "${source.name}" is a digression but leads nowhere.`,
      {
        hint: 'Add transition_to.',
        atKey: true,
      },
    );
}

function hintFor(name: string, names: Iterable<string>): { hint?: string } {
  const hint = suggestion(name, names);
  return hint === undefined ? {} : { hint };
}
