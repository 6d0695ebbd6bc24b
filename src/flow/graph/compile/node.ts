import type { ActionDocument } from '../../document/action.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { functionNameOf } from '../../document/function.ts';
import type { Message } from '../../document/message.ts';
import { collectedNames, type NodeDocument } from '../../document/node.ts';
import { snakeCase } from '../../document/problems/schema-shape.ts';
import { closestName } from '../../document/problems/suggestion.ts';
import { compileFunction } from './function.ts';
import { ladderOf, noLadder } from './ladder.ts';
import { type CompiledInterrupt, compileInterrupt, waitingType } from './interrupt.ts';
import { compileTransfer } from './transfers/transfer.ts';
import { bodyOf } from './task-part.ts';
import { compileTask } from './task.ts';
import type { DocumentTypes } from '../nodes/node-packs.ts';
import { type Registered, reportUnregistered } from './registered.ts';
import type {
  ContextRule,
  GraphAction,
  GraphEdge,
  GraphFunction,
  GraphNode,
  GraphNodeTask,
  Prompt,
  Trouble,
} from '../graph.ts';
import { bindingAt, type Report, addProblem } from '../report.ts';
import { promptAt, wordingsAt } from './text-in-language.ts';
import { namesOutside } from '../task-names.ts';

const noKeys: ReadonlyMap<string, string> = new Map();
const nothing: readonly never[] = Object.freeze([]);
const appendRule: ContextRule = Object.freeze({ strategy: 'append', summaryPrompt: '' });
export const noTrouble: Trouble = Object.freeze({
  onError: null,
  fallback: null,
  filler: null,
  replyTimeoutMs: null,
  ladder: noLadder,
});

/** The default prompt for a summary. */
const defaultSummaryPrompt =
  'Summarise the conversation so far in a few sentences: what the caller wants, every fact they gave, what was agreed.';

/** Compiles a node. `edges` are its outgoing edges in document order. */
export function compileNode(
  report: Report,
  id: string,
  source: NodeDocument,
  path: DocumentPath,
  options: Registered & { readonly types: DocumentTypes; readonly edges: readonly GraphEdge[] },
): GraphNode {
  const functions = functionsOf(report, source.functions, [...path, 'functions'], options);
  const waits = waitOf(report, source, path, options, functions);
  reportMisplaced(report, id, source, path, waits !== null);
  return {
    id,
    persona:
      source.roleMessages === undefined ? null : promptsOf(report, source.roleMessages, [...path, 'roleMessages']),
    messages: [...(waits?.messages ?? nothing), ...promptsOf(report, source.taskMessages, [...path, 'taskMessages'])],
    say: waits?.say ?? (source.say === undefined ? null : wordingsAt(report, source.say, [...path, 'say'])),
    listen: listenOf(report, id, source, path),
    functions: waits?.functions ?? functions,
    call: callOf(report, source, path),
    collect: source.collect === undefined ? nothing : collectedNames(source.collect),
    again: againOf(source),
    keys: source.keys === undefined ? noKeys : new Map(Object.entries(source.keys)),
    forget: source.forget ?? nothing,
    edges: options.edges,
    defaultTransition: source.defaultTransition ?? null,
    end: source.end === undefined || source.end === false ? null : source.end === true ? 'completed' : source.end,
    respondImmediately: source.respondImmediately ?? true,
    context: contextOf(source),
    preActions: actionsOf(report, source.preActions, [...path, 'preActions'], options),
    postActions: actionsOf(report, source.postActions, [...path, 'postActions'], options),
    task: waits === null ? taskOf(report, id, source, path, options) : null,
    interrupt: waits?.interrupt ?? null,
    trouble: troubleOf(report, source, path),
  };
}

/** Compiles the wait of a node for an outside event, or for the outcome of a transfer; null for other nodes. */
function waitOf(
  report: Report,
  source: NodeDocument,
  path: DocumentPath,
  options: Registered & { readonly types: DocumentTypes },
  functions: readonly GraphFunction[],
): CompiledInterrupt | null {
  const { transfer, type } = source;
  if (transfer !== undefined) return compileTransfer(report, { ...source, transfer }, path, functions, options);
  if (type === undefined || waitingType(source, options.types) === null) return null;
  return compileInterrupt(report, { ...source, type }, path, options, functions);
}

function againOf({ collect = [] }: NodeDocument): readonly string[] {
  return collect.flatMap((one) => (typeof one !== 'string' && one.again === true ? one.slot : []));
}

/** Reports a node with `listen: false` that asks something, or leads nowhere. */
function listenOf(report: Report, id: string, source: NodeDocument, path: DocumentPath): boolean | null {
  const { listen, type, collect, functions, call, end } = source;
  const asks = (collect ?? []).length > 0 || (functions ?? []).length > 0 || call !== undefined;
  const why = asks ? 'asks the caller something' : type !== undefined ? `is a ${type}` : 'ends the conversation';
  if (listen !== undefined && (asks || type !== undefined || (end !== undefined && end !== false)))
    addProblem(
      report,
      'error',
      'conflicting-keys',
      [...path, 'listen'],
      `node "${id}" ${why}: listen means nothing there.`,
      {
        hint: 'Remove it, or move the line to a separate node.',
        atKey: true,
      },
    );
  return listen ?? null;
}

/** Compiles functions and reports duplicate names. */
export function functionsOf(
  report: Report,
  sources: NodeDocument['functions'],
  path: DocumentPath,
  registered: Registered,
): readonly GraphFunction[] {
  if (sources === undefined || sources.length === 0) return nothing;
  const seen = new Set<string>();
  return sources.map((source, index) => {
    const at = [...path, index];
    if (seen.has(source.name))
      addProblem(
        report,
        'error',
        'duplicate-function',
        [...at, 'name'],
        `function "${source.name}" is offered twice here.`,
        {
          hint: 'Rename or remove one.',
        },
      );
    seen.add(source.name);
    return compileFunction(report, source, at, registered);
  });
}

export function promptsOf(
  report: Report,
  messages: readonly Message[] | undefined,
  path: DocumentPath,
): readonly Prompt[] {
  if (messages === undefined || messages.length === 0) return nothing;
  return messages.map((message, index) => ({
    role: message.role === 'developer' ? 'system' : message.role,
    content: promptAt(report, message.content, [...path, index, 'content']),
  }));
}

export function troubleOf(
  report: Report,
  source: Pick<NodeDocument, 'onError' | 'fallback' | 'filler' | 'replyTimeoutMs' | 'ladder'>,
  path: DocumentPath,
): Trouble {
  const { onError, fallback, filler, replyTimeoutMs, ladder } = source;
  if ([onError, fallback, filler, replyTimeoutMs, ladder].every((rule) => rule === undefined)) return noTrouble;
  return {
    onError: onError ?? null,
    fallback: fallback === undefined ? null : wordingsAt(report, fallback, [...path, 'fallback']),
    filler: filler === undefined ? null : wordingsAt(report, filler, [...path, 'filler']),
    replyTimeoutMs: replyTimeoutMs ?? null,
    ladder: ladderOf(report, ladder, [...path, 'ladder']),
  };
}

function contextOf(source: NodeDocument): ContextRule {
  const rule = source.contextStrategy ?? 'append';
  if (rule === 'append') return appendRule;
  const { strategy, summaryPrompt = defaultSummaryPrompt } = typeof rule === 'string' ? { strategy: rule } : rule;
  return { strategy, summaryPrompt };
}

/** Reports a missing text, at the misspelled key if there is one. */
function reportNoText(report: Report, action: ActionDocument, at: DocumentPath): void {
  const near = Object.keys(action).find((key) => key !== 'type' && closestName(key, ['text']) !== undefined);
  const fact = 'a tts_say action needs a text.';
  if (near === undefined) addProblem(report, 'error', 'incomplete-action', at, fact, { hint: 'Add text: …' });
  else
    addProblem(report, 'error', 'incomplete-action', [...at, near], fact, {
      hint: 'Did you mean "text"?',
      atKey: true,
    });
}

/** Returns the built-in action that a type probably means, if it has no known handler. */
function misspelt({ type, handler }: ActionDocument, { handlers }: Registered): string | undefined {
  if (spokenActions.has(type) || type === 'function' || handlers?.has(type) === true) return undefined;
  // An author's own action names a handler, or has its name.
  return closestName(type, handler === undefined ? [...spokenActions, 'function'] : ['function']);
}

/** Checks for keys of a telephone, pauses and names in braces. */
function hasKeys(keys: unknown): boolean {
  return typeof keys === 'string' && /^(?:[0-9*#A-Dw]|\{\{.*?\}\})+$/.test(keys);
}

/** Actions without a handler. */
const spokenActions: ReadonlySet<string> = new Set(['tts_say', 'send_keys', 'end_conversation']);

function actionsOf(
  report: Report,
  actions: readonly ActionDocument[] | undefined,
  path: DocumentPath,
  registered: Registered,
): readonly GraphAction[] {
  if (actions === undefined || actions.length === 0) return nothing;
  return actions.map((action, index) => {
    const at = [...path, index];
    if (action.type === 'tts_say' && action.text === undefined) reportNoText(report, action, at);
    if (action.type === 'send_keys' && !hasKeys(action.keys))
      addProblem(report, 'error', 'incomplete-action', at, 'a send_keys action needs keys: 0-9, *, #, A-D, w.', {
        hint: 'Add keys: "1w23#".',
      });
    if (action.type === 'function' && action.handler === undefined)
      addProblem(report, 'error', 'incomplete-action', at, 'a function action needs a handler.', {
        hint: 'Add handler: …',
      });
    const { type, text, handler, ...data } = action;
    const meant = misspelt(action, registered);
    if (meant !== undefined)
      addProblem(report, 'warning', 'misspelt-action', [...at, 'type'], `"${type}" is not a built-in action.`, {
        hint: `Did you mean "${meant}"? Otherwise register a handler of this name.`,
      });
    else if (!spokenActions.has(type) && (type !== 'function' || handler !== undefined)) {
      const place = [...at, handler === undefined ? 'type' : 'handler'];
      reportUnregistered(report, 'handler', handler ?? type, place, registered);
    }
    return {
      type,
      text: text === undefined ? null : wordingsAt(report, text, [...at, 'text']),
      handler: handler ?? null,
      data: bindingAt(report, data, at),
    };
  });
}

function callOf(report: Report, source: NodeDocument, path: DocumentPath): GraphNode['call'] {
  if (source.call === undefined || source.type !== undefined) return null;
  const input = Object.entries(source.input ?? {});
  return {
    function: functionNameOf(source.call),
    input: Object.fromEntries(input.map(([name, value]) => [name, bindingAt(report, value, [...path, 'input', name])])),
  };
}

/** Reports keys that do not apply to a node of this kind. */
function reportMisplaced(report: Report, id: string, source: NodeDocument, path: DocumentPath, waits: boolean): void {
  const { type, transfer } = source;
  const keys =
    transfer !== undefined
      ? misplacedInTransfers
      : waits
        ? misplacedInWaits
        : type === undefined
          ? catalogKeys
          : conversationKeys;
  for (const key of keys) {
    if (source[key] === undefined || (key === 'input' && source.call !== undefined)) continue;
    const name = snakeCase(key);
    const [fact, hint] =
      transfer !== undefined
        ? [
            `node "${id}" puts the caller through, so "${name}" means nothing.`,
            key === 'say' ? 'Write it under transfer.' : 'Move it to a separate node.',
          ]
        : type === undefined
          ? [`node "${id}" has "${name}" but no type.`, untypedHint(key)]
          : waits
            ? [`node "${id}" waits, so "${name}" means nothing.`, misplacedHint(key)]
            : [
                `node "${id}" is a ${type}; it does not talk, so "${name}" means nothing.`,
                'Move it to a separate node.',
              ];
    addProblem(report, 'error', 'conflicting-keys', [...path, key], fact, { hint, atKey: true });
  }
}

/** Many formats use `prompt` for the messages of a talking node. */
function untypedHint(key: string): string {
  return key === 'prompt'
    ? 'Write the instructions for the model under task_messages, or add the type of a catalog node.'
    : 'Add the type of the catalog node, or remove it.';
}

function misplacedHint(key: string): string {
  return key === 'say' ? 'Write it under input: the line belongs to the wait.' : 'Move it to a separate node.';
}

function taskOf(
  report: Report,
  id: string,
  source: NodeDocument,
  path: DocumentPath,
  { types, ...registered }: Registered & { readonly types: DocumentTypes },
): GraphNodeTask | null {
  const { type } = source;
  if (type === undefined) return null;
  const compiled = compileTask(report, { ...source, type }, path, types, registered);
  if (compiled === null) return null;
  const { task, prompt, policy, writes } = compiled;
  if ('run' in task.type && task.type.asksOutside?.(source.input ?? {}) === true)
    addProblem(
      report,
      'error',
      'invalid-node-input',
      [...path, 'input'],
      `the ${type} of a conversation asks its caller.`,
      {
        hint: 'Use interrupt.escalate to ask another person.',
      },
    );
  const body = bodyOf({ report, types, input: noInput, registered }, { id, source, path }, compiled, namesOutside);
  return { ...task, prompt, policy, writes, body };
}

const noInput = new Map<string, never>();

const misplacedInWaits = [
  ...(['say', 'call', 'collect', 'respondImmediately', 'end', 'config', 'prompt', 'effect', 'policy', 'body'] as const),
] as const satisfies readonly (keyof NodeDocument)[];

const misplacedInTransfers = [
  ...misplacedInWaits,
  ...(['type', 'input', 'output', 'listen'] as const),
] as const satisfies readonly (keyof NodeDocument)[];

const catalogKeys = [
  'input',
  'config',
  'prompt',
  'effect',
  'policy',
  'body',
  'output',
] as const satisfies readonly (keyof NodeDocument)[];

const conversationKeys = [
  'say',
  'call',
  'collect',
  'functions',
  'keys',
  'taskMessages',
  'roleMessages',
  'respondImmediately',
  'end',
  'ladder',
  'output',
] as const satisfies readonly (keyof NodeDocument)[];
