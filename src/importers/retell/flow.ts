import { createDraft, type Draft, type Drafted } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { movesOf, system } from '../router.ts';
import type { SourceDocument, Source } from '../source.ts';
import { templateText } from '../template.ts';
import { noteLost, noteUnread } from '../unread-keys.ts';
import { readAgent } from './agent.ts';
import { createScopes } from './scopes.ts';
import { writeNode } from './write-node.ts';

/** Converts a conversation flow of Retell, with or without its agent, to a document of ours. */
export function importRetellFlow(root: Source, reading: SourceDocument): Drafted {
  const draft = createDraft(root.file);
  const inside = root.at('conversationFlow');
  const flow = isRecord(inside.value) ? inside : root;
  draft.root.name = root.text('agent_name') ?? flow.text('name') ?? 'retell-flow';
  const prompt = flow.text('global_prompt');
  if (prompt !== undefined) {
    draft.root.role_messages = [system(templateText(draft, prompt, flow.at('global_prompt')))];
    draft.notes.taken(flow.at('global_prompt'), 'the global prompt is role_messages of the flow');
  }
  readVariables(draft, flow.at('default_dynamic_variables'));
  if (flow.flag('flex_mode') === true)
    draft.notes.changed(flow.at('flex_mode'), 'flex_mode: the order of nodes binds here');

  const scopes = createScopes(draft, flow);
  for (const scope of scopes.all()) for (const node of scope.nodes) writeNode(draft, node, scope, scopes);
  for (const { id, ways } of scopes.backs) {
    let isUnheard = false;
    draft.amend(id, (node) => {
      if ((isUnheard = node.listen === false)) return node;
      const own = node.functions ?? [];
      return {
        ...node,
        functions: [
          ...own,
          ...movesOf(
            ways,
            own.map(({ name }) => name),
          ),
        ],
      };
    });
    for (const way of ways)
      if (isUnheard) draft.notes.lost(way.place, 'a way back beside "skip response": the caller is not heard there');
      else if (way.kind === 'when') draft.edge(id, way.to, way.when);
  }
  const begin = startOf(draft, flow, scopes.main.nodes[0]?.id, scopes.main.ids);
  draft.root.initial = begin;
  waitForCaller(draft, flow, begin);
  if (flow !== root) readAgent(draft, root);
  else readAgent(draft, flow);
  for (const key of ['conversation_flow_id', 'version', 'begin_tag_display_position', 'start_node_id'])
    flow.at(key).take();
  noteLost(draft, flow, ['notes']);
  noteUnread(draft, reading, root);
  return draft.finish();
}

/** Default values for a call that brings none. */
export function readVariables(draft: Draft, map: Source): void {
  for (const [theirs, part] of map.members()) {
    const value = part.take();
    if (value === null || value === undefined) continue;
    draft.first(draft.name(theirs, 'read'), value);
    draft.notes.taken(part, `variable ${theirs} has its default`);
  }
}

function startOf(draft: Draft, flow: Source, first: string | undefined, ids: ReadonlyMap<string, string>): string {
  const named = flow.text('start_node_id');
  const found = named === undefined ? undefined : ids.get(named);
  if (found !== undefined) return found;
  if (named !== undefined)
    draft.notes.changed(
      flow.at('start_node_id'),
      `the start node ${JSON.stringify(named)} is not in the file: the flow begins in its first node`,
    );
  if (first !== undefined) return first;
  const id = draft.id('start');
  draft.notes.lost(flow, 'the flow has no nodes');
  draft.node(id, { task_messages: [system('Answer the caller.')] }, flow);
  return id;
}

/** If the caller speaks first, nothing is said before that. */
export function waitForCaller(draft: Draft, flow: Source, begin: string): void {
  const silence = flow.number('begin_after_user_silence_ms');
  const isUser = flow.text('start_speaker') === 'user';
  if (silence !== undefined)
    draft.notes.lost(
      flow.at('begin_after_user_silence_ms'),
      'begin_after_user_silence_ms: the caller’s silence does not change which side begins',
    );
  if (!isUser) return;
  const id = draft.id('wait_for_caller');
  draft.node(id, { respond_immediately: false, listen: true, default_transition: begin }, flow);
  draft.root.initial = id;
  draft.notes.taken(flow.at('start_speaker'), 'the caller speaks first: the flow begins in a node that only listens');
}
