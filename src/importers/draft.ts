import type { DocumentPath } from '../flow/document/problems/diagnostic.ts';
import type {
  DraftEdge,
  DraftFunction,
  DraftLadder,
  DraftMessage,
  DraftNode,
  DraftSlot,
  DraftWhen,
} from './draft-node.ts';
import { createNotes, type ImportNote, type Notes } from './notes.ts';
import { isRecord } from './pipecat/rewrite.ts';
import type { SourcePlace } from './source.ts';
import { reachable, shortcuts } from './tidy.ts';
import type { ToolStub } from './tool-stub.ts';
import { createUnique, functionNameOf, reservedFunctions, type Unique, wordOf } from './words.ts';

/** A document of ours while an importer writes it. */
export interface Draft {
  readonly notes: Notes;
  /** Settings of the whole flow. The importer fills them in. */
  readonly root: DraftRoot;
  /** Returns a free id for a node, made of the first text that has a word. */
  id(...texts: readonly (string | undefined)[]): string;
  /** Adds a node under its own id. */
  node(id: string, node: DraftNode, place: SourcePlace): void;
  edge(from: string, to: string, when?: DraftWhen): void;
  /**
   * Returns our name for a foreign name. `read` records that a text or condition reads it, `parts` that it has parts.
   */
  name(theirs: string, use: 'read' | 'set' | 'parts'): string;
  /** Makes two foreign names one name of ours. */
  same(theirs: string, other: string): void;
  /** Adds to a node that already exists. */
  amend(id: string, change: (node: DraftNode) => DraftNode): void;
  /** Returns a free name for a function of the flow. */
  functionName(base: string): string;
  /** Gives a name its first value: a name that is only read becomes an input, a name that is set becomes a variable. */
  first(name: string, value: unknown): void;
  slot(name: string, slot: DraftSlot): void;
  /** Changes a slot that was declared. */
  amendSlot(name: string, change: (slot: DraftSlot) => DraftSlot): void;
  /** Records code that has to be written. Of two tools with one name, the first is used if they are the same. */
  tool(stub: ToolStub): string;
  /** Keeps a node in the document even if nothing leads to it. */
  keep(id: string): void;
  /**
   * Returns the document, with keys in snake_case, and where its parts come from. `tidy` removes nodes that nothing
   * leads to and nodes that only lead to another one. It gives what was made of a foreign part the name of that part.
   */
  finish(tidy?: boolean): Drafted;
}

export interface DraftRoot {
  name?: string;
  description?: string;
  language?: string;
  languages?: readonly string[];
  initial?: string;
  role_messages?: readonly DraftMessage[];
  ladder?: DraftLadder;
  on_error?: string;
  on_trouble?: string;
  readonly functions: DraftFunction[];
}

/** The result of an importer. */
export interface Drafted {
  readonly document: Readonly<Record<string, unknown>>;
  readonly notes: readonly ImportNote[];
  readonly tools: readonly ToolStub[];
  /** Returns where a part of the document comes from: the whole source if the place is not known. */
  readonly origin: (path: DocumentPath) => SourcePlace;
}

export function createDraft(file: string): Draft {
  const notes = createNotes();
  const root: DraftRoot = { functions: [] };
  const ids: Unique = createUnique(['$return']);
  const nodes = new Map<string, DraftNode>();
  const places = new Map<string, SourcePlace>();
  /** The order in which ids were given. Ids of one part of the source stay together. */
  const made = new Map<string, number>();
  const edges: DraftEdge[] = [];
  const names = new Map<string, string>();
  const own = createUnique(['args', 'attempts', 'now', 'today', 'value', 'weekday', 'question', 'item', 'index']);
  const uses = new Map<string, Set<'read' | 'set' | 'parts'>>();
  const firsts = new Map<string, unknown>();
  const slots = new Map<string, DraftSlot>();
  const tools = new Map<string, ToolStub>();
  const kept = new Set<string>();
  const functionNames = createUnique(reservedFunctions);
  return {
    notes,
    root,
    id(...texts) {
      const word = texts.map((text) => wordOf(text ?? '')).find((each) => each !== '') ?? 'node';
      const id = ids.next(word);
      made.set(id, made.size);
      return id;
    },
    node(id, node, place) {
      nodes.set(id, node);
      places.set(id, place);
      if (!made.has(id)) made.set(id, made.size);
    },
    edge(from, to, when) {
      edges.push({ from, to, ...(when === undefined ? {} : { when }) });
    },
    name(theirs, use) {
      let ours = names.get(theirs);
      if (ours === undefined) {
        const plain = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(theirs) ? theirs : wordOf(theirs);
        names.set(theirs, (ours = own.next(plain === '' ? 'value_of_nothing' : plain)));
      }
      const known = uses.get(ours);
      if (known === undefined) uses.set(ours, new Set([use]));
      else known.add(use);
      return ours;
    },
    same(theirs, other) {
      const ours = names.get(other);
      if (ours !== undefined && !names.has(theirs)) names.set(theirs, ours);
    },
    amend(id, change) {
      const node = nodes.get(id);
      if (node !== undefined) nodes.set(id, change(node));
    },
    functionName: (base) => functionNames.next(functionNameOf(base)),
    first: (name, value) => void firsts.set(name, value),
    slot(name, slot) {
      slots.set(name, slot);
    },
    amendSlot(name, change) {
      const slot = slots.get(name);
      if (slot !== undefined) slots.set(name, change(slot));
    },
    tool(stub) {
      const base = functionNameOf(stub.name);
      for (let count = 1; ; count += 1) {
        const name = count === 1 ? base : `${base}_${count}`;
        const known = tools.get(name);
        const named = { ...stub, name };
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named)) continue;
        tools.set(name, named);
        return name;
      }
    },
    keep: (id) => void kept.add(id),
    finish(tidy = false) {
      const renames = new Map<string, string>();
      if (tidy) {
        const parts = { initial: root.initial, nodes, edges, functions: root.functions };
        const isDerived = (id: string, of: string): boolean =>
          id.startsWith(`${of}_`) && places.get(id) !== undefined && !kept.has(id);
        for (const [id, to] of shortcuts(parts, isDerived)) renames.set(id, to);
        const stays = reachable(parts, kept);
        for (const [id, node] of [...nodes]) {
          const isShort = node.type === 'control.noop' && renames.has(id) && nodes.has(id) && !isRenamedTo(renames, id);
          if (isShort || !stays.has(id)) nodes.delete(id);
        }
        for (const edge of edges.splice(0)) if (nodes.has(edge.from)) edges.push(edge);
      }
      const fileOrder = new Map<string, number>();
      for (const [id, order] of made) {
        const own = places.get(id)?.file;
        if (own !== undefined && !fileOrder.has(own)) fileOrder.set(own, order);
      }
      const inOrder = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
        (fileOrder.get(places.get(one)?.file ?? '') ?? 0) - (fileOrder.get(places.get(other)?.file ?? '') ?? 0) ||
        byPlace(places.get(one), places.get(other)) ||
        (made.get(one) ?? 0) - (made.get(other) ?? 0);
      const declared = declarations(uses, firsts, slots);
      // The output of a catalog node has the name of the node, so no variable may have that name.
      const renamed = new Map(renames);
      for (const [id, { type }] of nodes)
        if (type !== undefined && (declared.names.has(id) || slots.has(id))) renamed.set(id, ids.next(`${id}_step`));
      const document = clean({
        name: root.name,
        description: root.description,
        language: root.language,
        languages: root.languages,
        initial_node: root.initial,
        role_messages: asText(root.role_messages),
        input: declared.input,
        state: declared.state,
        slots: Object.fromEntries(slots),
        ladder: root.ladder,
        on_error: root.on_error,
        on_trouble: root.on_trouble,
        functions: root.functions,
        nodes: Object.fromEntries([...nodes].toSorted(inOrder).map(([id, node]) => [id, shortened(node)])),
        edges,
      });
      const origin = ([section, key]: DocumentPath): SourcePlace => {
        if (section === 'edges') return places.get(edges[Number(key)]?.from ?? '') ?? { file, path: [] };
        if (section === 'nodes') return places.get(String(key)) ?? { file, path: [] };
        return { file, path: [] };
      };
      return {
        document: renamed.size === 0 ? document : withRenamed(document, renamed),
        notes: notes.list().map((note) => ({
          ...note,
          text: note.text.replaceAll(
            /\b(node|leads to|reached from|each of them) ([\p{L}\p{N}_]+)/gu,
            (_whole, word: string, id: string) => `${word} ${renamed.get(id) ?? id}`,
          ),
        })),
        tools: [...tools.values()],
        origin,
      };
    },
  };
}

function isRenamedTo(renames: ReadonlyMap<string, string>, id: string): boolean {
  // A node that is renamed to the name of a page stays, under that name.
  return [...renames].some(([from, to]) => from === id && id.startsWith(`${to}_`));
}

/** Compares two places in their source. A part that contains another one comes before it. */
function byPlace(one: SourcePlace | undefined, other: SourcePlace | undefined): number {
  if (one === undefined || other === undefined || one.file !== other.file) return 0;
  for (const [index, segment] of one.path.entries()) {
    const against = other.path[index];
    if (against === undefined) return 1;
    if (segment === against) continue;
    return typeof segment === 'number' && typeof against === 'number' ? segment - against : 0;
  }
  return one.path.length - other.path.length;
}

/** A single system message is written as a text. */
function asText(messages: readonly DraftMessage[] | undefined): string | readonly DraftMessage[] | undefined {
  const [only, ...others] = messages ?? [];
  if (only === undefined) return undefined;
  return others.length === 0 && only.role === 'system' ? only.content : messages;
}

function shortened(node: DraftNode): Readonly<Record<string, unknown>> {
  const keys: Record<string, unknown> = {};
  for (const key of nodeKeys) if (node[key] !== undefined) keys[key] = node[key];
  for (const key of ['role_messages', 'task_messages'] as const) {
    const text = asText(node[key]);
    if (text === undefined) delete keys[key];
    else keys[key] = text;
  }
  return keys;
}

/** The order of the keys of a node. */
const nodeKeys = [
  ...([
    'description',
    'type',
    'say',
    'listen',
    'role_messages',
    'task_messages',
    'collect',
    'call',
    'input',
    'functions',
    'transfer',
  ] as const),
  ...([
    'respond_immediately',
    'context_strategy',
    'pre_actions',
    'post_actions',
    'filler',
    'fallback',
    'ladder',
  ] as const),
  ...(['on_error', 'default_transition', 'end'] as const),
];

/** The inputs and variables of a document. A name that is set is a variable. A name that is only read is an input. */
function declarations(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
  firsts: ReadonlyMap<string, unknown>,
  slots: ReadonlyMap<string, DraftSlot>,
) {
  const input: Record<string, unknown> = {};
  const state: Record<string, unknown> = {};
  for (const name of new Set([...firsts.keys(), ...uses.keys()])) {
    if (slots.has(name)) continue;
    const first = firsts.get(name);
    const use = uses.get(name);
    if (use?.has('set') === true) state[name] = first ?? null;
    else if (first !== undefined && first !== null) input[name] = { type: typeOf(first), default: first };
    else input[name] = { type: use?.has('parts') === true ? 'object' : 'string', optional: true };
  }
  return { input, state, names: new Set([...Object.keys(input), ...Object.keys(state)]) };
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? typeof value : 'object';
}

/** Returns the members without those that are undefined or empty. */
function clean(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => {
      if (value === undefined) return false;
      return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
    }),
  );
}

/** The keys whose text names a node. */
const targets: ReadonlySet<string> = new Set([
  'initial_node',
  'from',
  'to',
  'transition_to',
  'default',
  'default_transition',
  'on_error',
  'on_trouble',
  'on_no_input',
  'on_no_match',
]);

/** Returns the document with new names for some of its nodes. */
function withRenamed(
  document: Readonly<Record<string, unknown>>,
  renamed: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const rename = (id: unknown): unknown => (typeof id === 'string' ? (renamed.get(id) ?? id) : id);
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return targets.has(key) ? rename(value) : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, ''));
    if (!isRecord(value)) return value;
    const inside = Object.entries(value).map(([name, member]): [string, unknown] => {
      if (key === 'cases') return [name, rename(member)];
      // The values in maps with author-defined keys do not name nodes.
      return [name, ownMaps.has(name) ? member : walk(member, name)];
    });
    if (key !== 'nodes') return Object.fromEntries(inside);
    return Object.fromEntries(inside.map(([name, member]) => [renamed.get(name) ?? name, member]));
  };
  return walk(document, '') as Readonly<Record<string, unknown>>; // A map stays a map.
}

const ownMaps: ReadonlySet<string> = new Set(['input', 'state', 'slots', 'parameters', 'when']);
