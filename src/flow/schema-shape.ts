import { z } from 'zod';

/** A value's kind, in the words of JSON. */
export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map';

/** A known key of an object: its name in camelCase and in snake_case, and what may stand there. */
export interface Field {
  readonly name: string;
  readonly snake: string;
  readonly shape: Shape;
}

/** What a schema allows at one place, all branches of a union taken together. */
export interface Shape {
  /** The `id` of its object's metadata, such as `Node`. */
  readonly title: string | undefined;
  /** Known keys under either spelling; null where it is no object. */
  readonly fields: ReadonlyMap<string, Field> | null;
  /** What each value of an author's own map may be; null where it is none. */
  readonly values: Shape | null;
  /** What each member of a list may be; null where it is none. */
  readonly members: Shape | null;
  /** Anything may stand here. */
  readonly open: boolean;
  readonly kinds: ReadonlySet<Kind>;
  /** The only texts allowed; null where any text is, or none. */
  readonly words: readonly string[] | null;
}

const shapes = new WeakMap<z.core.$ZodType, Shape>();

/** The shape of a zod schema, computed once; recursive schemas are entered only as deep as they are asked for. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = mergedShape([schema]);
    shapes.set(schema, shape);
  }
  return shape;
}

/** What a schema allows at a path; anything where it does not know the place. */
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

/** `save_as` of `saveAs`; every key of the format is a word of letters and digits. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `saveAs` of `save_as`; a name in camelCase stays. */
export function camelCase(name: string): string {
  return name.includes('_') ? name.replace(/(?<=[^_])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;
}

/** The kind of a JSON value; undefined for what JSON cannot hold. */
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
      // The author writes the input, but the input of a preprocessing step tells nothing of it.
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

/** The result of a computation that is done when first asked for. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}
