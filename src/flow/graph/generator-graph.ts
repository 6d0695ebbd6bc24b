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

/** The pseudo-node in which a generator is before its first yield. */
export const generatorStart = 'start';

export interface GeneratorGraphOptions extends Pick<Registered, 'declared'> {
  readonly language: Language;
  /** Any language by its tag, for a conversation that goes on in another one. */
  readonly languageOf: (tag: string) => Language;
  /** The flow that goes on where a generator cannot; null ends the conversation. */
  readonly fallback?: string | null;
}

/**
 * A generator as the kernel runs it: a graph that knows no nodes in advance, since each yield is entered as a node made
 * on the spot. Code has no hash: whether it still does what is recorded is seen when it runs again.
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
    onTrouble: null,
    generator: { fallback: options.fallback ?? null },
    dynamicNode(document) {
      const known = nodes.get(document);
      if (known !== undefined) return known;
      // Only yields are kept as documents of a generator's nodes.
      const node = nodeOfYield(document as unknown as GeneratorYield, options);
      nodes.set(document, node);
      return node;
    },
    dynamicNodeProblem: () => null,
  };
  return graph;
}

/** Whether a graph's document is that of a generator: it has no nodes, which no other flow goes without. */
export function isGeneratorDocument(document: unknown): document is { readonly name: string } {
  if (typeof document !== 'object' || document === null) return false;
  const { name, nodes } = document as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof nodes === 'object' && nodes !== null && Object.keys(nodes).length === 0;
}

/** What the node is called that a yield is entered as. */
export function nodeIdOf(made: GeneratorYield): string {
  if (made.type === 'ask' || made.type === 'wait') return made.key;
  return made.type === 'tool' ? made.name : made.type;
}

/** By the document of the question and the language that is spoken. */
const slots = new WeakMap<JsonObject, Map<string, GraphSlot | null>>();

/** The slot by whose rules an answer is read; null where none is named, or a rule of it is broken. */
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

/** A text that is shown as it stands: what callers said is never parsed. */
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
