import type { DocumentPath, Problem } from '../flow/document/problems/diagnostic.ts';
import { isRecord, rewriteMembers, type Change, type Findings, type Members } from './pipecat/rewrite.ts';

/**
 * Converts a list of functions in any provider's shape to plain functions: OpenAI's `{ type, function }`, Anthropic's
 * `input_schema`, Gemini's `function_declarations` (several in one item), and flat `properties`.
 */
export function toFunctions(list: readonly unknown[], path: DocumentPath, findings: Findings): readonly unknown[] {
  const functions: unknown[] = [];
  let isChanged = false;
  for (const [index, item] of list.entries()) {
    const unwrapped = isRecord(item) ? unwrap(item) : undefined;
    if (unwrapped === undefined) {
      const output = [...path, functions.length];
      if (functions.length !== index) findings.origins.moved(output, [...findings.origins.of(path), index]);
      const plain = isRecord(item) ? toFunction(item, output, findings) : item;
      isChanged ||= plain !== item;
      functions.push(plain);
      continue;
    }
    isChanged = true;
    findings.formats.add('pipecat-static');
    const input = [...findings.origins.of(path), index];
    for (const key of unwrapped.ignored) findings.problems.push(providerField([...input, key]));
    for (const { members, inside } of unwrapped.functions) {
      const output = [...path, functions.length];
      findings.origins.moved(output, [...input, ...inside]);
      for (const key of unwrapped.beside) findings.origins.moved([...output, key], [...input, key]);
      functions.push(isRecord(members) ? toFunction(members, output, findings) : members);
    }
  }
  return isChanged ? functions : list;
}

interface Unwrapped {
  readonly functions: readonly { readonly members: unknown; readonly inside: DocumentPath }[];
  /** Members of the function that were next to the wrapper, not inside it. */
  readonly beside: readonly string[];
  readonly ignored: readonly string[];
}

function unwrap(item: Members): Unwrapped | undefined {
  for (const key of ['function_declarations', 'functionDeclarations']) {
    const declarations = ownMember(item, key);
    if (!Array.isArray(declarations)) continue;
    const functions = declarations.map((members: unknown, index) => ({ members, inside: [key, index] }));
    return { functions, beside: [], ignored: Object.keys(item).filter((other) => other !== key) };
  }
  const inner = ownMember(item, 'function');
  if (!isRecord(inner)) return undefined;
  const beside = Object.keys(item).filter((key) => key !== 'type' && key !== 'function' && !Object.hasOwn(inner, key));
  const outer = beside.map((key) => [key, item[key]] as const);
  const members = beside.length === 0 ? inner : Object.fromEntries([...Object.entries(inner), ...outer]);
  return { functions: [{ members, inside: ['function'] }], beside, ignored: [] };
}

function toFunction(members: Members, path: DocumentPath, findings: Findings): unknown {
  const plain = rewriteFunction(members, path, findings);
  const { name } = plain;
  const isMove = members['transition_only'] === true || Object.hasOwn(plain, 'description');
  if (!findings.isFlowConfig || isMove || typeof name !== 'string') return plain;
  findings.formats.add('pipecat-config');
  findings.origins.made([...path, 'handler'], findings.origins.of([...path, 'name']));
  return { ...plain, handler: name };
}

function rewriteFunction(members: Members, path: DocumentPath, findings: Findings): Members {
  const { origins, formats, problems } = findings;
  const isFlat = isRecord(ownMember(members, 'properties'));
  return rewriteMembers(members, path, findings, (key, value): Change => {
    if (value === null && absentAsNull.has(key)) return 'drop';
    switch (key) {
      case 'type':
        return value === 'function' || value === 'custom' ? 'drop' : undefined;
      case 'strict':
      case 'cache_control':
        problems.push(providerField(origins.of([...path, key])));
        return 'drop';
      case 'input_schema':
      case 'inputSchema':
        formats.add('pipecat-static');
        return { key: 'parameters', valueAt: () => value };
      case 'properties': {
        if (!isFlat) return undefined;
        formats.add('pipecat-static');
        return {
          key: 'parameters',
          valueAt: (target) => {
            const input = origins.of(target);
            origins.made(target, input);
            origins.moved([...target, key], input);
            const required = ownMember(members, 'required');
            if (required === undefined) return { type: 'object', properties: value };
            origins.moved([...target, 'required'], origins.of([...path, 'required']));
            return { type: 'object', properties: value, required };
          },
        };
      }
      case 'required':
        return isFlat ? 'drop' : undefined;
      case 'handler':
      case 'transition_callback':
      case 'transitionCallback':
        return toHandler(value, findings);
      case 'transition_to':
      case 'transitionTo':
        return toTarget(value, [...path, key], findings);
      case 'transition_only':
      case 'transitionOnly':
        formats.add('pipecat-config');
        return undefined;
      default:
        return findings.isVoiceField(key) ? dropVoiceField([...path, key], findings) : undefined;
    }
  });
}

/** Members that pydantic writes as null if they are absent. */
const absentAsNull: ReadonlySet<string> = new Set(
  'description parameters transition_only transitionOnly cancel_on_interruption cancelOnInterruption timeout_secs'.split(
    ' ',
  ),
);

/** A handler's name without Pipecat's `__function__:`. null means none. */
export function toHandler(value: unknown, { formats }: Findings): Change {
  if (value === null) return 'drop';
  if (typeof value !== 'string' || !value.startsWith(HANDLER_PREFIX)) return undefined;
  formats.add('pipecat-static');
  return { value: value.slice(HANDLER_PREFIX.length) };
}

/** Removes the field of the voice pipeline at `path` of the result, and reports it. */
export function dropVoiceField(path: DocumentPath, { problems, origins }: Findings): 'drop' {
  problems.push(ignored(origins.of(path), 'is about voice or audio', 'Set it on the AgentSession, or remove it.'));
  return 'drop';
}

const HANDLER_PREFIX = '__function__:';

function toTarget(value: unknown, path: DocumentPath, findings: Findings): Change {
  if (value === null) return 'drop';
  if (!isRecord(value)) return undefined;
  const branch = rewriteMembers(value, path, findings, (key, member) =>
    key === 'default' && member === null ? 'drop' : undefined,
  );
  return branch === value ? undefined : { value: branch };
}

function providerField(input: DocumentPath): Problem {
  return ignored(input, 'is a setting of one provider’s API', 'Remove it.');
}

function ignored(path: DocumentPath, fact: string, hint: string): Problem {
  const message = `"${path.at(-1)}" ${fact} and is ignored.`;
  return { code: 'ignored-field', severity: 'note', message, hint, path, atKey: true };
}

function ownMember(members: Members, key: string): unknown {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}
