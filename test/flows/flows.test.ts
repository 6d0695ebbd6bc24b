import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as clinic from '../../flows/clinic-intake/tools.ts';
import * as restaurant from '../../flows/restaurant-booking/tools.ts';
import * as support from '../../flows/support-triage/tools.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { Wordings } from '../../src/flow/expression/wordings.ts';
import { conversationSchema } from '../../src/flow/document/document.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { flowOf, type Tools } from './phone-call.ts';

const today = (): string => '2026-11-21';
const flows: readonly [folder: string, tools: Tools, args: Record<string, z.ZodObject>][] = [
  ['clinic-intake', clinic.createTools({ today }), clinic.toolArguments],
  ['restaurant-booking', restaurant.createTools({ today }), restaurant.toolArguments],
  ['support-triage', support.createTools({ today, accounts: [] }), support.toolArguments],
];

describe.each(flows)('%s', (folder, tools, toolArguments) => {
  // Throws on any diagnostic of the compiler.
  const graph = flowOf(folder, tools);

  it('can ask for every slot in its own words, so that it needs no model to ask', () => {
    expect([...graph.slots.values()].filter(({ ask }) => ask === null)).toEqual([]);
  });

  it('offers the model the very arguments that its tools take', () => {
    const offered = functionsOf(graph).filter(({ body }) => body === 'tool');
    expect(offered.length).toBeGreaterThan(2);
    for (const { handler, parameters } of offered) {
      const taken = z.toJSONSchema(toolArguments[handler] ?? z.object({}));
      const names = Object.keys(taken.properties ?? {});
      for (const name of Object.keys((parameters['properties'] ?? {}) as object)) expect(names).toContain(name);
      const required = (parameters['required'] ?? []) as string[];
      expect(required, handler).toEqual(expect.arrayContaining(taken.required ?? []));
    }
  });

  it('names the arguments of its tools like slots, or leaves one value only, so that what is known fills them', () => {
    for (const { body, handler, parameters } of functionsOf(graph)) {
      if (body !== 'tool') continue;
      for (const [name, schema] of Object.entries(
        (parameters['properties'] ?? {}) as Record<string, { enum?: string[] }>,
      ))
        expect(graph.slots.has(name) || schema.enum?.length === 1, `${handler} ${name}`).toBe(true);
    }
  });

  it('runs no write without a yes', () => {
    const writes = functionsOf(graph).filter(({ write }) => write);
    expect(writes.length).toBeGreaterThan(0);
    for (const write of writes) expect(write.confirm, write.name).not.toBeNull();
  });

  it('says when each function is meant, in a sentence', () => {
    for (const { description, name } of functionsOf(graph)) expect(description, name).toMatch(/^[A-Z].*\.$/s);
  });

  it('says lines that can be spoken: short, without markup, at most one question, and the question last', () => {
    const lines = linesOf(graph);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      expect(line).not.toMatch(/[*_#<>[\]|`;:()/]|\d|\n/);
      expect(line).toMatch(/[.?!]$/);
      expect(line.replace(/\?$/, '')).not.toContain('?');
      expect(line.split(/\s+/).length, line).toBeLessThanOrEqual(26);
    }
  });

  it('has a way to a person, and a line for silence and for trouble', () => {
    expect(graph.functions.some(({ description }) => description.includes('asks for a person'))).toBe(true);
    expect([graph.trouble.onError, graph.trouble.fallback, graph.trouble.filler]).not.toContain(null);
  });

  it('keeps what names a person or tells of their health out of the logs', () => {
    for (const name of ['full_name', 'guest_name', 'birth_date', 'phone', 'reason', 'wishes', 'medical_device'])
      expect(graph.slots.get(name)?.pii ?? true, name).toBe(true);
  });
});

describe('the example of the format', () => {
  it('loads without a warning', () => {
    const path = new URL('../fixtures/clinic-intake.yaml', import.meta.url);
    const { graph, document, diagnostics } = checkFlow(path, { catalog: builtinCatalog });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'note unregistered-function',
      'note unregistered-handler',
    ]);
    expect(conversationSchema.safeParse(document).success).toBe(true);
    expect(graph?.nodes.size).toBe(6);
  });
});

function functionsOf(graph: Graph) {
  return [...graph.functions, ...[...graph.nodes.values()].flatMap((node) => node.functions)];
}

/** Returns every line of a flow that is spoken word for word, with its references replaced by a word. */
function linesOf(graph: Graph): readonly string[] {
  const spoken: (Wordings | null)[] = [graph.trouble.fallback, graph.trouble.filler];
  for (const slot of graph.slots.values()) spoken.push(slot.ask, slot.readback, slot.ladder.lines);
  for (const { confirm } of functionsOf(graph)) if (confirm !== 'described') spoken.push(confirm);
  for (const node of graph.nodes.values())
    spoken.push(
      node.say,
      node.trouble.ladder.lines,
      ...[...node.preActions, ...node.postActions].map(({ text }) => text),
    );
  const templates = spoken.flatMap((each) => each?.texts ?? []);
  return templates.map(({ parts }) => parts.map((part) => (typeof part === 'string' ? part : 'this')).join(''));
}
