import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import { createDraft, type Draft, type Drafted } from '../draft.ts';
import { fromPipecat } from './pipecat.ts';
import { isRecord, type Members } from './rewrite.ts';
import type { Source, SourcePlace } from '../source.ts';
import { plainText } from '../words.ts';

/** Converts a static flow or a `FlowConfig` of Pipecat to our spelling. */
export function importPipecat(root: Source): Drafted {
  const draft = createDraft(root.file);
  if (isRecord(root.value)) tellShapes(draft, root.value, root.file);
  return writePipecat(draft, root.value, (path) => ({ file: root.file, path }));
}

/**
 * Converts a value in the shape of Pipecat's static flows, which can be loaded without changes, to a document in our
 * spelling. `placeOf` returns the place in the foreign file for a place in the value. `draft` receives the notes and
 * the code to write.
 */
export function writePipecat(draft: Draft, value: unknown, placeOf: (path: DocumentPath) => SourcePlace): Drafted {
  const read = fromPipecat(value);
  for (const { message, path } of read.problems) draft.notes.lost(placeOf(path), message.replace(/\.$/, ''));
  const members = spelled(isRecord(read.value) ? read.value : {});
  const { nodes: given } = members;
  const entries = Array.isArray(given)
    ? given.map((node: unknown, index) => [index, idOf(node) ?? `node_${index + 1}`, node] as const)
    : Object.entries(isRecord(given) ? given : {}).map(([id, node]) => [id, id, node] as const);
  const keys = new Map<string, string | number>();
  const nodes: Record<string, unknown> = {};
  for (const [key, id, node] of entries) {
    const place = placeOf(read.origin(['nodes', key]));
    if (keys.has(id) || !isRecord(node)) {
      draft.notes.lost(place, keys.has(id) ? `a second node ${id}` : `node ${id} is not a map`);
      continue;
    }
    keys.set(id, key);
    nodes[id] = nodeOf(node, typeof key === 'number');
    const kinds = isRecord(nodes[id]) ? Object.keys(nodes[id]) : [];
    draft.notes.taken(place, `node ${id}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`);
  }
  const origin = ([section, key, ...rest]: DocumentPath): SourcePlace => {
    const own = section === 'nodes' ? keys.get(String(key)) : key;
    const path = [section, own, ...rest].filter((segment) => segment !== undefined);
    return placeOf(read.origin(path));
  };
  const initial = members['initial_node'];
  const begins = typeof initial === 'string' && keys.has(initial) ? initial : ([...keys.keys()][0] ?? 'start');
  if (begins !== initial)
    draft.notes.changed(placeOf([]), `initial_node names no node: the conversation begins in node ${begins}`);
  if (keys.size === 0) nodes[begins] = { end: 'no-way-on' };
  const functions = functionsOf(members['functions']);
  const { nodes: _nodes, functions: _functions, role_messages: role, ...rest } = members;
  const document: Members = {
    ...rest,
    initial_node: begins,
    ...(role === undefined ? {} : { role_messages: asText(role) }),
    ...(functions === undefined ? {} : { functions }),
    nodes,
  };
  if (functions !== undefined)
    draft.notes.taken(origin(['functions']), 'functions of the whole flow are offered in every node');
  tellCode(draft, document, origin);
  return {
    document: { ...document, ...declared(draft, document, origin) },
    notes: draft.notes.list(),
    tools: draft.finish().tools,
    origin,
  };
}

function idOf(node: unknown): string | undefined {
  const id = isRecord(node) ? (node['id'] ?? node['name']) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the same members with keys in snake_case. */
function spelled(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [snakeCase(key), value]));
}

function nodeOf(node: unknown, isListed: boolean): unknown {
  if (!isRecord(node)) return node;
  const { id, ...all } = spelled(node);
  const { name, ...others } = all;
  // In a list, a node without an id is identified by its own name.
  const members = isListed && id === undefined && typeof name === 'string' ? others : all;
  const kept = isListed || id === undefined ? members : { id, ...members };
  return Object.fromEntries(
    Object.entries(kept).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
      if (key === 'functions') {
        const functions = functionsOf(value);
        return functions === undefined ? [] : [[key, functions]];
      }
      if (key === 'role_messages' || key === 'task_messages') return [[key, asText(value)]];
      if (key === 'context_strategy' && isRecord(value)) return [[key, spelled(value)]];
      return [[key, value]];
    }),
  );
}

/** Returns the functions of a part, or undefined if it has none. */
function functionsOf(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  if (list.length === 0) return undefined;
  return list.map((item: unknown) => (isRecord(item) ? spelled(item) : item));
}

/** A single system message is written as a text. */
function asText(messages: unknown): unknown {
  if (!Array.isArray(messages) || messages.length !== 1) return messages;
  const only: unknown = messages[0];
  if (!isRecord(only) || Object.keys(only).length !== 2) return messages;
  return only['role'] === 'system' && typeof only['content'] === 'string' ? only['content'] : messages;
}

/** The parts of a document that may have functions and texts, each with its path. */
function partsOf(document: Members): readonly (readonly [path: DocumentPath, part: Members])[] {
  const nodes = isRecord(document['nodes']) ? document['nodes'] : {};
  return [
    [[], document],
    ...Object.entries(nodes).flatMap(([id, node]): readonly (readonly [DocumentPath, Members])[] =>
      isRecord(node) ? [[['nodes', id], node]] : [],
    ),
  ];
}

/** Records each handler as code to write. */
function tellCode(draft: Draft, document: Members, origin: (path: DocumentPath) => SourcePlace): void {
  for (const [path, part] of partsOf(document)) {
    for (const [index, one] of itemsOf(part['functions'])) {
      const at = origin([...path, 'functions', index]);
      const name = plainText(one['name']);
      const parameters = isRecord(one['parameters']) ? { parameters: one['parameters'] } : {};
      const description = plainText(one['description']);
      const isMove = one['transition_to'] !== undefined || one['transition_callback'] !== undefined;
      // A function that leads nowhere and names no handler is code with its own name.
      const handler = plainText(one['handler'] ?? (isMove || 'properties' in parameters ? '' : name));
      if (handler !== '' && !isWritten(draft, handler)) {
        draft.tool({ name: handler, description, ...parameters, effect: 'write', sets: {}, notes: [] });
        draft.notes.changed(
          at,
          'handlers are functions to write: as writes, since the file does not say which of them only look something up',
        );
      }
      const callback = plainText(one['transition_callback']);
      if (callback === '' || isWritten(draft, callback)) continue;
      const note = 'Decides where the flow goes: answers with the id of the next node.';
      draft.tool({ name: callback, description: note, effect: 'read', sets: {}, notes: [note] });
      draft.notes.changed(at, `transition_callback ${callback}: a function to write that answers with the next node`);
    }
    for (const key of ['pre_actions', 'post_actions'])
      for (const [index, action] of itemsOf(part[key])) {
        const handler = plainText(action['handler']);
        if (handler === '' || isWritten(draft, handler)) continue;
        draft.tool({ name: handler, description: '', effect: 'write', sets: {}, notes: [`An action (${key}).`] });
        draft.notes.changed(origin([...path, key, index]), `the action ${handler} is a function to write`);
      }
  }
}

function isWritten(draft: Draft, name: string): boolean {
  return draft.finish().tools.some((tool) => tool.name === name);
}

function itemsOf(list: unknown): readonly (readonly [number, Members])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index): readonly (readonly [number, Members])[] =>
    isRecord(item) ? [[index, item]] : [],
  );
}

/**
 * Declares names in double braces, which the bot's own code fills in. An argument of a function is kept. All other
 * names come from outside.
 */
function declared(draft: Draft, document: Members, origin: (path: DocumentPath) => SourcePlace): Members {
  const known = new Set(
    ['input', 'state', 'slots'].flatMap((key) => Object.keys(isRecord(document[key]) ? document[key] : {})),
  );
  const input: Record<string, unknown> = {};
  const state: Record<string, unknown> = {};
  const parts = partsOf(document);
  const arguments_ = new Set(
    parts.flatMap(([, part]) =>
      itemsOf(part['functions']).flatMap(([, { parameters }]) =>
        isRecord(parameters) && isRecord(parameters['properties']) ? Object.keys(parameters['properties']) : [],
      ),
    ),
  );
  for (const [path, part] of parts)
    for (const key of ['role_messages', 'task_messages', 'pre_actions', 'post_actions'])
      for (const [, name = ''] of JSON.stringify(part[key] ?? '').matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)/g)) {
        if (known.has(name)) continue;
        known.add(name);
        const isKept = arguments_.has(name);
        if (isKept) state[name] = null;
        else input[name] = { type: 'string', optional: true };
        draft.notes.changed(
          origin([...path, key]),
          `{{ ${name} }} is ${isKept ? 'a variable that a function keeps' : 'an input, which the start of a conversation gives'}`,
        );
      }
  const merged = (key: string, made: Members): Members =>
    Object.keys(made).length === 0 ? {} : { [key]: { ...(isRecord(document[key]) ? document[key] : {}), ...made } };
  return { ...merged('input', input), ...merged('state', state) };
}

/** Reports which Pipecat spelling the document had. */
function tellShapes(draft: Draft, root: Members, file: string): void {
  const addNote = (path: DocumentPath, text: string): void => draft.notes.changed({ file, path }, text);
  const listed = root['nodes'];
  const nodes = isRecord(listed) || Array.isArray(listed) ? Object.entries(listed) : [];
  const parts: readonly (readonly [DocumentPath, unknown])[] = [
    [[], root],
    ...nodes.map(([id, node]) => [['nodes', Array.isArray(listed) ? Number(id) : id], node] as const),
  ];
  for (const [path, part] of parts) {
    if (!isRecord(part)) continue;
    for (const [key, ours] of renamedKeys)
      if (part[key] !== undefined && part[key] !== null) addNote([...path, key], `${key} is ${ours}`);
    for (const list of ['functions', 'global_functions', 'globalFunctions'])
      for (const [index, one] of itemsOf(part[list])) {
        const shape = shapeOf(one);
        if (shape !== undefined) addNote([...path, list, index], `functions in ${shape} are written plainly`);
      }
  }
}

const renamedKeys: readonly (readonly [theirs: string, ours: string])[] = [
  ['messages', 'task_messages'],
  ['role_message', 'role_messages'],
  ['roleMessage', 'role_messages'],
  ['global_functions', 'functions of the flow'],
  ['globalFunctions', 'functions of the flow'],
];

function shapeOf(one: Members): string | undefined {
  if (isRecord(one['function'])) return 'the shape of OpenAI';
  if (one['function_declarations'] !== undefined || one['functionDeclarations'] !== undefined)
    return 'the shape of Gemini';
  if (one['input_schema'] !== undefined || one['inputSchema'] !== undefined) return 'the shape of Anthropic';
  return isRecord(one['properties']) ? 'the flat shape' : undefined;
}
