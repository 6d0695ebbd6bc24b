import type { DocumentPath, PathSegment } from '../flow/diagnostic.ts';
import { camelCase, snakeCase } from '../flow/schema-shape.ts';
import { isRecord } from './rewrite.ts';

/** One file of a foreign document, read but not understood. */
export interface ForeignFile {
  /** Its path inside the folder or archive, with "/"; of a document that is one file, that file's name. */
  readonly name: string;
  readonly value: unknown;
}

/** A place in a foreign document. */
export interface SourcePlace {
  readonly file: string;
  readonly path: DocumentPath;
}

/**
 * A part of a foreign document that remembers what of it was read, so that whatever nobody has read can be told. Keys are
 * found in snake_case and camelCase.
 */
export interface Source extends SourcePlace {
  /** The value as it stands; looking at it does not count as reading it. */
  readonly value: unknown;
  /** Whether a key is there and not null. */
  has(key: string): boolean;
  /** A part; its value is undefined where there is none. It counts as read once its own parts are. */
  at(key: PathSegment): Source;
  /** A text that is not blank; undefined for everything else, which then counts as unread. */
  text(key: PathSegment): string | undefined;
  flag(key: PathSegment): boolean | undefined;
  number(key: PathSegment): number | undefined;
  /** The items of a list; of anything else none. */
  items(key: PathSegment): readonly Source[];
  /** The members of a map; of anything else none. */
  members(): readonly (readonly [key: string, part: Source])[];
  /** The whole part, read to its last leaf. */
  take(): unknown;
}

/** What of a foreign document was read. */
export interface Reading {
  readonly root: (file: ForeignFile) => Source;
  /** The parts that nobody has read, the outermost of each. Values that say nothing (null, empty) are left out. */
  readonly unread: (source: Source) => readonly Source[];
}

export function createReading(): Reading {
  const touched = new WeakMap<object, Set<PathSegment>>();
  const taken = new WeakSet<object>();
  const touch = (owner: object, key: PathSegment): void => {
    const keys = touched.get(owner);
    if (keys === undefined) touched.set(owner, new Set([key]));
    else keys.add(key);
  };
  /** `mark` notes that something of this part was read, and so that the parts around it were opened. */
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
    /** A leaf of one kind, which is read with that. */
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

/** Whether a value is more than a place left blank. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.some(saysSomething);
  return typeof value !== 'object' || Object.values(value).some(saysSomething);
}
