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

/** A compiled waiting node of a conversation: its wait, and what it says and offers meanwhile. */
export interface CompiledInterrupt {
  readonly interrupt: GraphInterrupt | null;
  readonly say: Wordings | null;
  readonly functions: readonly GraphFunction[];
  readonly messages: readonly Prompt[];
}

/** Returns the type of a node that waits for an outside event; null for other nodes. */
export function waitingType({ type }: Pick<NodeDocument, 'type'>, types: DocumentTypes): WaitingNodeType | null {
  const found = type === undefined ? undefined : types.get(type);
  return found !== undefined && 'interrupts' in found ? found : null;
}

/** Compiles a waiting node. `own`: its own functions. */
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
  // By the type's schema; violations are already reported.
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
  // A wait for a time was announced to the caller, so it has no lines by default.
  const isTimed = source.input?.['for'] !== undefined || source.input?.['until'] !== undefined;
  const isAlone = isTimed && task.literal['meanwhile'] === undefined;
  const company = isAlone
    ? null
    : { everyMs: meanwhile.every === undefined ? usualCompanyMs : durationMs(meanwhile.every), lines };
  const type = task.type as WaitingNodeType;
  // Bound values are still template texts.
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

/** Default silence before a line is spoken, in milliseconds. */
export const usualCompanyMs = 20_000;

/** Returns the nodes that a wait's deadlines go to, with their places. */
export function deadlineTargets(
  { input = {} }: Pick<NodeDocument, 'input'>,
  path: DocumentPath,
): GraphInterrupt['leadsTo'] {
  return deadlineSteps(input, path).flatMap(({ step, at }) => {
    const to = ownValue(step, 'node');
    return ownValue(step, 'then') === 'go_to' && typeof to === 'string' ? [{ to, at: [...at, 'node'] }] : [];
  });
}

/** Returns the local times in a wait and its deadlines, with their places. */
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

/** Returns the steps of a deadline, which is one or a list, with their places. */
function deadlineSteps(
  { deadline }: NonNullable<NodeDocument['input']>,
  path: DocumentPath,
): readonly { readonly step: unknown; readonly at: DocumentPath }[] {
  const at = [...path, 'input', 'deadline'];
  const steps: readonly unknown[] = [deadline ?? []].flat();
  return steps.map((step, index) => ({ step, at: Array.isArray(deadline) ? [...at, index] : at }));
}

/** The prompt for talking to a caller who waits. */
export const waitingPrompt: Prompt = {
  role: 'system',
  content: parseTemplate(
    'The caller waits for an answer that a colleague or another system gives, and hears it as soon as it is there. Answer what they say meanwhile in one or two sentences. Do not decide what is waited for, and promise nothing about it.',
  ),
};
