import type { Draft } from '../draft.ts';
import type { DraftFunction } from '../draft-node.ts';
import { createUnique, plainText } from '../words.ts';
import type { Source } from '../source.ts';
import { readTool } from './read-tool.ts';
import type { Scope } from './scopes.ts';

/** Converts the tools of a node that may call several of them to its functions. */
export function readSubagentTools(draft: Draft, source: Source, id: string, scope: Scope): readonly DraftFunction[] {
  const ids = source.at('tool_ids').take();
  const shared = (Array.isArray(ids) ? ids : []).flatMap((each): readonly Source[] => {
    const tool = scope.tools.get(plainText(each));
    if (tool === undefined)
      draft.notes.lost(source.at('tool_ids'), `the tool ${JSON.stringify(each)} is not in the file`);
    return tool === undefined ? [] : [tool];
  });
  const names = createUnique();
  return [...shared, ...source.items('tools')].flatMap((tool) => readTool(draft, tool, id, names));
}
