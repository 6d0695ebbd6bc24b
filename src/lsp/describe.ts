import type { SyntaxNode } from '../flow/load/yaml/syntax-tree.ts';
import type { Analysis } from './checker/analyses.ts';
import type { IndexedNode, Occurrence } from './index/flow-index.ts';
import { declarationsOf, occurrenceAt } from './index/names-at.ts';
import { placeAt } from './index/place-at.ts';
import { textUnder, valueUnder } from './index/schema-view.ts';
import type { AboutPart, TextAbout } from './text/text-about.ts';
import type { Texts } from './text/texts.ts';
import { pathTo } from './index/text-path.ts';

/** The maximum number of lines of a text, and of exits, that are shown. */
const mostLines = 8;
const mostWays = 12;

/** Describes a name or a key at an offset. `text` is the text of the file at `path`. */
export function describe(
  analysis: Analysis,
  flow: Analysis,
  path: string,
  text: string,
  offset: number,
  texts: Texts,
): TextAbout | null {
  const one = occurrenceAt(analysis.index, path, offset);
  if (one !== undefined) {
    const known = describeName(flow, one, texts);
    if (known !== undefined) return { ...known, from: one.start, to: one.end };
  }
  const way = pathTo(path, text, offset);
  const start = analysis.index.included.get(path);
  if (way === undefined || start === undefined) return null;
  const { steps, at, isKey, text: name } = way;
  const place = placeAt(analysis.schema, start, steps);
  const map = place.map;
  const described = isKey
    ? analysis.schema.keys(place.spot, map).find((key) => key.name === name || camel(key.name) === name)?.description
    : analysis.schema.words(place.spot).find(({ word }) => word === name)?.description;
  if (described === undefined || described === '') return null;
  return { ...known(name, '', [note(described)]), from: at.start, to: at.end };
}

type Known = Omit<TextAbout, 'from' | 'to'>;

/** Describes a name. Returns undefined if nothing is known about it. */
function describeName(analysis: Analysis, one: Occurrence, texts: Texts): Known | undefined {
  const { index, code, schema } = analysis;
  switch (one.kind) {
    case 'node': {
      const node = index.nodes.get(one.name);
      return node === undefined ? undefined : describeNode(analysis, node, texts);
    }
    case 'slot': {
      const slot = index.slots.get(one.name);
      return slot === undefined ? undefined : describeSlot(analysis, one.name, slot);
    }
    case 'function': {
      const declared = declarationsOf(index, one)[0];
      const map = index.functions.find(
        ({ name, inside }) => name === one.name && inside === (declared?.inside ?? null),
      )?.map;
      const tool = code.functions?.get(textUnder(map, 'handler') ?? one.name);
      const text = textUnder(map, 'description') ?? tool?.description ?? '';
      const kind = tool === undefined ? 'function' : 'function, registered in code';
      return known(one.name, kind, [{ is: 'text', text }, note(parametersLine(map, tool?.parameters['properties']))]);
    }
    case 'variable':
    case 'input': {
      const value = index.values.get(one.name);
      const declared = declarationsOf(index, one);
      const from = declared.map(({ inside }) => inside).find((inside) => inside !== null);
      if (value === undefined && declared.length === 0) return known(one.name, 'a name that nothing here declares', []);
      const type = textUnder(value?.node, 'type');
      return known(one.name, `${one.kind}${type === undefined ? '' : `, ${type}`}`, [
        { is: 'text', text: textUnder(value?.node, 'description') ?? '' },
        note(from === undefined ? '' : `Kept by a function of node \`${from}\`.`),
      ]);
    }
    case 'type': {
      const words = schema.outputs(one.name);
      const description = typeDescription(analysis, one.name);
      const fields = words.map(({ word }) => `\`${word}\``).join(', ');
      return known(one.name, 'node type', [note(description), note(fields === '' ? '' : `Its output has ${fields}.`)]);
    }
    case 'parameter':
    case 'handler':
    case 'flow':
      return known(one.name, one.kind === 'flow' ? 'task flow' : one.kind, []);
  }
}

function typeDescription({ schema }: Analysis, type: string): string {
  const root = schema.root(null);
  const nodes = schema.member(root, null, 'nodes').spot;
  const node = schema.member(nodes, null, 'any').spot;
  return schema.words(schema.member(node, null, 'type').spot).find(({ word }) => word === type)?.description ?? '';
}

function describeNode({ index }: Analysis, { id, type, map, scope }: IndexedNode, texts: Texts): Known {
  const parts: AboutPart[] = [
    { is: 'text', text: textUnder(map, 'description') ?? '' },
    { is: 'said', text: firstLines(wordsOf(valueUnder(map, 'say'))) },
    { is: 'prompt', text: firstLines(promptOf(index, map, texts)) },
  ];
  const collect = valueUnder(map, 'collect');
  if (collect?.kind === 'list')
    parts.push(
      note(`Asks for ${collect.items.map((item) => `\`${item.kind === 'scalar' ? item.text : '…'}\``).join(', ')}.`),
    );
  const call = textUnder(map, 'call');
  if (call !== undefined) parts.push(note(`Calls \`${call}\`.`));
  const end = valueUnder(map, 'end');
  if (end?.kind === 'scalar') parts.push(note(`Ends the conversation: \`${end.text}\`.`));
  if (scope === '') {
    const out = new Set(index.edges.filter(({ from }) => from === id).map(({ to }) => to));
    const into = new Set(index.edges.filter(({ to }) => to === id).map(({ from }) => from));
    if (out.size > 0) parts.push(note(`Leads to ${ways(out)}.`));
    if (into.size > 0) parts.push(note(`Reached from ${ways(into)}.`));
  }
  return known(id, type === null ? 'node' : `node, ${type}`, parts);
}

function ways(names: ReadonlySet<string>): string {
  const all = [...names].map((name) => `\`${name}\``);
  return all.length <= mostWays
    ? all.join(', ')
    : `${all.slice(0, mostWays).join(', ')} and ${all.length - mostWays} more`;
}

/** The first lines of the prompt of a node. */
function promptOf(index: Analysis['index'], map: SyntaxNode | null, texts: Texts): string {
  const file = textUnder(map, 'prompt_file');
  const named = file === undefined ? undefined : index.files.find(({ name }) => name === file);
  // A file elsewhere is not part of the flow, and is not read.
  const isPart = named !== undefined && index.included.has(named.target);
  const text = isPart ? texts.at(named.target)?.getText() : undefined;
  if (text !== undefined) return text;
  const messages = valueUnder(map, 'task_messages') ?? valueUnder(map, 'task_message');
  if (messages?.kind === 'list')
    return messages.items.map((item) => wordsOf(valueUnder(item, 'content')) || wordsOf(item)).join('\n');
  return wordsOf(messages) || (textUnder(map, 'prompt') ?? '');
}

function describeSlot({ index }: Analysis, name: string, slot: SyntaxNode): Known {
  const collected = [...index.nodes.values()].filter(({ map }) => {
    const collect = valueUnder(map, 'collect');
    return collect?.kind === 'list' && collect.items.some((item) => item.kind === 'scalar' && item.text === name);
  });
  const marks = ['pii', 'optional'].filter((key) => {
    const value = valueUnder(slot, key);
    return value?.kind === 'scalar' && value.value === true;
  });
  const ask = wordsOf(valueUnder(slot, 'ask'));
  return known(name, `slot, ${[textUnder(slot, 'type') ?? 'no type', ...marks].join(', ')}`, [
    { is: 'text', text: textUnder(slot, 'description') ?? '' },
    { is: 'said', text: firstLines(ask) },
    note(collected.length === 0 ? '' : `Asked for by ${collected.map(({ id }) => `\`${id}\``).join(', ')}.`),
  ]);
}

function parametersLine(map: SyntaxNode | undefined, declared: unknown): string {
  const properties = valueUnder(valueUnder(map, 'parameters'), 'properties');
  const names =
    properties?.kind === 'map'
      ? properties.pairs.map(({ key }) => key.text)
      : Object.keys(typeof declared === 'object' && declared !== null ? declared : {});
  return names.length === 0 ? '' : `Takes ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The words of a text: the first of several wordings, and those of the first language. */
function wordsOf(node: SyntaxNode | undefined): string {
  if (node?.kind === 'scalar') return node.text;
  if (node?.kind === 'list') return wordsOf(node.items[0]);
  return node?.kind === 'map' ? wordsOf(node.pairs[0]?.value) : '';
}

/** A description without empty paragraphs. */
function known(name: string, kind: string, parts: readonly AboutPart[]): Known {
  return { name, kind, parts: parts.filter(({ text }) => text !== '') };
}

function note(text: string): AboutPart {
  return { is: 'note', text };
}

function firstLines(text: string): string {
  const lines = text.trimEnd().split(/\r?\n/);
  return lines.length <= mostLines ? lines.join('\n') : `${lines.slice(0, mostLines).join('\n')}\n…`;
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
