import { convertForeign, type ForeignProduct } from '../../src/importers/convert.ts';
import type { ForeignFile } from '../../src/importers/source.ts';

type Key = string | number;
type Path = readonly Key[];

/**
 * Returns the leaves of foreign documents that an import drops without a note. For such a leaf, the flow, its tools and
 * the report stay the same if its value changes or is absent, and no note reports the loss of a part around it.
 */
export function silentKeys(files: readonly ForeignFile[], from: ForeignProduct): readonly string[] {
  const { result, lost } = outcome(files, from);
  return files.flatMap((file, index) =>
    leavesOf(file.value).flatMap((path) => {
      const isLost = lost.some((one) => one.file === file.name && isPrefix(one.path, path));
      if (isLost || withoutMeaning.some((form) => form.test(path.join('.')))) return [];
      const isSeen = [undefined, ...othersThan(valueAt(file.value, path))].some((value) => {
        const changed = files.map((one, at) =>
          at === index ? { ...one, value: withValue(one.value, path, value) } : one,
        );
        return outcome(changed, from).result !== result;
      });
      return isSeen ? [] : [`${file.name}: ${path.join('.')}`];
    }),
  );
}

function outcome(files: readonly ForeignFile[], from: ForeignProduct) {
  const conversion = convertForeign(files, from);
  if (!conversion.ok) return { result: conversion.message, lost: [] };
  const { document, tools, notes } = conversion.drafted;
  // Similar lost parts share a note, with the place of the first.
  return {
    result: JSON.stringify([document, tools, notes.map(({ kind, text, more }) => [kind, text, more])]),
    lost: notes.filter(({ kind }) => kind === 'lost'),
  };
}

/** Keys without a meaning for a conversation, and keys whose only value the format itself defines. */
const withoutMeaning: readonly RegExp[] = [
  // Written by the editor or the server.
  /(?:^|\.)(?:\w*position|createdAt|updatedAt|(?:agent_|llm_|conversation_flow_|org|\$)?id|name|languageCode|version)(?:\.|$)/i,
  // One equation alone needs no operator.
  /transition_condition\.operator$/,
  // A schema of arguments is an object, and Retell names an edge of this kind like this.
  /(?:parameters|schema)\.type$/,
  /(?:else_edge|skip_response_edge|\.edge)\.transition_condition\.(?:type|prompt)$/,
  // The key beside it says the same: a number or an address, a tool of this file, the engine of the other part.
  /(?:transfer_destination|destinations\.\d+)\.type$|\.tool_type$|^response_engine\.type$/,
  // The editor of Pipecat derives edges from functions, and the node's end from its actions.
  /^edges\.\d+\.label$|^nodes\.\d+\.type$/,
  // Named in other notes: values of headers are secrets, phrases describe an intent, keys are words.
  /requestHeaders\.\d+\.value$|trainingPhrases\.|dtmfSettings\.enabled$/,
];

/** The allowed values of some keys. */
const choices: readonly (readonly string[])[] = [
  ['agent', 'user'],
  ['prompt', 'equation', 'static_text'],
  ['string', 'number'],
  ['ai', 'logic'],
  ['KIND_MAP', 'KIND_REGEXP'],
  ['assistant-speaks-first', 'assistant-waits-for-user', 'assistant-speaks-first-with-model-generated-message'],
  ['from_llm', 'controlled'],
];

function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (value === null || value === '') return [];
  if (typeof value !== 'object') return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members.flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

function othersThan(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 7];
  const text = String(value);
  return [`${text} other`, ...choices.filter((list) => list.includes(text)).flat()];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Readonly<Record<Key, unknown>>)[key], value);
}

function withValue(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const inner = withValue((value as Readonly<Record<Key, unknown>>)[key], rest, leaf);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? inner : item));
  // Inserted in its place, because the order of members is the order of parts.
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, member]) =>
      name === key ? (inner === undefined ? [] : [[name, inner]]) : [[name, member]],
    ),
  );
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.every((key, index) => String(key) === String(path[index]));
}
