import { contextStrategyNames } from '../../flow/document/context/context-strategies.ts';
import type { DocumentPath, Problem } from '../../flow/document/problems/diagnostic.ts';
import { isFlowConfig } from './flow-config.ts';
import { dropVoiceField, toFunctions, toHandler } from '../function-shapes.ts';
import { toMessages } from './messages.ts';
import { createOrigins } from '../origins.ts';
import { isRecord, rewriteItems, rewriteMembers, type Change, type Findings } from './rewrite.ts';
import { withMovesByName } from '../moves-by-name.ts';
import { isVoiceField } from './voice-fields.ts';

/** A document in our own shape, whatever format it was written in. */
export interface Imported {
  /** The document. Parts that needed no change are shared with the input, up to the whole document. */
  readonly value: unknown;
  /** The format that the document seems to have: `roomflow` if nothing distinguishes it from our own format. */
  readonly format: 'roomflow' | 'pipecat-static' | 'pipecat-config';
  /** Parts that were ignored or cannot be read, at places of the input. */
  readonly problems: readonly Problem[];
  /** Returns the place in the input for a place in `value`. */
  readonly origin: (path: DocumentPath) => DocumentPath;
}

/**
 * Reads Pipecat's static JSON flows (OpenAI, Anthropic, Gemini and flat functions), its `FlowConfig`, and the short
 * forms of our own format, with keys in snake_case or camelCase. Any other value is returned unchanged.
 */
export function fromPipecat(raw: unknown): Imported {
  const origins = createOrigins();
  const isVoice = onceEach(isVoiceField);
  const findings: Findings = {
    problems: [],
    origins,
    formats: new Set(),
    isVoiceField: isVoice,
    isFlowConfig: isRecord(raw) && isFlowConfig(raw, isVoice),
  };
  const result = (value: unknown, format: Imported['format']): Imported => {
    return { value, format, problems: findings.problems, origin: origins.of };
  };
  // A task flow has no member in common with Pipecat's flows.
  if (!isRecord(raw) || (Object.hasOwn(raw, 'flow') && !hasInitialNode(raw))) return result(raw, 'roomflow');
  const value = toFlow(raw, findings);
  const { formats } = findings;
  if (formats.has('pipecat-static')) return result(withMovesByName(value), 'pipecat-static');
  return result(value, formats.has('pipecat-config') ? 'pipecat-config' : 'roomflow');
}

/** Reads one node that a function created at run time. A value that is not a node is returned unchanged. */
export function nodeFromPipecat(raw: unknown): Pick<Imported, 'value' | 'problems'> {
  const problems: Problem[] = [];
  const findings: Findings = {
    problems,
    origins: createOrigins(),
    formats: new Set(),
    isVoiceField,
    isFlowConfig: false,
  };
  return { value: toNode(withId(raw), [], findings), problems };
}

/** Pipecat identifies such a node by its `name`. */
function withId(raw: unknown): unknown {
  if (!isRecord(raw) || typeof raw['name'] !== 'string' || Object.hasOwn(raw, 'id')) return raw;
  const { name: id, ...node } = raw;
  return { id, ...node };
}

interface Field {
  readonly convert: (value: unknown, path: DocumentPath, findings: Findings) => unknown;
  /** The key in our format, if it is different. */
  readonly key?: string;
  readonly format?: 'pipecat-static' | 'pipecat-config';
  /** Whether this one is used if the key of our format is given too. */
  readonly wins?: boolean;
}

const MESSAGES: readonly (readonly [string, Field])[] = [
  ['role_messages', { convert: toMessages }],
  ['roleMessages', { convert: toMessages }],
  // If both are given, Pipecat uses the text: its list is the older form.
  ['role_message', { convert: toMessages, key: 'role_messages', format: 'pipecat-config', wins: true }],
  ['roleMessage', { convert: toMessages, key: 'roleMessages', format: 'pipecat-config', wins: true }],
];

const FLOW_FIELDS: ReadonlyMap<string, Field> = new Map([
  ...MESSAGES,
  ['functions', { convert: toFunctionList }],
  ['global_functions', { convert: toFunctionList, key: 'functions', format: 'pipecat-config' }],
  ['globalFunctions', { convert: toFunctionList, key: 'functions', format: 'pipecat-config' }],
]);

const NODE_FIELDS: ReadonlyMap<string, Field> = new Map([
  ...MESSAGES,
  ['task_messages', { convert: toMessages }],
  ['taskMessages', { convert: toMessages }],
  ['task_message', { convert: toMessages, key: 'task_messages' }],
  ['taskMessage', { convert: toMessages, key: 'taskMessages' }],
  // The oldest static flows have only one list of messages.
  ['messages', { convert: toMessages, key: 'task_messages', format: 'pipecat-static' }],
  ['functions', { convert: toFunctionList }],
  ['pre_actions', { convert: toActions }],
  ['preActions', { convert: toActions }],
  ['post_actions', { convert: toActions }],
  ['postActions', { convert: toActions }],
  ['context_strategy', { convert: toStrategy }],
  ['contextStrategy', { convert: toStrategy }],
]);

function toFlow(raw: Readonly<Record<string, unknown>>, findings: Findings): unknown {
  return rewriteMembers(raw, [], findings, (key, value) => {
    if (key !== 'nodes') return toField(key, value, FLOW_FIELDS, [], findings);
    const nodes = toNodes(value, findings);
    return nodes === value ? undefined : { value: nodes };
  });
}

function toNodes(nodes: unknown, findings: Findings): unknown {
  if (Array.isArray(nodes)) return rewriteItems(nodes, (node, index) => toNode(node, ['nodes', index], findings));
  if (!isRecord(nodes)) return nodes;
  return rewriteMembers(nodes, ['nodes'], findings, (id, node) => {
    const changed = toNode(node, ['nodes', id], findings);
    return changed === node ? undefined : { value: changed };
  });
}

function toNode(node: unknown, path: DocumentPath, findings: Findings): unknown {
  if (!isRecord(node)) return node;
  return rewriteMembers(node, path, findings, (key, value) => toField(key, value, NODE_FIELDS, path, findings));
}

function toField(
  key: string,
  value: unknown,
  fields: ReadonlyMap<string, Field>,
  parent: DocumentPath,
  findings: Findings,
): Change {
  const field = fields.get(key);
  if (value === null && absentAsNull.has(key)) return 'drop';
  if (field === undefined) return findings.isVoiceField(key) ? dropVoiceField([...parent, key], findings) : undefined;
  // Python writes absent values as null.
  if (value === null) return 'drop';
  if (field.format !== undefined) findings.formats.add(field.format);
  const { key: target, wins = false } = field;
  if (target !== undefined) return { key: target, wins, valueAt: (path) => field.convert(value, path, findings) };
  const changed = field.convert(value, [...parent, key], findings);
  return changed === value ? undefined : { value: changed };
}

/** Members that pydantic writes as null if they are absent. An empty text of a node is still reported to the author. */
const absentAsNull: ReadonlySet<string> = new Set([
  'id',
  'name',
  'description',
  'default_transition',
  'defaultTransition',
  'respond_immediately',
  'respondImmediately',
  'summary_prompt',
]);

function toFunctionList(value: unknown, path: DocumentPath, findings: Findings): unknown {
  return Array.isArray(value) ? toFunctions(value, path, findings) : value;
}

function toActions(value: unknown, path: DocumentPath, findings: Findings): unknown {
  if (!Array.isArray(value)) return value;
  return rewriteItems(value, (action, index) =>
    isRecord(action)
      ? rewriteMembers(action, [...path, index], findings, (key, member) =>
          key === 'handler' ? toHandler(member, findings) : undefined,
        )
      : action,
  );
}

const STRATEGIES: ReadonlySet<string> = new Set(contextStrategyNames);

function toStrategy(value: unknown, path: DocumentPath, findings: Findings): unknown {
  if (typeof value === 'string') return STRATEGIES.has(value.toLowerCase()) ? value.toLowerCase() : value;
  if (!isRecord(value)) return value;
  return rewriteMembers(value, path, findings, (key, member) => {
    if (member === null) return 'drop';
    if (key !== 'strategy') return undefined;
    const strategy = typeof member === 'string' ? toStrategy(member, path, findings) : member;
    return strategy === member ? undefined : { value: strategy };
  });
}

/** Caches the answers: thousands of nodes share a few keys. */
function onceEach(question: (key: string) => boolean): (key: string) => boolean {
  const answers = new Map<string, boolean>();
  return (key) => {
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, (answer = question(key)));
    return answer;
  };
}

function hasInitialNode(raw: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(raw, 'initial_node') || Object.hasOwn(raw, 'initialNode');
}
