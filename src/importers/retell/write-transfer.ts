import type { Draft } from '../draft.ts';
import { type ForeignTransfer, writePutThrough } from '../put-through.ts';
import { system } from '../router.ts';
import type { Source } from '../source.ts';
import type { Exits } from './instruction.ts';
import { readTransfer } from './tools.ts';

/** A transfer that the model announces in its own words follows the node in which it does so. */
export function writeTransfer(
  draft: Draft,
  source: Source,
  id: string,
  {
    about,
    say,
    prompt,
    failed,
  }: Pick<ForeignTransfer, 'say' | 'failed'> & {
    readonly about: Exits['about'];
    readonly prompt: string | undefined;
  },
): void {
  const target = readTransfer(draft, source);
  if (prompt === undefined) return writePutThrough(draft, id, { ...target, say, failed, about }, source);
  const call = draft.id(`${id}_call`);
  const goOn = { name: 'go_on', description: 'It has been said.', transition_to: call };
  const told = [system(prompt), system('Say that, ask nothing, and call go_on in the same answer.')];
  draft.node(id, { ...about, task_messages: told, functions: [goOn], default_transition: call }, source);
  writePutThrough(draft, call, { ...target, failed }, source);
}
