import { type CodeTool, functionOf } from '../code-tool.ts';
import { plainText } from '../words.ts';
import type { Draft } from '../draft.ts';
import type { DraftNode } from '../draft-node.ts';
import { system, writeRoute } from '../router.ts';
import type { Source } from '../source.ts';
import { specialEdge } from './edges.ts';
import { type Exits, instructionOf } from './instruction.ts';
import type { KeyedNode, Scope } from './scopes.ts';
import { readCodeTool } from './tools.ts';

/** Writes a node that runs code and decides by its result. */
export function writeFunction(
  draft: Draft,
  { source, id }: KeyedNode,
  scope: Scope,
  { type, ways, onward, failed, about }: Exits & { readonly type: string; readonly failed: string | undefined },
): void {
  const success = specialEdge(draft, source.at('success_edge'), scope.resolve);
  const failure = specialEdge(draft, source.at('failed_edge'), scope.resolve);
  const all = [...ways, ...success.ways];
  const leads = onward ?? success.onward;
  const isDirect = all.length === 0 && leads !== undefined;
  const next = isDirect ? leads : draft.id(`${id}_next`);
  if (!isDirect) writeRoute(draft, next, all, { onward: leads, place: source });
  if (source.flag('wait_for_result') === false)
    draft.notes.changed(
      source,
      'wait_for_result: false is not supported; the flow always waits for the result of a function',
    );
  const speaks = source.flag('speak_during_execution');
  const { say, prompt } = type === 'sms' ? {} : instructionOf(draft, source);
  const line = speaks === false ? undefined : (say ?? undefined);
  if (prompt !== undefined && speaks !== false)
    draft.notes.changed(
      source.at('instruction'),
      'the prompt for a line while a function runs: the model is not asked then, write a say or a filler',
    );
  const tool = toolOf(draft, source, scope, type);
  if (tool === undefined) return writeRoute(draft, id, [], { onward: next, place: source, ...about });
  writeCall(draft, source, id, {
    tool,
    next,
    failed: failure.onward ?? failed ?? next,
    about,
    ...(line === undefined ? {} : { line }),
  });
}

/**
 * Calls a function on entry: directly if it needs nothing from the conversation, else by the model in one inference.
 */
function writeCall(
  draft: Draft,
  source: Source,
  id: string,
  {
    tool,
    next,
    failed,
    about,
    line,
  }: { tool: CodeTool; next: string; failed: string; about: Exits['about']; line?: string },
): void {
  const offered = { ...functionOf(tool), transition_to: next };
  const said = line ?? tool.line;
  const calls: DraftNode =
    tool.parameters === undefined
      ? { call: tool.name, functions: [offered], on_error: failed, default_transition: next }
      : {
          task_messages: [system(`Say nothing. Call ${tool.name} now, with what the conversation has shown so far.`)],
          functions: [offered],
          on_error: failed,
        };
  if (said === undefined) return draft.node(id, { ...about, ...calls }, source);
  if (tool.parameters === undefined) return draft.node(id, { ...about, say: said, ...calls }, source);
  const call = draft.id(`${id}_call`);
  draft.node(id, { ...about, say: said, listen: false, default_transition: call }, source);
  draft.node(call, calls, source);
}

function toolOf(draft: Draft, source: Source, scope: Scope, type: string): CodeTool | undefined {
  source.at('tool_type').take();
  const key = source.text('tool_id') ?? source.text('tool_name');
  if (type !== 'function') return readCodeTool(draft, typed(source, type));
  const tool = key === undefined ? undefined : scope.tools.get(key);
  if (tool !== undefined) return readCodeTool(draft, tool);
  draft.notes.changed(
    source,
    `the tool ${JSON.stringify(key ?? '')} is not in the file: a function of the name of its node stands for it`,
  );
  const name = draft.tool({
    name: plainText(source.at('name').value ?? source.at('id').value ?? 'call'),
    description: '',
    effect: 'write',
    sets: {},
    notes: ['Its tool was not in the file.'],
  });
  return { name, description: '', effect: 'write' };
}

/** A node that is its own tool. */
function typed(source: Source, type: string): Source {
  const name = plainText(source.at('name').value ?? type);
  return {
    ...source,
    text(key) {
      if (key === 'type') return type;
      if (key === 'name') return source.text('mcp_tool_name') ?? name;
      return source.text(key);
    },
  };
}
