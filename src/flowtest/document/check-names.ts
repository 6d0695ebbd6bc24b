import type { DocumentPath, Problem } from '../../flow/document/problems/diagnostic.ts';
import { scheduleFaults } from '../../people/schedules/read-schedule.ts';
import { systemCivilTime } from '../../system.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import { suggestion } from '../../flow/document/problems/suggestion.ts';
import type { Scenario, ToolStandIn, Turn } from './document.ts';
import type { Expectation, Unwanted, WholeExpectation } from './expectation.ts';
import { type FlowTestDocument, scenarioSchema } from './document.ts';
import type { OpenedFlow } from '../opened-test.ts';
import type { TestCode } from './test-codes.ts';
import { followUpName } from '../../runner/follow-up-name.ts';
import { patternFault } from './text-match.ts';
import { columnProblems, formProblems, toldByRow, withoutRepeats } from './check-columns.ts';
import { fill } from './expand-scenarios.ts';
import type { FlowPosition } from './flow-places.ts';

/** Suggestions for a transition that does not exist, with the lines of the flow, since one of them may have changed. */
function waysFrom({ arrows, placeOf }: OpenedFlow, from: string): string {
  const places = new Map<string, FlowPosition | null>();
  for (const { to, path, from: start } of arrows) if (start === from && !places.has(to)) places.set(to, placeOf(path));
  if (places.size === 0) return `Nothing leads on from "${from}". Name another way, or add it to the flow.`;
  const told = [...places].map(([to, place]) => (place === null ? to : `${to} (${place.file}:${place.line})`));
  return `From "${from}" it leads to ${told.join(', ')}. Name another way, or add it to the flow.`;
}

/** Names in a test that its flow does not have, and steps that cannot be played. Paths are those of the document. */
export function nameProblems(document: FlowTestDocument, flow: OpenedFlow): readonly Problem[] {
  const problems: Problem[] = [];
  const { graph } = flow;
  const isCode = graph.generator !== null;
  const functions = new Set([
    ...[...graph.nodes.values()].flatMap((node) => node.functions.map(({ name }) => name)),
    ...graph.functions.map(({ name }) => name),
    ...(graph.setLanguage === null ? [] : [graph.setLanguage.name]),
    answerFunctionName,
  ]);
  const tools = new Set([
    ...flow.tools,
    ...flow.handlers,
    ...flow.realTools.map(({ name }) => name),
    ...Object.keys(flow.realHandlers),
    ...(flow.runner.followUps === undefined ? [] : [followUpName]),
  ]);
  const calls = new Set([...functions, ...tools, ...(graph.record === null ? [] : [graph.record.name])]);
  const nodes = new Set(graph.nodes.keys());
  const slots = new Set(graph.slots.keys());

  const tell = (code: TestCode, path: DocumentPath, message: string, hint?: string, atKey = false): void =>
    void problems.push({
      code,
      severity: 'error',
      path,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(atKey ? { atKey } : {}),
    });
  const known = (
    names: ReadonlySet<string>,
    what: 'node' | 'function' | 'tool' | 'slot',
    name: string,
    path: DocumentPath,
    atKey = false,
  ): void => {
    if (isCode || names.has(name) || name.includes('<')) return;
    const few = names.size > 0 && names.size <= 12 ? `There are ${[...names].join(', ')}.` : undefined;
    tell(`unknown-${what}`, path, `the flow has no ${what} "${name}".`, suggestion(name, names) ?? few, atKey);
  };
  const text = (wanted: string, path: DocumentPath): void => {
    const fault = patternFault(wanted);
    if (fault !== null)
      tell('invalid-pattern', path, `the regular expression ${fault}`, 'Correct it, or write plain text.');
  };
  const toolsIn = (standIns: Readonly<Record<string, ToolStandIn>> | undefined, path: DocumentPath): void => {
    for (const [name, tool] of Object.entries(standIns ?? {})) {
      known(tools, 'tool', name, [...path, name], true);
      const { sequence, cases } = tool;
      const ways = [tool.returns, tool.throws, tool.hangs, sequence].filter((way) => way !== undefined);
      if (ways.length > 1)
        tell(
          'conflicting-keys',
          [...path, name],
          `tool "${name}" does several things at once.`,
          'Keep one of returns, throws, hangs and sequence.',
        );
      const more = [cases, tool.after, tool.sets, tool.next].filter((part) => part !== undefined);
      if (ways.length + more.length === 0)
        tell(
          'missing-key',
          [...path, name],
          `tool "${name}" does nothing.`,
          'Add returns, throws, hangs, sets, next or sequence.',
        );
    }
  };
  const each = <One>(
    given: One | readonly One[] | undefined,
    path: DocumentPath,
    look: (one: One, path: DocumentPath) => void,
  ): void => {
    if (given === undefined) return;
    if (!Array.isArray(given)) return look(given as One, path); // Not a list: a single item.
    for (const [index, one] of (given as readonly One[]).entries()) look(one, [...path, index]);
  };
  const edge = (wanted: NonNullable<Unwanted['edge']>, path: DocumentPath): void => {
    const { from, to } =
      typeof wanted === 'string' ? { from: wanted.split('->')[0]?.trim(), to: wanted.split('->')[1]?.trim() } : wanted;
    for (const id of [from, to]) if (id !== undefined) known(nodes, 'node', id, path);
    if (typeof wanted !== 'string' && wanted.function !== undefined)
      known(functions, 'function', wanted.function, [...path, 'function']);
    const isWay = flow.arrows.some(
      (arrow) =>
        (from === undefined || arrow.from === null || arrow.from === from) &&
        (to === undefined || arrow.to === to || arrow.to.startsWith('$')),
    );
    if (!isCode && !isWay && [from, to].every((id) => id === undefined || nodes.has(id)))
      tell(
        'unknown-edge',
        path,
        `the flow has no way from "${from ?? '*'}" to "${to ?? '*'}".`,
        from === undefined ? 'Name another, or add it to the flow.' : waysFrom(flow, from),
      );
  };
  const expectation = (expected: Expectation | WholeExpectation, path: DocumentPath): void => {
    const { node, slots: values = {}, said } = expected;
    if (node !== undefined) known(nodes, 'node', node, [...path, 'node']);
    each(expected.edge, [...path, 'edge'], edge);
    for (const name of Object.keys(values)) known(slots, 'slot', name, [...path, 'slots', name], true);
    each(expected.tool, [...path, 'tool'], (one, at) => {
      if (typeof one === 'string') known(tools, 'tool', one, at);
      else known(tools, 'tool', one.name, [...at, 'name']);
    });
    for (const [index, id] of (expected.path ?? []).entries()) known(nodes, 'node', id, [...path, 'path', index]);
    if (said === undefined) return;
    if (typeof said === 'string' || Array.isArray(said)) return each(said, [...path, 'said'], text);
    each(said.contains, [...path, 'said', 'contains'], text);
    each(said.not, [...path, 'said', 'not'], text);
  };
  const turn = (one: Turn, path: DocumentPath): void => {
    const { expect: _expect, model: _model, tools: standIns, note: _note, ...acts } = one;
    const done = Object.entries(acts).filter(([, act]) => act !== undefined);
    if (done.length > 1)
      tell(
        'conflicting-keys',
        path,
        `a turn is one thing, and this one is ${done.map(([key]) => key).join(' and ')}.`,
        'Make several turns of it.',
      );
    toolsIn(standIns, [...path, 'tools']);
    each(one.expect, [...path, 'expect'], expectation);
    each(one.model, [...path, 'model'], (reply, at) => {
      if (typeof reply === 'string') return;
      if (reply.call !== undefined) known(calls, 'function', reply.call, [...at, 'call']);
      for (const [index, { call }] of (reply.calls ?? []).entries())
        if (call !== undefined) known(calls, 'function', call, [...at, 'calls', index, 'call']);
      for (const slot of Object.keys(reply.record ?? {})) known(slots, 'slot', slot, [...at, 'record', slot], true);
    });
  };
  const schedulesIn = (
    { schedules = {}, timeZone: zone = 'UTC' }: Pick<Scenario, 'schedules' | 'timeZone'>,
    path: DocumentPath,
  ): void => {
    for (const [name, given] of Object.entries(schedules))
      for (const fault of scheduleFaults({ ...given, session: name }, { zone, civil: systemCivilTime, now: 0 })) {
        const [, field = '', what = fault] = /^(\w+): (.+)$/s.exec(fault) ?? [];
        const at = Object.hasOwn(given, field) ? [field] : [];
        tell('schedule-invalid', [...path, 'schedules', name, ...at], what, undefined, at.length === 0);
      }
  };
  const scenario = (one: Scenario, path: DocumentPath): void => {
    toolsIn(one.tools, [...path, 'tools']);
    schedulesIn(one, path);
    for (const [id, rules] of Object.entries(one.llm ?? {})) {
      if (id !== '*') known(nodes, 'node', id, [...path, 'llm', id], true);
      for (const [index, rule] of rules.entries()) {
        const at = [...path, 'llm', id, index];
        if (rule.when !== undefined) text(rule.when, [...at, 'when']);
        if (rule.call !== undefined) known(calls, 'function', rule.call, [...at, 'call']);
        for (const slot of Object.keys(rule.record ?? {})) known(slots, 'slot', slot, [...at, 'record', slot], true);
      }
    }
    const { turns = [], persona } = one;
    for (const [index, each] of turns.entries()) turn(each, [...path, 'turns', index]);
    if (turns.length > 0 && persona !== undefined)
      tell(
        'conflicting-keys',
        [...path, 'persona'],
        'a scenario has either turns or a persona.',
        'Keep one of them.',
        true,
      );
    if (turns.length === 0 && persona === undefined)
      tell(
        'missing-key',
        [...path, 'turns'],
        'a scenario needs "turns", or a "persona" for the live engine.',
        'Add turns.',
      );
    const acts = turns
      .slice(1)
      .findIndex(({ interrupt }, index) => interrupt !== undefined && turns[index] === undefined);
    if (acts >= 0) tell('invalid-value', [...path, 'turns', acts], 'there is nothing to interrupt.');
    for (const [index, unwanted] of (one.never ?? []).entries()) {
      const at = [...path, 'never', index];
      if (unwanted.node !== undefined) known(nodes, 'node', unwanted.node, [...at, 'node']);
      if (unwanted.edge !== undefined) edge(unwanted.edge, [...at, 'edge']);
      if (unwanted.said !== undefined) text(unwanted.said, [...at, 'said']);
      const { tool } = unwanted;
      if (tool !== undefined) known(tools, 'tool', typeof tool === 'string' ? tool : tool.name, [...at, 'tool']);
    }
    if (one.finally !== undefined) expectation(one.finally, [...path, 'finally']);
  };

  const { defaults, scenarios } = document;
  toolsIn(defaults?.tools, ['defaults', 'tools']);
  schedulesIn(defaults ?? {}, ['defaults']);
  for (const id of Object.keys(defaults?.llm ?? {}))
    if (id !== '*') known(nodes, 'node', id, ['defaults', 'llm', id], true);
  const names = new Map<string, number>();
  for (const [index, one] of scenarios.entries()) {
    const { each: rows, ...rest } = one;
    if (rows === undefined) scenario(one, ['scenarios', index]);
    else {
      problems.push(...columnProblems(rest, rows, ['scenarios', index]));
      for (const [row, values] of rows.entries()) {
        const before = problems.length;
        const filled = fill(rest, values);
        const { data, error } = scenarioSchema.safeParse(filled);
        if (data === undefined) problems.push(...formProblems(error.issues, filled, ['scenarios', index]));
        else scenario(data, ['scenarios', index]);
        problems.push(...toldByRow(problems.splice(before), document, row));
      }
    }
    if (names.has(one.name))
      tell('duplicate-id', ['scenarios', index, 'name'], `two scenarios are called "${one.name}".`, 'Rename one.');
    names.set(one.name, index);
  }
  return withoutRepeats(problems);
}
