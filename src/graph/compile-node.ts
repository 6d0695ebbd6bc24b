import type { Json } from '../events/json.ts';
import type { ActionDocument } from '../flow/action.ts';
import type { DocumentPath } from '../flow/diagnostic.ts';
import type { Message } from '../flow/message.ts';
import type { NodeDocument } from '../flow/node.ts';
import { normalizeSpelling } from '../flow/spelling.ts';
import { suggestion } from '../flow/suggestion.ts';
import type { Catalog } from './catalog.ts';
import { compileFunction } from './compile-function.ts';
import { type Registered, reportUnregistered } from './registered.ts';
import type {
  ContextRule,
  GraphAction,
  GraphEdge,
  GraphFunction,
  GraphNode,
  GraphTask,
  Prompt,
  Trouble,
} from './graph.ts';
import type { NodeType } from './node-type.ts';
import { bindingAt, readerAt, type Report, tell, templateAt } from './report.ts';

const nothing: readonly never[] = Object.freeze([]);
const appendRule: ContextRule = Object.freeze({ strategy: 'append', summaryPrompt: '' });
const noTrouble: Trouble = Object.freeze({ onError: null, fallback: null, filler: null, replyTimeoutMs: null });

/** What a summary is asked for by when the author gave no prompt. */
const defaultSummaryPrompt =
  'Summarise the conversation so far in a few sentences: what the caller wants, every fact they gave, what was agreed.';

/** Resolves one node; `edges` are those that leave it, in the document's order. */
export function compileNode(
  report: Report,
  id: string,
  source: NodeDocument,
  path: DocumentPath,
  options: Registered & { readonly catalog: Catalog; readonly edges: readonly GraphEdge[] },
): GraphNode {
  return {
    id,
    persona:
      source.roleMessages === undefined ? null : promptsOf(report, source.roleMessages, [...path, 'roleMessages']),
    messages: promptsOf(report, source.taskMessages, [...path, 'taskMessages']),
    say: source.say === undefined ? null : templateAt(report, source.say, [...path, 'say']),
    functions: functionsOf(report, source.functions, [...path, 'functions'], options),
    collect: source.collect ?? nothing,
    edges: options.edges,
    defaultTransition: source.defaultTransition ?? null,
    end: source.end === undefined || source.end === false ? null : source.end === true ? 'completed' : source.end,
    respondImmediately: source.respondImmediately ?? true,
    context: contextOf(source),
    preActions: actionsOf(report, source.preActions, [...path, 'preActions'], options),
    postActions: actionsOf(report, source.postActions, [...path, 'postActions'], options),
    task: taskOf(report, id, source, path, options.catalog),
    trouble: troubleOf(report, source, path),
  };
}

/** Resolves functions and reports a name that is offered twice. */
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
      tell(report, 'error', 'duplicate-function', [...at, 'name'], `function "${source.name}" is offered twice here.`, {
        hint: 'Rename or remove one.',
      });
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
    content: templateAt(report, message.content, [...path, index, 'content']),
  }));
}

export function troubleOf(
  report: Report,
  source: Pick<NodeDocument, 'onError' | 'fallback' | 'filler' | 'replyTimeoutMs'>,
  path: DocumentPath,
): Trouble {
  const { onError, fallback, filler, replyTimeoutMs } = source;
  if (onError === undefined && fallback === undefined && filler === undefined && replyTimeoutMs === undefined)
    return noTrouble;
  return {
    onError: onError ?? null,
    fallback: fallback === undefined ? null : templateAt(report, fallback, [...path, 'fallback']),
    filler: filler === undefined ? null : templateAt(report, filler, [...path, 'filler']),
    replyTimeoutMs: replyTimeoutMs ?? null,
  };
}

function contextOf(source: NodeDocument): ContextRule {
  const rule = source.contextStrategy;
  if (rule === undefined || rule === 'append') return appendRule;
  if (typeof rule === 'string') return { strategy: rule, summaryPrompt: defaultSummaryPrompt };
  return { strategy: rule.strategy, summaryPrompt: rule.summaryPrompt ?? defaultSummaryPrompt };
}

/** Actions that need no handler of the author's. */
const spokenActions: ReadonlySet<string> = new Set(['tts_say', 'end_conversation']);

function actionsOf(
  report: Report,
  actions: readonly ActionDocument[] | undefined,
  path: DocumentPath,
  registered: Registered,
): readonly GraphAction[] {
  if (actions === undefined || actions.length === 0) return nothing;
  return actions.map((action, index) => {
    const at = [...path, index];
    if (action.type === 'tts_say' && action.text === undefined)
      tell(report, 'error', 'incomplete-action', at, 'a tts_say action needs a text.', { hint: 'Add text: …' });
    if (action.type === 'function' && action.handler === undefined)
      tell(report, 'error', 'incomplete-action', at, 'a function action needs a handler.', { hint: 'Add handler: …' });
    const { type, text, handler, ...data } = action;
    if (!spokenActions.has(type) && (type !== 'function' || handler !== undefined)) {
      const place = [...at, handler === undefined ? 'type' : 'handler'];
      reportUnregistered(report, 'handler', handler ?? type, place, registered);
    }
    return {
      type,
      text: text === undefined ? null : templateAt(report, text, [...at, 'text']),
      handler: handler ?? null,
      data: bindingAt(report, data, at),
    };
  });
}

function taskOf(
  report: Report,
  id: string,
  source: NodeDocument,
  path: DocumentPath,
  catalog: Catalog,
): GraphTask | null {
  if (source.type === undefined) {
    for (const key of ['input', 'config'] as const) {
      if (source[key] !== undefined)
        tell(report, 'error', 'conflicting-keys', [...path, key], `node "${id}" has "${key}" but no type.`, {
          hint: 'Add the type of the catalog node, or remove it.',
          atKey: true,
        });
    }
    return null;
  }
  const type = catalog.get(source.type);
  if (type === undefined) {
    tell(report, 'error', 'unknown-node-type', [...path, 'type'], `no node type is called "${source.type}".`, {
      hint: suggestion(source.type, catalog.keys()) ?? `Known: ${[...catalog.keys()].slice(0, 12).join(', ')}.`,
    });
    return null;
  }
  for (const key of conversationKeys) {
    if (source[key] !== undefined)
      tell(
        report,
        'error',
        'conflicting-keys',
        [...path, key],
        `node "${id}" is a ${type.name}; it does not talk, so "${key}" means nothing.`,
        {
          hint: 'Move it to a node of its own.',
          atKey: true,
        },
      );
  }
  const spelled = normalizeSpelling(type.input, source.input ?? {});
  for (const problem of spelled.problems)
    report.problems.push({ ...problem, path: [...path, 'input', ...problem.path] });
  const input = spelled.value as Record<string, unknown>; // Renaming keys leaves a map a map.
  reportInput(report, type, input, [...path, 'input']);
  // Input and config come from the document, which is JSON by the loader's contract.
  const isLiteral = ([key]: readonly [string, unknown]): boolean => type.literal?.includes(key) === true;
  const entries = Object.entries(input);
  return {
    type,
    input: bindingAt(report, Object.fromEntries(entries.filter((entry) => !isLiteral(entry))), [...path, 'input']),
    literal: Object.fromEntries(entries.filter(isLiteral)),
    config: (source.config ?? {}) as Record<string, Json>,
  };
}

const conversationKeys = [
  'say',
  'collect',
  'functions',
  'taskMessages',
  'roleMessages',
  'promptFile',
  'respondImmediately',
  'end',
] as const satisfies readonly (keyof NodeDocument)[];

/** Checks an input against its type's schema, as far as it is not bound at run time, and the names that it reads. */
function reportInput(report: Report, type: NodeType, input: Record<string, unknown>, path: DocumentPath): void {
  const parsed = type.input.safeParse(input);
  if (parsed.success) {
    for (const reader of type.reads?.(parsed.data) ?? []) readerAt(report, reader, [...path, ...reader.at]);
    return;
  }
  for (const issue of parsed.error.issues) {
    const at = issue.path.filter((segment) => typeof segment !== 'symbol');
    if (isBound(input, at)) continue;
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    tell(report, 'error', 'invalid-node-input', [...path, ...at, ...keys.slice(0, 1)], issue.message, {
      ...(keys.length > 0 ? { atKey: true } : {}),
    });
  }
}

/** Whether the value at the path, or one it lies in, is filled in by a template when the node runs. */
function isBound(input: unknown, path: readonly (string | number)[]): boolean {
  let value = input;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) break;
    value = (value as Record<string | number, unknown>)[segment]; // Document data: plain, own and without accessors.
  }
  return typeof value === 'string' && value.includes('{{');
}
