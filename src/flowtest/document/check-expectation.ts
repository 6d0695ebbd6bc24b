import type { Event } from '../../model/events/event.ts';
import type { DocumentPath } from '../../flow/document/problems/diagnostic.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { JsonObject } from '../../model/json.ts';
import type { PostedWait } from '../../people/waits.ts';
import { differingLines } from './differing-lines.ts';
import { lengthMs } from './durations.ts';
import type { Expectation, TakenEdge, ToolCalled, Unwanted, WholeExpectation } from './expectation.ts';
import type { ScriptedRequest } from '../../testing/scripted-model.ts';
import { pathIn, type Slice } from '../record/record.ts';
import { isSubset } from './same.ts';
import { hasText } from './text-match.ts';
import type { ToolRun } from '../play/tool-ledger.ts';
import type { TakenTransition } from '../arrows.ts';

/** An expectation that does not hold: its place in the test, the expected value and the found value. */
export interface Unmet {
  /** Relative to the expectation. */
  readonly path: DocumentPath;
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  /** The part of the flow that it is about, for the line that is shown. */
  readonly about: About;
  /** The new text after the test is refreshed. Absent for values that are never refreshed. */
  readonly fresh?: string;
}

export type About =
  /** The transition to the named node, or else the last transition. */
  | { readonly kind: 'way'; readonly to?: string }
  | { readonly kind: 'words' }
  | { readonly kind: 'slot'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'nothing' };

/** The state when an expectation is checked. */
export interface Moment {
  readonly slice: Slice;
  readonly waits: readonly PostedWait[];
  /** The result of the decision of the turn. */
  readonly decided: string | null;
  readonly isCallDue: boolean;
  /** The fields that the flow would report now. */
  readonly reported: JsonObject;
}

export interface Checked {
  readonly unmet: readonly Unmet[];
  /** The questions for a judge, for an engine that has a judge. */
  readonly questions: readonly { readonly path: DocumentPath; readonly question: string; readonly text: string }[];
}

/** Checks the expectations after a turn, or with a slice of all turns at the end. */
export function checkExpectation(expected: Expectation | WholeExpectation, moment: Moment): Checked {
  const { slice } = moment;
  const unmet: Unmet[] = [];
  const questions: { path: DocumentPath; question: string; text: string }[] = [];
  const differs = (path: DocumentPath, what: string, wanted: unknown, got: unknown, about: About): void =>
    void unmet.push({ path, message: what, expected: shown(wanted), found: shown(got), about });
  const way: About = { kind: 'way' };
  const words: About = { kind: 'words' };

  const { node, edge, noEdge, slots = {}, variables = {}, tool, llmCalls, said, event, blocked, wait } = expected;
  if (node !== undefined && node !== slice.state.position.node)
    differs(['node'], 'another node', node, slice.state.position.node, way);
  for (const [path, one] of each(edge, ['edge']))
    if (!slice.taken.some((taken) => isEdge(one, taken)))
      differs(path, 'the transition was not taken', edgeText(one), slice.taken.map(takenText), way);
  if (noEdge === true && slice.taken.length > 0)
    differs(['noEdge'], 'a transition was taken', 'none', slice.taken.map(takenText), way);
  for (const [name, value] of Object.entries(slots)) {
    const known = Object.hasOwn(slice.state.knowledge.slots, name)
      ? slice.state.knowledge.slots[name]?.value
      : undefined;
    if (!sameValue(known ?? null, value))
      differs(['slots', name], `another value of slot ${name}`, value, known ?? null, { kind: 'slot', name });
  }
  for (const [name, value] of Object.entries(variables)) {
    const known = variableOf(slice, name);
    if (!sameValue(known ?? null, value))
      differs(['variables', name], `another value of variable ${name}`, value, known ?? null, { kind: 'nothing' });
  }
  for (const [path, one] of each(tool, ['tool'])) checkTool(one, path, slice.runs, unmet);
  if (llmCalls !== undefined) {
    const { min, max } = typeof llmCalls === 'number' ? { min: llmCalls, max: llmCalls } : llmCalls;
    const times = slice.requests.length;
    if (times < (min ?? 0) || times > (max ?? Infinity))
      differs(['llmCalls'], 'the model was asked another number of times', llmCalls, times, words);
  }
  const isWord = (path: DocumentPath, wanted: string | null, got: string): void => {
    if (wanted === got) return;
    const what = wanted === null ? 'it is not written yet: roomflow test --update writes it' : 'the words are others';
    // For a long text only the difference is useful.
    const { before, after } = differingLines(wanted ?? '', got);
    const [expectedLines, found] = [shown(before.join('\n')), shown(after.join('\n'))];
    unmet.push({ path, message: what, expected: expectedLines, found, about: words, fresh: got });
  };
  if (said !== undefined) checkSaid(said, slice, differs, questions);
  if (said !== undefined && typeof said === 'object' && 'exactly' in said && said.exactly !== undefined)
    isWord(['said', 'exactly'], said.exactly, speechOf(slice));
  if ('asked' in expected && expected.asked !== undefined) checkAsked(expected.asked, slice, differs, isWord);
  if ('interrupted' in expected && expected.interrupted !== undefined) {
    const cut = slice.lines.find(({ who, interrupted }) => who === 'agent' && interrupted);
    const { interrupted } = expected;
    if (typeof interrupted === 'boolean') {
      if (interrupted !== (cut !== undefined))
        differs(['interrupted'], 'whether the agent was interrupted', interrupted, cut?.text ?? false, words);
    } else if (cut === undefined || !hasText(interrupted.heard, cut.text))
      differs(['interrupted', 'heard'], 'something else was heard', interrupted.heard, cut?.text ?? 'nothing', words);
  }
  for (const [path, one] of each(event, ['event'])) checkEvent(one, path, slice.events, differs);
  for (const [path, one] of each(blocked, ['blocked'])) {
    const { tool: name, reason } = typeof one === 'string' ? { tool: one, reason: undefined } : one;
    const all = slice.events.flatMap((told) => (told.type === 'tool:blocked' ? [told.data] : []));
    if (!all.some((data) => data.function === name && (reason === undefined || data.reason === reason)))
      differs(path, 'the call was not refused', one, all, { kind: 'function', name });
  }
  if (wait !== undefined) checkWait(wait, moment.waits, differs);
  if (expected.transfer !== undefined) checkTransfer(expected.transfer, slice, differs);
  if ('decided' in expected && expected.decided !== undefined && expected.decided !== moment.decided)
    differs(['decided'], 'the decision came to something else', expected.decided, moment.decided ?? 'none', {
      kind: 'nothing',
    });
  if (expected.callDue !== undefined && expected.callDue !== moment.isCallDue)
    differs(['callDue'], 'whether the caller has to be called', expected.callDue, moment.isCallDue, way);
  const { outcome, language } = expected;
  if (typeof outcome === 'object') checkOutcome(outcome, moment, differs);
  else if (outcome !== undefined && outcome !== (typeof outcome === 'boolean' ? slice.ended !== null : slice.ended))
    differs(['outcome'], 'another end', outcome, slice.ended ?? `not ended, in node ${slice.state.position.node}`, way);
  if (language !== undefined && language !== slice.language)
    differs(['language'], 'another language is spoken', language, slice.language, { kind: 'nothing' });
  if (expected.path !== undefined) {
    const wanted = expected.path;
    const path = pathIn(slice.events, slice.state.position.node);
    const parted = path.find((id, index) => id !== wanted[index]);
    const where: About = parted === undefined ? way : { kind: 'way', to: parted };
    if (!sameValue(path, wanted)) differs(['path'], 'another way through the flow', wanted, path, where);
  }
  if ('openWaits' in expected && expected.openWaits !== undefined && expected.openWaits !== moment.waits.length)
    differs(['openWaits'], 'another number of open waits', expected.openWaits, moment.waits.length, way);
  return { unmet, questions };
}

function checkOutcome(
  { name, fields = {} }: Extract<NonNullable<Expectation['outcome']>, object>,
  { slice, reported }: Moment,
  differs: Differs,
): void {
  const ended = slice.events.findLast(({ type }) => type === 'flow:ended');
  const found = (ended?.type === 'flow:ended' ? ended.data.outcome : undefined) ?? slice.ended;
  const way: About = { kind: 'way' };
  if (found === null || (name !== undefined && name !== found))
    differs(['outcome', 'name'], 'another outcome', name ?? 'an end', found ?? 'not ended', way);
  for (const [field, value] of Object.entries(fields)) {
    const known = Object.hasOwn(reported, field) ? reported[field] : null;
    if (!sameValue(known ?? null, value))
      differs(['outcome', 'fields', field], `another value of field ${field}`, value, known ?? null, {
        kind: 'nothing',
      });
  }
}

type Differs = (path: DocumentPath, what: string, wanted: unknown, got: unknown, about: About) => void;

function checkSaid(
  said: NonNullable<Expectation['said']>,
  { lines, startedAt }: Slice,
  differs: Differs,
  questions: { path: DocumentPath; question: string; text: string }[],
): void {
  const heard = lines.filter(({ who }) => who === 'agent');
  const speech = speechOf({ lines });
  const about: About = { kind: 'words' };
  const contains = (path: DocumentPath, wanted: string | readonly string[] | undefined): void => {
    for (const [at, text] of each(wanted, path))
      if (!hasText(text, speech)) differs(at, 'this was not said', text, speech === '' ? 'nothing' : speech, about);
  };
  if (typeof said === 'string' || Array.isArray(said)) return contains(['said'], said);
  const { contains: wanted, not, within, judge } = said;
  contains(['said', 'contains'], wanted);
  for (const [at, text] of each(not, ['said', 'not']))
    if (hasText(text, speech)) differs(at, 'this was said', `not ${text}`, speech, about);
  if (within !== undefined) {
    const began = heard[0]?.at;
    const tookMs = began === undefined ? null : began - startedAt;
    if (tookMs === null || tookMs > lengthMs(within))
      differs(
        ['said', 'within'],
        'it took longer',
        within,
        tookMs === null ? 'nothing was said' : `${tookMs}ms`,
        about,
      );
  }
  if (judge !== undefined) questions.push({ path: ['said', 'judge'], question: judge, text: speech });
}

function speechOf({ lines }: Pick<Slice, 'lines'>): string {
  return lines.flatMap(({ who, text }) => (who === 'agent' ? [text] : [])).join(' ');
}

function checkAsked(
  { contains, not, exactly }: NonNullable<Expectation['asked']>,
  { requests }: Slice,
  differs: Differs,
  isWord: (path: DocumentPath, wanted: string | null, got: string) => void,
): void {
  const texts = requests.map(requestText);
  const about: About = { kind: 'words' };
  const all = texts.join('\n\n');
  for (const [path, wanted] of each(contains, ['asked', 'contains']))
    if (!texts.some((text) => hasText(wanted, text)))
      differs(path, 'the model was not asked this', wanted, all === '' ? 'nothing' : all, about);
  for (const [path, wanted] of each(not, ['asked', 'not']))
    if (texts.some((text) => hasText(wanted, text)))
      differs(path, 'the model was asked this', `not ${wanted}`, all, about);
  if (exactly !== undefined) isWord(['asked', 'exactly'], exactly, texts.at(-1) ?? '');
}

/** A request to the model as one text: the prompts, the offered functions, and the conversation. */
function requestText({ instructions, tools, items }: ScriptedRequest): string {
  const offered = tools.length === 0 ? [] : [`functions: ${tools.join(', ')}`];
  return [instructions.trim(), ...offered, ...(items.length === 0 ? [] : [items.join('\n')])].join('\n\n');
}

function checkTool(expected: ToolCalled, path: DocumentPath, all: readonly ToolRun[], unmet: Unmet[]): void {
  const { name, args, match, times, effective } = typeof expected === 'string' ? { name: expected } : expected;
  const runs = all.filter((run) => run.name === name);
  const about: About = { kind: 'function', name };
  const fitting = args === undefined ? runs : runs.filter((run) => hasArguments(args, run.args, match));
  const differs = (key: readonly string[], message: string, wanted: unknown, got: unknown): void =>
    void unmet.push({ path: [...path, ...key], message, expected: shown(wanted), found: shown(got), about });
  const isWanted = times !== 0 && effective !== 0;
  if (runs.length === 0 && isWanted)
    return differs([], `${name} did not run`, typeof expected === 'string' ? name : expected, ranText(all));
  if (fitting.length === 0 && args !== undefined && isWanted)
    return differs(
      ['args'],
      `${name} ran with other arguments`,
      args,
      runs.length === 1 ? runs[0]?.args : runs.map((run) => run.args),
    );
  if (times !== undefined && times !== fitting.length)
    differs(['times'], `${name} was attempted another number of times`, times, fitting.length);
  const took = new Set(fitting.filter(({ outcome }) => outcome === 'returned').map(({ key }) => key)).size;
  if (effective !== undefined && effective !== took)
    differs(['effective'], `${name} took effect another number of times`, effective, took);
}

function hasArguments(wanted: object, given: object, match: 'subset' | 'exact' = 'subset'): boolean {
  return match === 'exact' ? sameValue(wanted, given) : isSubset(wanted, given);
}

function checkEvent(
  expected: Exclude<NonNullable<Expectation['event']>, readonly unknown[]>,
  path: DocumentPath,
  events: readonly Event[],
  differs: Differs,
): void {
  const { type, data = {}, count } = typeof expected === 'string' ? { type: expected } : { ...expected };
  const found = events.filter((event) => event.type === type && isSubset(data, event.data));
  const ofType = events.filter((event) => event.type === type).map((event) => event.data);
  const about: About = { kind: 'nothing' };
  if (count === undefined && found.length === 0) differs(path, `no such event ${type}`, data, ofType, about);
  if (count !== undefined && count !== found.length)
    differs([...path, 'count'], `another number of events ${type}`, count, found.length, about);
}

function checkTransfer(
  { brief, ...wanted }: NonNullable<Expectation['transfer']>,
  { state }: Slice,
  differs: Differs,
): void {
  const open = Object.values(state.effects).flatMap((effect) => {
    if (effect.kind !== 'transfer') return [];
    const { to, mode, brief: words, ringMs } = effect.payload;
    const text = words === null ? '' : 'text' in words ? words.text : words.prompt;
    return [{ to: to.kind === 'line' ? to.address : to.name, mode, brief: text, ringMs }];
  });
  const fits = open.some((one) => isSubset(wanted, one) && (brief === undefined || hasText(brief, one.brief)));
  if (!fits) differs(['transfer'], 'no such transfer is open', { brief, ...wanted }, open, { kind: 'way' });
}

function checkWait(wanted: NonNullable<Expectation['wait']>, waits: readonly PostedWait[], differs: Differs): void {
  const open = waits.map(({ effect: { payload } }) => ({
    to: payload.to,
    question: payload.question,
    options: payload.options,
    facts: payload.facts,
    kind: payload.wait,
  }));
  const about: About = { kind: 'way' };
  if (typeof wanted === 'boolean') {
    if (wanted !== open.length > 0) differs(['wait'], 'whether something is waited for', wanted, open, about);
    return;
  }
  const { question, ...rest } = wanted;
  const fits = open.some((one) => isSubset(rest, one) && (question === undefined || hasText(question, one.question)));
  if (!fits) differs(['wait'], 'nothing like that is waited for', wanted, open, about);
}

/** Unwanted events that happened. `turn` is their place. */
export function unwantedIn(unwanted: Unwanted, slice: Slice): readonly Omit<Unmet, 'expected'>[] {
  const found: Omit<Unmet, 'expected'>[] = [];
  const { node, edge, tool, said, event } = unwanted;
  if (node !== undefined && pathIn(slice.events, slice.state.position.node).includes(node))
    found.push({ path: ['node'], message: `the flow was in node ${node}`, found: node, about: { kind: 'way' } });
  const taken = edge === undefined ? undefined : slice.taken.find((one) => isEdge(edge, one));
  if (taken !== undefined)
    found.push({
      path: ['edge'],
      message: 'the transition was taken',
      found: takenText(taken),
      about: { kind: 'way' },
    });
  if (tool !== undefined) {
    const { name, args = {} } = typeof tool === 'string' ? { name: tool } : tool;
    const run = slice.runs.find((one) => one.name === name && isSubset(args, one.args));
    if (run !== undefined)
      found.push({ path: ['tool'], message: `${name} ran`, found: shown(run.args), about: { kind: 'function', name } });
  }
  const line =
    said === undefined ? undefined : slice.lines.find(({ who, text }) => who === 'agent' && hasText(said, text));
  if (line !== undefined)
    found.push({ path: ['said'], message: 'this was said', found: line.text, about: { kind: 'words' } });
  if (event !== undefined) {
    const { type, data = {} } = typeof event === 'string' ? { type: event } : { ...event };
    const told = slice.events.find((one) => one.type === type && isSubset(data, one.data));
    if (told !== undefined)
      found.push({
        path: ['event'],
        message: `${type} was reported`,
        found: shown(told.data),
        about: { kind: 'nothing' },
      });
  }
  return found;
}

function isEdge(wanted: TakenEdge, taken: TakenTransition): boolean {
  if (typeof wanted === 'string') {
    const [from, to] = wanted.split('->').map((id) => id.trim());
    return taken.from === from && taken.to === to;
  }
  const { from, to, because, function: name } = wanted;
  return (
    (from === undefined || from === taken.from) &&
    (to === undefined || to === taken.to) &&
    (because === undefined || because === taken.cause) &&
    (name === undefined || name === taken.function)
  );
}

function edgeText(edge: TakenEdge): string {
  if (typeof edge === 'string') return edge;
  const { from = '*', to = '*', because, function: name } = edge;
  return `${from} -> ${to}${because === undefined ? '' : `, because of ${because}`}${name === undefined ? '' : ` ${name}`}`;
}

function takenText({ from, to, cause, function: name, edge }: TakenTransition): string {
  const by = name ?? (edge === undefined ? cause : `edge ${edge + 1}`);
  return `${from} -> ${to} (${by})`;
}

function variableOf({ state }: Slice, name: string): unknown {
  for (const values of [state.knowledge.variables, state.knowledge.outputs] as const)
    if (Object.hasOwn(values, name)) return (values as Readonly<Record<string, unknown>>)[name];
  return undefined;
}

function ranText(runs: readonly ToolRun[]): string {
  return runs.length === 0 ? 'no tool' : [...new Set(runs.map(({ name }) => name))].join(', ');
}

/** A list, or a single item instead of it, each item with its path. */
function each<One>(
  given: One | readonly One[] | undefined,
  path: DocumentPath,
): readonly (readonly [DocumentPath, One])[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [[path, given as One]]; // Not a list: a single item.
  return (given as readonly One[]).map((one, index) => [[...path, index], one]);
}

/** A value for people, shortened if it is long. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '[]') return 'none';
  return text.length > 600 ? `${text.slice(0, 600)} …` : text;
}
