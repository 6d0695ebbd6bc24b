import { z } from 'zod';

/** The kind of a JSON value. */
export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map';

/** A known key of an object: its name in camelCase and in snake_case, and its shape. */
export interface Field {
  readonly name: string;
  readonly snake: string;
  readonly shape: Shape;
}

/** The values that a schema allows at one place, with all branches of a union combined. */
export interface Shape {
  /** The `id` of its object's metadata, such as `Node`. */
  readonly title: string | undefined;
  /** Known keys in both spellings; null if it is not an object. */
  readonly fields: ReadonlyMap<string, Field> | null;
  /** The shape of the values of a map with free keys; null if it is not such a map. */
  readonly values: Shape | null;
  /** The shape of the items of a list; null if it is not a list. */
  readonly members: Shape | null;
  /** Whether any value is allowed. */
  readonly open: boolean;
  readonly kinds: ReadonlySet<Kind>;
  /** The allowed texts; null if any text, or no text, is allowed. */
  readonly words: readonly string[] | null;
}

const shapes = new WeakMap<z.core.$ZodType, Shape>();

/** Returns the shape of a zod schema, computed once. Recursive schemas are expanded on demand. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = mergedShape([schema]);
    shapes.set(schema, shape);
  }
  return shape;
}

/** Returns the shape at a path. An unknown place allows anything. */
export function shapeAt(schema: z.core.$ZodType, path: readonly (string | number)[]): Shape {
  let shape = shapeOf(schema);
  for (const segment of path) {
    const inner = typeof segment === 'number' ? shape.members : (shape.fields?.get(segment)?.shape ?? shape.values);
    if (inner === null) return ANYTHING;
    shape = inner;
  }
  return shape;
}

const ANYTHING: Shape = {
  title: undefined,
  fields: null,
  values: null,
  members: null,
  open: true,
  kinds: new Set(),
  words: null,
};

/** Converts `saveAs` to `save_as`. Every key of the format consists of letters and digits. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts `save_as` to `saveAs`. A camelCase name stays unchanged. */
export function camelCase(name: string): string {
  return name.includes('_') ? name.replace(/(?<=[^_])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;
}

/** Returns the kind of a JSON value; undefined for other values. */
export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' ? 'map' : undefined;
}

function mergedShape(schemas: readonly z.core.$ZodType[]): Shape {
  const seen = new Set<z.core.$ZodType>();
  const kinds = new Set<Kind>();
  const objects: Readonly<Record<string, z.core.$ZodType>>[] = [];
  const values: z.core.$ZodType[] = [];
  const members: z.core.$ZodType[] = [];
  const words: string[] = [];
  let title: string | undefined;
  let open = false;
  let anyText = false;
  const visit = (schema: z.core.$ZodType): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema instanceof z.ZodObject) {
      title ??= schema.meta()?.id;
      kinds.add('map');
      objects.push(schema.shape);
    } else if (schema instanceof z.ZodRecord) {
      kinds.add('map');
      values.push(schema.valueType);
    } else if (schema instanceof z.ZodArray) {
      kinds.add('list');
      members.push(schema.element);
    } else if (schema instanceof z.ZodUnion) {
      for (const option of schema.options) visit(option);
    } else if (schema instanceof z.ZodIntersection) {
      visit(schema.def.left);
      visit(schema.def.right);
    } else if (schema instanceof z.ZodPipe) {
      // Authors write the input, but a preprocessing step has no input schema.
      visit(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
    } else if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
      for (const option of schema instanceof z.ZodEnum ? schema.options : schema.values) {
        const kind = kindOf(option);
        if (kind !== undefined) kinds.add(kind);
        if (typeof option === 'string') words.push(option);
      }
    } else if (schema instanceof z.ZodLazy) {
      visit(schema.unwrap());
    } else if ('innerType' in schema._zod.def) {
      if (schema instanceof z.ZodNullable) kinds.add('null');
      visit(schema._zod.def.innerType as z.core.$ZodType); // zod gives every wrapper's inner schema this name.
    } else if (schema instanceof z.ZodBoolean) kinds.add('boolean');
    else if (schema instanceof z.ZodNumber) kinds.add('number');
    else if (schema instanceof z.ZodNull) kinds.add('null');
    else if (schema._zod.def.type === 'string') {
      kinds.add('text');
      anyText = true;
    } else open = true;
  };
  for (const schema of schemas) visit(schema);
  const fields = objects.length === 0 ? null : once(() => fieldsOf(objects));
  const ofValues = values.length === 0 ? null : once(() => shapeOfAll(values));
  const ofMembers = members.length === 0 ? null : once(() => shapeOfAll(members));
  return {
    title,
    open,
    kinds,
    words: anyText || words.length === 0 ? null : words,
    get fields() {
      return fields?.() ?? null;
    },
    get values() {
      return ofValues?.() ?? null;
    },
    get members() {
      return ofMembers?.() ?? null;
    },
  };
}

function fieldsOf(objects: readonly Readonly<Record<string, z.core.$ZodType>>[]): ReadonlyMap<string, Field> {
  const sources = new Map<string, Readonly<Record<string, z.core.$ZodType>>[]>();
  for (const object of objects) {
    for (const name of Object.keys(object)) {
      const before = sources.get(name);
      if (before === undefined) sources.set(name, [object]);
      else before.push(object);
    }
  }
  const fields = new Map<string, Field>();
  for (const [name, having] of sources) {
    const shape = once(() => shapeOfAll(having.flatMap((object) => object[name] ?? [])));
    const field = {
      name,
      snake: snakeCase(name),
      get shape() {
        return shape();
      },
    };
    fields.set(name, field);
    if (!sources.has(field.snake)) fields.set(field.snake, field);
  }
  return fields;
}

function shapeOfAll(schemas: readonly z.core.$ZodType[]): Shape {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? shapeOf(only) : mergedShape(schemas);
}

/** Caches the result of a computation. It runs on first use. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}
