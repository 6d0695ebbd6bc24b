import { z } from 'zod';
import { whenSchema } from '../../../src/flow/expression/when.ts';
import { formatPath, type Problem } from '../../../src/flow/document/problems/diagnostic.ts';
import { conversationSchema } from '../../../src/flow/document/document.ts';
import { createCatalog } from '../../../src/flow/graph/nodes/catalog.ts';
import type { Registered } from '../../../src/flow/graph/compile/registered.ts';
import { compileFlow } from '../../../src/flow/graph/compile/compile.ts';
import { defaultLanguage, languageOf } from '../../../src/language/language-of.ts';
import { defineNodeType } from '../../../src/flow/graph/nodes/node-type.ts';

const input = z.record(z.string(), z.unknown());
const evaluate = () => ({ ok: true, output: {} as never }) as const;

/** Node types without dependencies: the checks look only at their shapes. */
const catalog = createCatalog([
  defineNodeType({ name: 'test.pure', description: '', input, output: z.object({ route: z.string() }), evaluate }),
  defineNodeType({
    name: 'test.reads',
    description: '',
    literal: ['text'],
    input: z.strictObject({ text: z.string(), rules: z.array(whenSchema) }),
    output: z.object({}),
    evaluate,
    reads: ({ text, rules }) => [
      { at: ['text'], template: text, local: ['own'] },
      ...rules.map((when, index) => ({ at: ['rules', index], when, local: ['own'] })),
    ],
  }),
  defineNodeType({ name: 'test.loose', description: '', input, output: z.looseObject({}), evaluate }),
  defineNodeType({ name: 'test.any', description: '', input, output: z.unknown(), evaluate }),
  defineNodeType({
    name: 'test.fail',
    description: '',
    input,
    output: z.never(),
    capabilities: { fails: true },
    evaluate,
  }),
  defineNodeType({
    name: 'test.agent',
    description: '',
    input,
    output: z.object({ result: z.string() }),
    capabilities: { isAgent: true },
    run: async () => ({ result: '' }),
  }),
]);

/** The registered tools that the documents of these tests name. */
const functions = new Set(['tool', 'book', 'choose']);

/** Returns all problems of a document, which must fit the schema. */
export function problemsOf(document: unknown, registered: Registered = { functions }): readonly Problem[] {
  return compileFlow(conversationSchema.parse(document), {
    catalog,
    language: languageOf(defaultLanguage),
    languageOf,
    ...registered,
  }).problems;
}

/** Returns the problems of one code, one line each: severity, place (`key of` it, or the `"part"` of a text), message, hint. */
export function found(code: string, document: unknown, registered?: Registered): readonly string[] {
  return problemsOf(document, registered)
    .filter((problem) => problem.code === code)
    .map(({ severity, path, atKey, within }) => {
      const part = within === undefined ? '' : ` "${within.text}"@${within.start}`;
      return `${severity} ${atKey === true ? 'key of ' : ''}${formatPath(path)}${part}`;
    });
}

/** A valid flow of two nodes, `start` and `done`, with additional nodes and other parts. */
export function flow(nodes: object, parts: object = {}): object {
  return {
    initialNode: 'start',
    nodes: {
      start: { say: 'Hello.', listen: false, defaultTransition: 'done' },
      done: { say: 'Bye.', end: true },
      ...nodes,
    },
    ...parts,
  };
}
