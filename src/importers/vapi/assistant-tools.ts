import type { Draft } from '../draft.ts';
import type { DraftFunction } from '../draft-node.ts';
import { writePutThrough } from '../put-through.ts';
import { keptArguments } from '../kept-arguments.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { argumentsSchema } from '../schema-of-arguments.ts';
import type { Source } from '../source.ts';
import { noteLost } from '../unread-keys.ts';
import { createUnique, functionNameOf, shortly, type Unique, plainText } from '../words.ts';
import { codeFunction, liquidText, readCode, toolName } from './tools.ts';

/** The targets of tools: other assistants by their names, and lines for the end. */
export interface ToolTargets {
  /** The node of an assistant, or undefined if it is not in the file. */
  readonly assistant: (destination: Source) => string | undefined;
  /** The line at the end of a call. */
  goodbye(): string | undefined;
}

/** Everything that an assistant or a node of a workflow may call, as functions. */
export function readTools(draft: Draft, holder: Source, near: string, targets: ToolTargets): readonly DraftFunction[] {
  const names = createUnique();
  const outside = holder.at('toolIds').take();
  if (Array.isArray(outside) && outside.length > 0)
    draft.notes.lost(
      holder.at('toolIds'),
      `tools that are not in the file: ${outside.map(plainText).join(', ')}. Export them as well, or write them as functions`,
    );
  return [...holder.items('tools'), ...holder.items('functions')].flatMap((tool) =>
    readTool(draft, tool, near, names, targets),
  );
}

function readTool(
  draft: Draft,
  tool: Source,
  near: string,
  names: Unique,
  targets: ToolTargets,
): readonly DraftFunction[] {
  if (!isRecord(tool.value)) return [];
  const type = (tool.text('type') ?? 'function').toLowerCase();
  switch (type) {
    case 'endcall': {
      const line = lineOf(draft, tool) ?? targets.goodbye();
      const to = draft.id(`${near} end call`);
      draft.node(to, { say: line ?? 'Goodbye.', end: 'ended' }, tool);
      draft.notes.taken(tool, `endCall ends at node ${to}`);
      return [
        {
          name: names.next(functionNameOf(toolName(tool, 'end_call'))),
          description: descriptionOf(draft, tool) ?? 'The caller is done.',
          transition_to: to,
        },
      ];
    }
    case 'transfercall':
      return readTransfer(draft, tool, near, names, targets);
    case 'handoff':
      return readHandoff(draft, tool, near, names, targets);
    case 'dtmf':
    case 'voicemail':
    case 'output':
      draft.notes.lost(tool, `the tool "${type}": no function stands for it`);
      tool.take();
      return [];
    default: {
      const code = readCode(draft, tool, type);
      if (code.line !== undefined || code.failure !== undefined)
        draft.notes.lost(
          tool.at('messages'),
          `the line while ${code.name} runs or after it fails (${shortly(code.line ?? code.failure ?? '')}): write a filler, or let the function return it`,
        );
      draft.notes.taken(tool, `tool ${code.name} is a function, whose code has to be written`);
      return names.has(code.name) ? [] : [codeFunction(code, names)];
    }
  }
}

function descriptionOf(draft: Draft, tool: Source): string | undefined {
  const text = tool.at('function').text('description') ?? tool.text('description');
  return text === undefined ? undefined : liquidText(draft, text, tool);
}

function lineOf(draft: Draft, tool: Source): string | undefined {
  for (const message of tool.items('messages')) {
    const text = message.text('content');
    message.take();
    if (text !== undefined) return liquidText(draft, text, message);
  }
  return undefined;
}

/** Each destination of a transfer: another assistant is a node. Every other destination ends the flow with a reason. */
function readTransfer(
  draft: Draft,
  tool: Source,
  near: string,
  names: Unique,
  targets: ToolTargets,
): readonly DraftFunction[] {
  const given = toolName(tool, 'transfer_call');
  const general = descriptionOf(draft, tool);
  const line = lineOf(draft, tool);
  tool.at('function').take();
  const destinations = tool.items('destinations');
  if (destinations.length === 0)
    draft.notes.changed(
      tool,
      'a transfer whose destination a server decides: the flow ends for the reason "transferred"',
    );
  const all = destinations.length === 0 ? [tool] : destinations;
  return all.map((destination) => {
    const node = destination === tool ? undefined : targets.assistant(destination);
    const to = node ?? draft.id(`${near} ${given}`);
    if (node === undefined) writeTransfer(draft, to, destination, line);
    const own = destination === tool ? undefined : destination.text('description');
    const description = own === undefined ? general : liquidText(draft, own, destination);
    return {
      name: names.next(functionNameOf(given)),
      description: description ?? 'The caller wants to be put through.',
      transition_to: to,
    };
  });
}

/** Writes the node of a transfer to a number, or an end if a server decides about the number. */
export function writeTransfer(draft: Draft, id: string, destination: Source, line: string | undefined): void {
  const message = destination.at('message');
  const own = message.text('content') ?? destination.text('message');
  message.take();
  const where = destination.text('number') ?? destination.text('sipUri') ?? destination.text('phoneNumber') ?? '';
  const isWarm = (destination.at('transferPlan').text('mode') ?? '').startsWith('warm');
  noteLost(draft, destination, [
    'transferPlan',
    'extension',
    'callerId',
    'numberE164CheckEnabled',
    'sipHeaders',
    'transferMode',
  ]);
  for (const key of ['type', 'destination', 'assistantName']) destination.at(key).take();
  const say = own === undefined ? line : liquidText(draft, own, destination);
  writePutThrough(draft, id, { to: liquidText(draft, where, destination), isWarm, say }, destination);
}

function readHandoff(
  draft: Draft,
  tool: Source,
  near: string,
  names: Unique,
  targets: ToolTargets,
): readonly DraftFunction[] {
  const given = tool.at('function').text('name');
  const general = descriptionOf(draft, tool);
  tool.at('function').take();
  for (const message of tool.items('messages')) {
    message.take();
    draft.notes.lost(message, 'the line during a handoff: the node that is entered speaks');
  }
  if (isRecord(tool.at('rejectionPlan').take()))
    draft.notes.lost(tool.at('rejectionPlan'), 'rejectionPlan: describe when to call the function');
  const found = tool.items('destinations').flatMap((destination, index): readonly DraftFunction[] => {
    const type = destination.text('type') ?? 'assistant';
    const to = targets.assistant(destination);
    if (to === undefined) {
      const whom = plainText(
        destination.at('assistantName').value ??
          destination.at('assistantId').value ??
          destination.at('squadId').value ??
          type,
      );
      draft.notes.lost(
        destination,
        `a handoff to ${JSON.stringify(shortly(whom))}, which is not in the file, ends the flow for the reason "handoff"`,
      );
    }
    const end = to ?? draft.id(`${near} handoff`);
    if (to === undefined) draft.node(end, { end: 'handoff' }, destination);
    const own = destination.text('description');
    const description = own === undefined ? general : liquidText(draft, own, destination);
    const plan = destination.at('variableExtractionPlan');
    const schema = argumentsSchema(plan.at('schema').take());
    const parameters = schema === undefined ? undefined : keptArguments(draft, schema);
    for (const alias of plan.items('aliases')) {
      const key = alias.text('key');
      const value = /^\s*\{\{\s*([^{}|]+?)\s*\}\}\s*$/.exec(alias.text('value') ?? '')?.[1];
      if (key === undefined) continue;
      if (value !== undefined) draft.same(key, value);
      else draft.notes.lost(alias, `the value of ${key} is computed: nothing sets it`);
    }
    const name = given !== undefined && index === 0 ? given : `${given ?? 'handoff_to'}_${end}`;
    return [
      {
        name: names.next(functionNameOf(name)),
        description: description ?? `Goes on with ${end}.`,
        ...(parameters === undefined ? {} : { parameters }),
        transition_to: end,
      },
    ];
  });
  return found;
}
