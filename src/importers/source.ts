import type { DocumentPath, PathSegment } from '../flow/document/problems/diagnostic.ts';
import { camelCase, snakeCase } from '../flow/document/problems/schema-shape.ts';
import { isRecord } from './pipecat/rewrite.ts';

/** One file of a foreign document, parsed but not interpreted. */
export interface ForeignFile {
  /** Its path inside the folder or archive, with "/". For a document that is one file, that file's name. */
  readonly name: string;
  readonly value: unknown;
}

/** A place in a foreign document. */
export interface SourcePlace {
  readonly file: string;
  readonly path: DocumentPath;
}

/**
 * A part of a foreign document that records which parts of it were read, so that the rest can be reported. Keys are
 * found in snake_case and camelCase.
 */
export interface Source extends SourcePlace {
  /** The value. Looking at it does not count as reading it. */
  readonly value: unknown;
  /** Whether a key exists and is not null. */
  has(key: string): boolean;
  /** Returns a part, whose value is undefined if it does not exist. It counts as read once its own parts are read. */
  at(key: PathSegment): Source;
  /** Returns a text that is not blank. For everything else it returns undefined, and the part counts as unread. */
  text(key: PathSegment): string | undefined;
  flag(key: PathSegment): boolean | undefined;
  number(key: PathSegment): number | undefined;
  /** The items of a list. Empty for anything else. */
  items(key: PathSegment): readonly Source[];
  /** The members of a map. Empty for anything else. */
  members(): readonly (readonly [key: string, part: Source])[];
  /** Returns the whole part and marks everything in it as read. */
  take(): unknown;
}

/** Records what of a foreign document was read. */
export interface SourceDocument {
  readonly root: (file: ForeignFile) => Source;
  /** Returns the unread parts, without the parts inside them. Empty values (null, empty lists) are left out. */
  readonly unread: (source: Source) => readonly Source[];
}

export function createReading(): SourceDocument {
  const touched = new WeakMap<object, Set<PathSegment>>();
  const taken = new WeakSet<object>();
  const touch = (owner: object, key: PathSegment): void => {
    const keys = touched.get(owner);
    if (keys === undefined) touched.set(owner, new Set([key]));
    else keys.add(key);
  };
  /** `mark` records that something of this part was read, and so that the parts around it were opened. */
  const sourceAt = (file: string, path: DocumentPath, value: unknown, mark: () => void): Source => {
    const keyOf = (key: PathSegment): PathSegment | undefined => {
      if (Array.isArray(value)) return typeof key === 'number' && key < value.length ? key : undefined;
      if (!isRecord(value) || typeof key === 'number') return undefined;
      return [key, snakeCase(key), camelCase(key)].find((each) => Object.hasOwn(value, each));
    };
    const partAt = (key: PathSegment): Source => {
      const own = keyOf(key);
      if (own === undefined || typeof value !== 'object' || value === null)
        return sourceAt(file, [...path, key], undefined, () => undefined);
      const part = (value as Readonly<Record<PathSegment, unknown>>)[own]; // It has this member.
      return sourceAt(file, [...path, own], part, () => {
        mark();
        touch(value, own);
      });
    };
    /** Returns a value of one kind, and marks it as read if it has that kind. */
    const leaf = <Value>(key: PathSegment, is: (part: unknown) => part is Value): Value | undefined => {
      const part = partAt(key);
      if (!is(part.value)) return undefined;
      part.take();
      return part.value;
    };
    return {
      file,
      path,
      value,
      has: (key) => partAt(key).value !== undefined && partAt(key).value !== null,
      at: partAt,
      text: (key) => leaf(key, (part): part is string => typeof part === 'string' && part.trim() !== ''),
      flag: (key) => leaf(key, (part): part is boolean => typeof part === 'boolean'),
      number: (key) => leaf(key, (part): part is number => typeof part === 'number'),
      items(key) {
        const part = partAt(key);
        return Array.isArray(part.value) ? part.value.map((_item, index) => part.at(index)) : [];
      },
      members: () => (isRecord(value) ? Object.keys(value).map((key) => [key, partAt(key)] as const) : []),
      take() {
        mark();
        if (typeof value === 'object' && value !== null) taken.add(value);
        return value;
      },
    };
  };
  const unread = (source: Source): readonly Source[] => {
    const found: Source[] = [];
    const walk = (part: Source): void => {
      const { value, file, path } = part;
      if (typeof value !== 'object' || value === null || taken.has(value)) return;
      const keys = touched.get(value);
      for (const [key, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
        const own = Array.isArray(value) ? Number(key) : key;
        const inner = sourceAt(file, [...path, own], member, () => touch(value, own));
        if (keys?.has(own) === true) walk(inner);
        else if (saysSomething(member)) found.push(inner);
      }
    };
    walk(source);
    return found;
  };
  return { root: ({ name, value }) => sourceAt(name, [], value, () => undefined), unread };
}

/** Checks whether a value is more than an empty place. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.some(saysSomething);
  return typeof value !== 'object' || Object.values(value).some(saysSomething);
}
