import { flowJsonSchema } from '../../src/flow/graph/json-schema.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** A part of a JSON Schema, as far as the page reads it. */
interface Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly allOf?: readonly Rule[];
}

/** The rules of one node type. */
interface Rule {
  readonly if: { readonly properties: { readonly type: { readonly const: string } } };
  readonly then: { readonly properties: { readonly input: Shape; readonly config: Shape } };
}

/** The parts of a document in writing order, with their headings on the page. */
const parts: Readonly<Record<string, string>> = {
  ConversationFlow: 'Conversation',
  InputField: 'Input',
  Slot: 'Slot',
  Dtmf: 'Digits by keys',
  Ladder: 'Ladder',
  Node: 'Node',
  Function: 'Function',
  Branch: 'Branch',
  Transfer: 'Transfer',
  DocumentTool: 'Tool',
  HttpRequest: 'Request',
  OpenApiOperation: 'OpenAPI operation',
  Action: 'Action',
  Message: 'Message',
  ContextStrategy: 'Context strategy',
  Edge: 'Edge',
  When: 'Condition',
  Term: 'Term',
  Lines: 'Lines',
  Outcome: 'Outcome',
  Callee: 'Callee',
  TaskFlow: 'Task flow',
  TaskNode: 'Task',
  TaskBody: 'Body',
  TaskEdge: 'Edge of a task flow',
  TaskPolicy: 'Policy of a task',
  AgentConfig: 'Agent',
  Meanwhile: 'Meanwhile',
  Deadline: 'Deadline',
};

/** Renders the page of the flow format from the JSON Schema that `roomflow schema` prints. */
export function formatPage(): string {
  const schema = flowJsonSchema(builtinCatalog) as unknown as { readonly $defs: Readonly<Record<string, Shape>> };
  const { $defs: definitions } = schema;
  const missing = Object.keys(definitions).filter(
    (name) => definitions[name]?.properties !== undefined && parts[name] === undefined && name !== 'Outputs',
  );
  if (missing.length > 0) throw new Error(`The page of the format has no heading for ${missing.join(', ')}.`);
  const sections = Object.entries(parts).map(([name, title]) => section(title, definitions[name] ?? {}));
  const rules = (definitions['Node']?.allOf ?? []).filter((rule) => rule.if !== undefined);
  const outputs = definitions['Outputs']?.properties ?? {};
  const types = rules.map(({ if: { properties }, then: { properties: given } }) => {
    const name = properties.type.const;
    const output = outputs[name] ?? {};
    const description = output.description ?? '';
    return [
      `### ${name}\n\n${description}`,
      ...table('input', given.input),
      ...table('config', given.config),
      ...table('output', output),
    ].join('\n\n');
  });
  return [head, ...sections, `## Node types\n\n${typesIntro}`, ...types].join('\n\n').concat('\n');
}

const head = `# The flow format

<!-- Written by \`npm run docs\` from the schema of the format. -->

Every key of a flow document. \`roomflow schema\` prints the same as a JSON Schema for editors. YAML and JSON write keys in
snake_case, TypeScript in camelCase; either spelling is read. A key in **bold** is required. A document with
\`initial_node\` is a conversation, one with \`flow\` a task flow.`;

const typesIntro = `The types for \`type\` of a node or a task. \`input\` is the input of the node and \`config\` its options. Templates and conditions read
\`output\` under the node's id, such as \`{{ id.route }}\`.`;

function section(title: string, shape: Shape): string {
  const description = shape.description ?? '';
  const rows = rowsOf(shape);
  const forms = shape.properties === undefined ? [`Form: ${typeOf(shape)}.`] : [];
  return [`## ${title}`, ...(description === '' ? [] : [description]), ...forms, ...rows].join('\n\n');
}

/** Returns the form that authors write directly: most values may also be a file or a template. */
function written(shape: Shape): Shape {
  const choices = choicesOf(shape);
  const [only] = choices;
  if (only === undefined || choices.length > 1) return shape;
  const { description = shape.description } = only;
  return written(description === undefined ? only : { ...only, description });
}

function choicesOf({ anyOf, oneOf }: Shape): readonly Shape[] {
  return (anyOf ?? oneOf ?? []).filter(
    ({ $ref, pattern }) => $ref !== '#/$defs/IncludedFile' && pattern !== String.raw`\{\{`,
  );
}

function table(label: string, given: Shape): readonly string[] {
  const shape = written(given);
  const rows = rowsOf(shape);
  if (rows.length > 0) return [`${label}:`, ...rows];
  const form = typeOf(shape);
  return form === 'anything' || form === 'nothing' ? [] : [`${label}: ${form}.`];
}

function rowsOf(shape: Shape): readonly string[] {
  const properties = Object.entries(shape.properties ?? {});
  if (properties.length === 0) return [];
  const required = new Set(shape.required);
  const rows = properties.map(([name, given]) => {
    const property = written(given);
    const key = required.has(name) ? `**\`${name}\`**` : `\`${name}\``;
    return `| ${key} | ${typeOf(property)} | ${cell(describe(property))} |`;
  });
  return [['| key | form | what it is |', '| --- | --- | --- |', ...rows].join('\n')];
}

/** Returns a property's own description, and those of the keys of a small map in it or in each item of its list. */
function describe(property: Shape): string {
  const { description = '' } = property;
  const map = property.items === undefined ? property : written(property.items);
  const inner = Object.entries(map.properties ?? {});
  if (inner.length === 0 || inner.length > 8) return description;
  const keys = inner.map(([name, { description: text = '' }]) => `\`${name}\`${text === '' ? '' : `: ${text}`}`);
  return `${description} ${keys.join(' ')}`.trim();
}

function typeOf(shape: Shape): string {
  if (shape.$ref !== undefined) return linkOf(shape.$ref.replace('#/$defs/', ''));
  if (shape.const !== undefined) return code(shape.const);
  if (shape.enum !== undefined) return shape.enum.map(code).join(', ');
  const choices = choicesOf(shape);
  if (choices.length > 6) return 'one of those below';
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ');
  if (Array.isArray(shape.type)) return shape.type.map(nameOf).join(' or ');
  if (shape.type === 'array') return `list of ${shape.items === undefined ? 'anything' : typeOf(shape.items)}`;
  if (shape.type === 'object') return mapOf(shape);
  return typeof shape.type === 'string' ? nameOf(shape.type) : 'anything';
}

function mapOf(shape: Shape): string {
  if (shape.properties !== undefined && Object.keys(shape.properties).length > 0) return 'map';
  const { additionalProperties: member } = shape;
  if (typeof member !== 'object' || Object.keys(member).length === 0) return 'map';
  return `map of ${typeOf(member)}`;
}

function linkOf(definition: string): string {
  if (definition === 'Messages') return 'text or list of [messages](#message)';
  if (definition === '__schema0') return 'value or [term](#term)';
  const title = parts[definition];
  return title === undefined ? definition : `[${title.toLowerCase()}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}

function nameOf(type: string): string {
  return { string: 'text', boolean: 'true or false', integer: 'whole number', null: 'null' }[type] ?? type;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

/** Escapes bars and line ends, which would end the cell. Braces stay. */
function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<', '&lt;');
}
