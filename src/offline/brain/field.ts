import { answerTo } from '../../flow/graph/compile/record.ts';
import { type Json, jsonListOf, type JsonObject } from '../../model/json.ts';
import { tokensOf } from '../../language/english/numbers/spoken-numbers.ts';
import { wordsOf } from '../../language/english/words.ts';
import { type Feature, featuresOf } from './choose/features.ts';
import { type BrainTool, objectOf, propertiesOf, requiredOf, typeOf, withoutNull } from './schema.ts';

export type FieldKind =
  | 'name'
  | 'date'
  | 'time'
  | 'date-time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'choices'
  | 'phone'
  | 'email'
  | 'code'
  | 'text'
  /** A type that cannot be spoken in a sentence. */
  | 'unreadable';

/** An argument that a caller may state, with its question and the words that identify it. */
export interface Field {
  readonly tool: string;
  readonly name: string;
  readonly schema: JsonObject;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** The author's description or question, without additions for a model. */
  readonly question: string;
  /** The name as words: "birth date". */
  readonly label: string;
  /** The values of an enum or of list items, with their synonyms. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly direction: 'past' | 'future' | undefined;
  /** The words of its name and question. */
  readonly cues: readonly Feature[];
}

/** Returns the arguments of a function that can be read from words. */
export function fieldsOf(tool: BrainTool): Field[] {
  const required = new Set(requiredOf(tool));
  const isOnly = required.size === 1;
  return [...propertiesOf(tool)].map(([name, schema]) =>
    fieldOf(tool, name, schema, required.has(name), isOnly && required.has(name)),
  );
}

/**
 * Returns the fields of all functions. An argument with the name of a slot gets the question and synonyms of the slot.
 */
export function fieldsInScope(tools: readonly BrainTool[], recorder: BrainTool | undefined): Field[] {
  const slots = new Map((recorder === undefined ? [] : fieldsOf(recorder)).map((field) => [field.name, field]));
  return tools.flatMap(fieldsOf).map((field) => {
    const slot = slots.get(field.name);
    if (slot === undefined || slot.tool === field.tool) return field;
    if (slot.kind !== field.kind && !(slot.kind === 'name' && field.kind === 'text')) return field;
    const question = field.question === '' ? slot.question : field.question;
    const values = [...field.values.values()].some((words) => words.length > 0) ? field.values : slot.values;
    const direction = slot.direction ?? field.direction;
    return { ...field, kind: slot.kind, values, question, direction, cues: [...field.cues, ...slot.cues] };
  });
}

function fieldOf(tool: BrainTool, name: string, given: JsonObject, required: boolean, only: boolean): Field {
  const schema = withoutNull(given);
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const label = labelOf(name);
  const itemSchema = objectOf(schema['items']) ?? {};
  const keys = enumOf(schema) ?? (typeOf(schema) === 'array' ? enumOf(itemSchema) : undefined) ?? [];
  const { question, values } = splitDescription(description, keys);
  // The only argument of a function is described by the function.
  const about = `${label}. ${question}${only && question === '' ? ` ${tool.description}` : ''}`;
  return {
    tool: tool.name,
    name,
    schema: given,
    kind: kindOf(schema, keys, label, question),
    required,
    question,
    label,
    values,
    direction: boundOf(description) ?? directionOf(`${label} ${question === '' ? tool.description : question}`),
    cues: featuresOf(about).filter(({ start, end }) => !isNumeral(about.slice(start, end))),
  };
}

/** Numbers in a description, such as "from 0 (none) to 10 (worst)", do not identify the field. */
function isNumeral(word: string): boolean {
  const [token, more] = tokensOf(word);
  return token?.number?.ordinal === false && more === undefined;
}

/** Converts "birth_date" and "birthDate" to "birth date". */
export function labelOf(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase();
}

function enumOf(schema: JsonObject): readonly string[] | undefined {
  const keys = jsonListOf(schema['enum']).filter((value) => typeof value === 'string' || typeof value === 'number');
  return keys.length > 0 ? keys.map(String) : undefined;
}

/** The question in the description of a slot that has no description itself. */
const QUESTION = new RegExp(`^${answerTo}"(.*?)"\\.(?= |$)`, 's');

/** Splits a description into the author's words and the synonyms of each value ("small: little, tiny."). */
function splitDescription(
  described: string,
  keys: readonly string[],
): { question: string; values: ReadonlyMap<string, readonly string[]> } {
  const description = described.replace(QUESTION, '$1');
  const values = new Map<string, readonly string[]>(keys.map((key) => [key, []]));
  const places = keys
    .flatMap((key) => {
      const at = placeOf(description, key);
      return at < 0 ? [] : [{ key, at, from: at + key.length + 1 }];
    })
    .toSorted((one, other) => one.at - other.at);
  let end = description.length;
  for (const { key, at, from } of places.toReversed()) {
    const words = description
      .slice(from, end)
      .trim()
      .replace(/[.;,]+$/, '');
    values.set(
      key,
      words.split(/\s*[,;/]\s*|\s+or\s+/).filter((word) => word !== ''),
    );
    end = at;
  }
  const question = description
    .slice(0, end)
    .replaceAll(/Must be (?:before|after) (?:today|[\d:-]+)\.|Without a country code it is read as one of \w+\./g, '')
    .replace(/YYYY-MM-DD; leave it out unless day, month and year were said or are certain\.?/, '')
    .replace(/HH:MM, 24 hours\.?/, '')
    .replaceAll(/\(?\b(?:in )?(?:the )?(?:format:? )?(?:YYYY-MM-DD|HH:MM|ISO ?8601|E\.?164)(?: format)?\)?/gi, '')
    .replaceAll(/\s+([.,;?!])/g, '$1')
    .trim();
  return { question: question.replace(/^[.,;:]+\s*|[\s,;:]+$/g, ''), values };
}

/** Returns the position of a value's explanation: the key and a colon, not within a word. */
function placeOf(description: string, key: string): number {
  for (let at = description.indexOf(`${key}:`); at >= 0; at = description.indexOf(`${key}:`, at + 1))
    if (at === 0 || /[\s(;,.]/.test(description[at - 1] ?? '')) return at;
  return -1;
}

function kindOf(schema: JsonObject, keys: readonly string[], label: string, question: string): FieldKind {
  const type = typeOf(schema);
  if (type === 'array') return keys.length > 0 ? 'choices' : 'unreadable';
  if (type === 'boolean') return 'boolean';
  if (keys.length > 0) return 'enum';
  if (type === 'integer' || type === 'number') return type;
  if (type === 'object' || Object.hasOwn(schema, 'const') || Object.hasOwn(schema, '$ref')) return 'unreadable';
  if (type !== 'string' && type !== '') return 'unreadable';
  const { format, pattern } = schema;
  const known = typeof format === 'string' ? KIND_OF_FORMAT.get(format) : undefined;
  if (known === undefined && typeof pattern === 'string' && isOfCode(pattern)) return 'code';
  return known ?? kindOfWords(label, question);
}

/** Checks whether a pattern requires digits and allows no words: "3c", "AB-1234". */
function isOfCode(pattern: string): boolean {
  return /\\d|\d-\d/.test(pattern) && !/[\s.]|\\[sSwWpP]|\[\^/.test(pattern.replaceAll('\\.', ''));
}

const KIND_OF_FORMAT: ReadonlyMap<string, FieldKind> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'date-time'],
  ['email', 'email'],
  ['idn-email', 'email'],
  ['phone', 'phone'],
  ['tel', 'phone'],
  ['uuid', 'code'],
  ['code', 'code'],
]);

/** Returns the kind of a text without a format, by its name and description. */
function kindOfWords(label: string, question: string): FieldKind {
  const both = `${label} ${question}`.toLowerCase();
  if (/\be-?mail\b/.test(both)) return 'email';
  if (
    /\b(?:phone|telephone|mobile|cell ?phone|callback|contact) ?(?:number|no)?\b/.test(label) ||
    /\b(?:tele)?phone number\b/.test(both)
  )
    return 'phone';
  if (/\b(?:date|dob|birthday|birthdate|day)$/.test(label) || /^(?:the |your )?date\b/.test(question.toLowerCase()))
    return 'date';
  if (/(?:^|\s)time$/.test(label)) return 'time';
  const isName =
    /\bname\b/.test(label) ||
    /\b(?:full|first|last|your|caller's|customer's|whose|what|which) (?:\w+ )?name\b|\b(?:child|kid|son|daughter|pupil|student|patient|guest|person|partner|husband|wife|contact|pet|dog|cat|animal)'s (?:\w+ )?name\b|\bname of the (?:caller|person|guest|customer|patient|child)|\bwho(?:m| am i| is| shall| should)\b/.test(
      both,
    );
  if (isName && !/\b(?:user ?name|file name|host ?name)\b/.test(both)) return 'name';
  const isCode = /\b(?:number|code|id|pin|zip|postcode|postal|plate|registration|reference|serial|vin|digits|no)\b/;
  if (isCode.test(both) && !/(?:^|[.?!:]\s*|\b(?:the|total|a) )number of\b/.test(both)) return 'code';
  return 'text';
}

const PAST =
  /\b(?:birth|born|birthday|birthdate|dob|since|ago|happen(?:ed)?|occur(?:red)?|purchased?|bought|issued|received|started|lost|stolen|in the past|previous|before today|accident|incident|damage|when (?:did|was|were)|(?:was|were|did) (?:it|you|this|that|the)|last (?:time|visit|seen|paid|payment|day of work))\b/i;
const FUTURE =
  /\b(?:appointment|visit|book|booking|reservation|reserve|arrive|arrival|arriving|check ?-?in|check ?-?out|deliver|delivery|pick ?-?up|collect|travel|leave|leaving|depart|departure|return|come|coming|start|begin|move|moving|schedule|reschedule|suit|suits|prefer|would|will|shall|next|upcoming|future|after today|stay|table|meeting|class|session|trip|ride|event|day|evening|night|weekend|another|want|wants|like|until|availability|available|viewing)\b/i;

/** Returns on which side of today a date must be. */
function boundOf(description: string): Field['direction'] {
  const bound = /\bMust be (before|after) today\b/.exec(description)?.[1];
  return bound === undefined ? undefined : bound === 'before' ? 'past' : 'future';
}

/** Returns on which side of today a date is, according to its description. */
function directionOf(text: string): Field['direction'] {
  if (PAST.test(text)) return 'past';
  return FUTURE.test(text) ? 'future' : undefined;
}

/** Converts a stored text to the type of a field; undefined if it does not fit. */
export function typedValue(field: Field, text: string): Json | undefined {
  switch (field.kind) {
    case 'number':
    case 'integer': {
      const value = Number(text);
      return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'enum':
      return enumValue(field, text);
    case 'choices':
    case 'unreadable':
      return undefined;
    case 'name':
    case 'date':
    case 'time':
    case 'date-time':
    case 'phone':
    case 'email':
    case 'code':
    case 'text':
      return text;
  }
}

/** Returns the enum value of a key: a number if the schema lists numbers. */
export function enumValue(field: Field, key: string): Json | undefined {
  const schema = withoutNull(field.schema);
  const list = jsonListOf(schema['enum'] ?? objectOf(schema['items'])?.['enum']);
  return list.find((value) => (typeof value === 'string' || typeof value === 'number') && String(value) === key);
}

/** Counts the words of a text. */
export function countWords(text: string): number {
  return wordsOf(text).filter((word) => !word.mark).length;
}
