import type { GeneratorYield, QuestionYield, ToolYield, WaitYield } from '../../model/signals/generator-yield.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Template } from '../expression/template.ts';
import { answerFunctionName } from '../document/function.ts';
import { slotSchema } from '../document/slot.ts';
import { waitingPrompt } from './compile/interrupt.ts';
import { noTrouble } from './compile/node.ts';
import { slotParameter } from './compile/record.ts';
import { compileSlot } from './compile/slot.ts';
import type { Graph, GraphFunction, GraphInterrupt, GraphNode, GraphSlot } from './graph.ts';
import { inItsLanguages } from './flow-languages.ts';
import { hashOf } from './hash.ts';
import type { Registered } from './compile/registered.ts';
import { createReport } from './report.ts';
import type { Language, Speech } from '../../model/ports/reader.ts';
import { plainFunction } from './compile/plain-function.ts';

/** The pseudo-node of a generator before its first yield. */
export const generatorStart = 'start';

export interface GeneratorGraphOptions extends Pick<Registered, 'declared'> {
  readonly language: Language;
  /** Returns a language by tag, for conversations that change it. */
  readonly languageOf: (tag: string) => Language;
  /** The flow that continues if the generator fails; null ends the conversation. */
  readonly fallback?: string | null;
}

/**
 * Returns a generator as a graph for the kernel. It has no static nodes, because each yield is entered as a dynamic
 * node. Code has no hash; a replay checks whether it still repeats the record.
 */
export function generatorGraph(name: string, options: GeneratorGraphOptions): Graph {
  const nodes = new WeakMap<JsonObject, GraphNode>();
  const graph: Graph = {
    name,
    hash: hashOf({ generator: name }),
    document: { name, initialNode: generatorStart, nodes: {} },
    initial: generatorStart,
    nodes: new Map(),
    slots: new Map(),
    input: new Map(),
    variables: new Map(),
    computed: new Map(),
    persona: [],
    functions: [],
    record: null,
    ...options.language,
    languages: null,
    setLanguage: null,
    ...inItsLanguages(
      () => graph,
      (tag) => generatorGraph(name, { ...options, language: options.languageOf(tag) }),
    ),
    maxTransitionsPerTurn: 10,
    trouble: noTrouble,
    tools: new Map(),
    outcome: null,
    callee: null,
    onTrouble: null,
    generator: { fallback: options.fallback ?? null },
    dynamicNode(document) {
      const known = nodes.get(document);
      if (known !== undefined) return known;
      // Documents of a generator's nodes are always yields.
      const node = nodeOfYield(document as unknown as GeneratorYield, options);
      nodes.set(document, node);
      return node;
    },
    dynamicNodeProblem: () => null,
  };
  return graph;
}

/** Checks for a generator's document, the only kind without nodes. */
export function isGeneratorDocument(document: unknown): document is { readonly name: string } {
  if (typeof document !== 'object' || document === null) return false;
  const { name, nodes } = document as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof nodes === 'object' && nodes !== null && Object.keys(nodes).length === 0;
}

/** Returns the node id of a yield. */
export function nodeIdOf(made: GeneratorYield): string {
  if (made.type === 'ask' || made.type === 'wait') return made.key;
  return made.type === 'tool' ? made.name : made.type;
}

/** Cached by question document and language. */
const slots = new WeakMap<JsonObject, Map<string, GraphSlot | null>>();

/** Returns the slot whose rules read an answer; null if none is named, or if its document is invalid. */
export function askedSlot({ key, expects }: QuestionYield, speech?: Speech): GraphSlot | null {
  const document = expects?.slot ?? null;
  if (document === null) return null;
  const language = speech?.language ?? '';
  const byLanguage = slots.get(document) ?? new Map<string, GraphSlot | null>();
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const parsed = slotSchema.safeParse(document);
  const report = createReport();
  const slot = parsed.success ? compileSlot(report, key, parsed.data, [], speech) : null;
  const usable = report.problems.some(({ severity }) => severity === 'error') ? null : slot;
  slots.set(document, byLanguage.set(language, usable));
  return usable;
}

function nodeOfYield(made: GeneratorYield, options: GeneratorGraphOptions): GraphNode {
  return {
    id: nodeIdOf(made),
    persona: null,
    messages: promptsOf(made),
    say: null,
    listen: null,
    functions:
      made.type === 'ask' ? answerFunctions(made, options) : made.type === 'tool' ? [toolFunction(made, options)] : [],
    call: null,
    collect: [],
    again: [],
    keys: new Map(),
    forget: [],
    edges: [],
    defaultTransition: null,
    end: null,
    respondImmediately: true,
    context: { strategy: 'append', summaryPrompt: '' },
    preActions: [],
    postActions: [],
    task: null,
    interrupt: made.type === 'wait' ? interruptOf(made) : null,
    trouble: noTrouble,
  };
}

function promptsOf(made: GeneratorYield): GraphNode['messages'] {
  if (made.type === 'wait') return [waitingPrompt];
  return made.type === 'ask' ? [{ role: 'system', content: literal(promptFor(made)) }] : [];
}

function interruptOf({ key, asked, company }: WaitYield): GraphInterrupt {
  const [first, ...more] = (company?.lines ?? []).map(literal);
  const lines = first === undefined ? null : { place: `${key}.meanwhile`, texts: [first, ...more] as const };
  return {
    asksCaller: false,
    question: null,
    options: asked.options,
    asks: { request: asked },
    company: company === null ? null : { everyMs: company.everyMs, lines },
    leadsTo: [],
    output: null,
  };
}

function promptFor({ text }: QuestionYield): string {
  return (
    `The caller was asked: "${text}" If what they say answers it, call ${answerFunctionName} with the answer, and ` +
    'say nothing. Never make an answer up. If it does not answer it, reply in one short sentence and ask again.'
  );
}

/** Returns a literal text: callers' words are never parsed. */
function literal(text: string): Template {
  return { source: text, parts: [text], problems: [] };
}

function answerFunctions(question: QuestionYield, options: GeneratorGraphOptions): readonly GraphFunction[] {
  const slot = askedSlot(question, options.language.speech);
  const schema = question.expects?.schema ?? (slot === null ? null : slotParameter(slot));
  if (schema === null) return [];
  return [
    {
      ...plainFunction,
      cancelOnInterruption: false,
      name: answerFunctionName,
      handler: answerFunctionName,
      description: `The caller has answered the question "${question.text}"`,
      body: 'edge',
      parameters: {
        type: 'object',
        properties: { value: schema },
        required: ['value'],
        additionalProperties: false,
      },
    },
  ];
}

function toolFunction(made: ToolYield, { declared }: GeneratorGraphOptions): GraphFunction {
  const declaration = declared?.get(made.name);
  return {
    ...plainFunction,
    cancelOnInterruption: false,
    name: made.name,
    handler: made.name,
    description: declaration?.description ?? made.name,
    body: 'tool',
    parameters: declaration?.parameters ?? { type: 'object' },
    write: made.write,
    timeoutMs: made.timeoutMs,
    retry: made.retry,
  };
}
