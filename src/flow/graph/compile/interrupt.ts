import { ownValue } from '../../expression/own-value.ts';
import { parseTemplate } from '../../expression/template.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { NodeDocument } from '../../document/node.ts';
import { compileFunction } from './function.ts';
import { compileTask } from './task.ts';
import type { GraphFunction, GraphInterrupt, Prompt } from '../graph.ts';
import type { DocumentTypes } from '../nodes/node-packs.ts';
import type { WaitingNodeType } from '../nodes/node-type.ts';
import type { Registered } from './registered.ts';
import { bindingAt, type Report } from '../report.ts';
import { durationMs, isWallTime } from '../../document/times.ts';
import { wordingsAt } from './text-in-language.ts';
import type { Wordings } from '../../expression/wordings.ts';
import type { SpokenTextDocument } from '../../document/spoken-text.ts';

/** What a node that waits is in a conversation: what it waits for, and what it says and offers meanwhile. */
export interface CompiledInterrupt {
  readonly interrupt: GraphInterrupt | null;
  readonly say: Wordings | null;
  readonly functions: readonly GraphFunction[];
  readonly messages: readonly Prompt[];
}

/** The type of a node that waits for somebody outside of the call; null for every other. */
export function waitingType({ type }: Pick<NodeDocument, 'type'>, types: DocumentTypes): WaitingNodeType | null {
  const found = type === undefined ? undefined : types.get(type);
  return found !== undefined && 'interrupts' in found ? found : null;
}

/** Resolves a node that waits. `own`: the functions that it offers anyway. */
export function compileInterrupt(
  report: Report,
  source: NodeDocument & { readonly type: string },
  path: DocumentPath,
  options: Registered & { readonly types: DocumentTypes },
  own: readonly GraphFunction[],
): CompiledInterrupt {
  const compiled = compileTask(report, source, path, options.types, options);
  if (compiled === null) return { interrupt: null, say: null, functions: own, messages: [] };
  const { task } = compiled;
  // As its schema says; what does not meet it is reported already.
  const { say, meanwhile = {} } = task.literal as {
    readonly say?: SpokenTextDocument;
    readonly meanwhile?: {
      readonly every?: string;
      readonly say?: SpokenTextDocument;
      readonly functions?: readonly string[];
    };
  };
  const at = [...path, 'input', 'meanwhile'];
  const lines = meanwhile.say === undefined ? null : wordingsAt(report, meanwhile.say, [...at, 'say']);
  // Whoever waits for a time has told the caller so, and is silent where the author says nothing else.
  const isTimed = source.input?.['for'] !== undefined || source.input?.['until'] !== undefined;
  const isAlone = isTimed && task.literal['meanwhile'] === undefined;
  const company = isAlone ? null : { everyMs: durationMs(meanwhile.every ?? usualCompany), lines };
  const type = task.type as WaitingNodeType;
  // What is bound is still the text of its template.
  const asksCaller = type.asksCaller?.(source.input ?? {}) === true;
  const asked = source.input?.['question'];
  const question = asksCaller && typeof asked === 'string' ? asked : '';
  const named: readonly string[] = Array.isArray(meanwhile.functions) ? meanwhile.functions : [];
  return {
    interrupt: {
      asksCaller,
      // Its names are reported with those of the input.
      question:
        question === '' ? null : { place: [...path, 'input', 'question'].join('.'), texts: [parseTemplate(question)] },
      options: type.options?.(source.input ?? {}) ?? null,
      asks: { ...task, literal: {} },
      company,
      leadsTo: deadlineTargets(source, path),
      output:
        source.output === undefined
          ? null
          : bindingAt(report, source.output, [...path, 'output'], ['resolution', 'actor']),
    },
    say: say === undefined ? null : wordingsAt(report, say, [...path, 'input', 'say']),
    functions: [
      ...own,
      ...named.map((name, index) => compileFunction(report, { name }, [...at, 'functions', index], options)),
    ],
    messages: asksCaller ? [] : [waitingPrompt],
  };
}

/** How long the caller may be silent before a line is said. */
const usualCompany = '20s';

/** The nodes that its deadlines go to, and where that stands. */
export function deadlineTargets(
  { input = {} }: Pick<NodeDocument, 'input'>,
  path: DocumentPath,
): GraphInterrupt['leadsTo'] {
  return deadlineSteps(input, path).flatMap(({ step, at }) => {
    const to = ownValue(step, 'node');
    return ownValue(step, 'then') === 'go_to' && typeof to === 'string' ? [{ to, at: [...at, 'node'] }] : [];
  });
}

/** The times without an offset that it waits for or has deadlines at, and where each stands. */
export function wallTimes(
  { input = {} }: Pick<NodeDocument, 'input'>,
  path: DocumentPath,
): readonly { readonly time: string; readonly at: DocumentPath }[] {
  const times = [
    { time: input['until'], at: [...path, 'input', 'until'] },
    ...deadlineSteps(input, path).map(({ step, at }) => ({ time: ownValue(step, 'at'), at: [...at, 'at'] })),
  ];
  return times.flatMap(({ time, at }) => (typeof time === 'string' && isWallTime(time) ? [{ time, at }] : []));
}

/** The steps of a deadline, which is one or a list of them, and where each stands. */
function deadlineSteps(
  { deadline }: NonNullable<NodeDocument['input']>,
  path: DocumentPath,
): readonly { readonly step: unknown; readonly at: DocumentPath }[] {
  const at = [...path, 'input', 'deadline'];
  const steps: readonly unknown[] = [deadline ?? []].flat();
  return steps.map((step, index) => ({ step, at: Array.isArray(deadline) ? [...at, index] : at }));
}

/** What the model is told of a caller who waits. */
export const waitingPrompt: Prompt = {
  role: 'system',
  content: parseTemplate(
    'The caller waits for an answer that a colleague or another system gives, and hears it as soon as it is there. Answer what they say meanwhile in one or two sentences. Do not decide what is waited for, and promise nothing about it.',
  ),
};
