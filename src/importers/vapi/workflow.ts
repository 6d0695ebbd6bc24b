import { createDraft, type Draft, type Drafted } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system, type Exit } from '../router.ts';
import type { SourceDocument, Source } from '../source.ts';
import { noteUnread } from '../unread-keys.ts';
import { shortly, plainText } from '../words.ts';
import { readKeys, readValues } from './assistant.ts';
import { whenOfLiquid } from './liquid.ts';
import { readSilence } from './silence.ts';
import { liquidText } from './tools.ts';
import { type StepExits, writeStep } from './write-step.ts';

/** Converts a workflow of Vapi, of any version of the format, to a document of ours. */
export function importVapiWorkflow(root: Source, reading: SourceDocument): Drafted {
  const draft = createDraft(root.file);
  draft.root.name = root.text('name') ?? 'vapi-workflow';
  const prompt = root.text('globalPrompt');
  if (prompt !== undefined) {
    draft.root.role_messages = [system(liquidText(draft, prompt, root.at('globalPrompt')))];
    draft.notes.taken(root.at('globalPrompt'), 'the global prompt is role_messages of the flow');
  }
  readValues(draft, root.at('variableValues'));
  const steps = root.items('nodes').filter((node) => isRecord(node.value));
  const keyed = steps.map((node, index) => ({ node, id: draft.id(nameOf(node), `step ${index + 1}`) }));
  const ids = new Map<string, string>();
  for (const { node, id } of keyed)
    for (const key of [node.at('id').value, node.at('name').value])
      if (typeof key === 'string' && !ids.has(key)) ids.set(key, id);
  const exits = readEdges(draft, root, ids);
  for (const { node, id } of keyed) {
    writeGlobal(draft, node, id);
    writeStep(draft, node, id, exits.get(id) ?? { ways: [], onward: undefined, failed: undefined });
    for (const key of ['id', 'metadata', 'isStart', 'name', 'position']) node.at(key).take();
  }
  const start = keyed.find(({ node }) => node.at('isStart').value === true) ?? keyed[0];
  if (start === undefined) {
    draft.notes.lost(root, 'the workflow has no nodes');
    const id = draft.id('start');
    draft.node(id, { task_messages: [system('Answer the caller.')] }, root);
    draft.root.initial = id;
  } else {
    draft.root.initial = start.id;
    if (start.node.at('isStart').value !== true && keyed.length > 1)
      draft.notes.changed(root, 'no node is the start: the flow begins in the first');
  }
  const ladder = readSilence(draft, root);
  if (ladder !== undefined) draft.root.ladder = ladder;
  readKeys(draft, root);
  noteUnread(draft, reading, root);
  return draft.finish();
}

function nameOf(node: Source): string | undefined {
  const own = node.at('name').value;
  if (typeof own === 'string' && own.trim() !== '') return own;
  const id = node.at('id').value;
  return typeof id === 'string' ? id : undefined;
}

/** The exits of each node, by our ids. */
function readEdges(draft: Draft, root: Source, ids: ReadonlyMap<string, string>): ReadonlyMap<string, StepExits> {
  const found = new Map<string, { ways: Exit[]; onward: string | undefined; failed: string | undefined }>();
  for (const edge of root.items('edges')) {
    const [from, to] = [edge.text('from') ?? edge.text('source'), edge.text('to') ?? edge.text('target')];
    const [source, target] = [ids.get(from ?? ''), ids.get(to ?? '')];
    for (const key of ['id', 'metadata', 'label']) edge.at(key).take();
    if (source === undefined || target === undefined) {
      draft.notes.lost(
        edge,
        `an edge from ${JSON.stringify(from ?? '')} to ${JSON.stringify(to ?? '')} was left out: one of them is not in the file`,
      );
      edge.take();
      continue;
    }
    const exits = found.get(source) ?? { ways: [], onward: undefined, failed: undefined };
    found.set(source, exits);
    readCondition(draft, edge, target, exits);
  }
  return found;
}

function readCondition(
  draft: Draft,
  edge: Source,
  to: string,
  exits: { ways: Exit[]; onward: string | undefined; failed: string | undefined },
): void {
  const condition = edge.at('condition');
  const always = (): void => {
    if (exits.onward === undefined) exits.onward = to;
    else if (exits.onward !== to) draft.notes.lost(edge, `a second edge without a condition, to ${to}, is never taken`);
  };
  const words = (text: string | undefined): void => {
    if (text === undefined || text.trim() === '') return always();
    exits.ways.push({ kind: 'words', words: liquidText(draft, text, condition), to, place: edge });
  };
  if (typeof condition.value === 'string') return words(plainText(condition.take()));
  if (!isRecord(condition.value)) return always();
  const type = condition.text('type') ?? 'ai';
  if (type === 'failed') {
    exits.failed ??= to;
    return;
  }
  if (type === 'logic') {
    const liquid = condition.text('liquid') ?? '';
    const when = whenOfLiquid(draft, liquid);
    if (when === 'always') return always();
    if (when === 'never') return draft.notes.lost(condition, `a condition that never holds: ${shortly(liquid)}`);
    if (when === undefined)
      return draft.notes.lost(
        condition,
        `a condition that cannot be written here, with its edge to ${to}: ${shortly(liquid)}`,
      );
    exits.ways.push({ kind: 'when', when, to, place: edge });
    return;
  }
  condition.at('matches').take();
  words(condition.text('prompt') ?? condition.text('condition') ?? condition.text('description'));
}

/** A node that can be reached from everywhere is a function of the flow. */
function writeGlobal(draft: Draft, node: Source, id: string): void {
  const plan = node.at('globalNodePlan');
  const isGlobal = plan.flag('enabled') === true || node.flag('isGlobal') === true;
  const text = plan.text('enterCondition') ?? (node.at('isGlobal').value === true ? node.text('condition') : undefined);
  plan.at('enterCondition').take();
  if (!isGlobal) return;
  if (text === undefined) {
    draft.notes.lost(node, `node ${id} is global and says not when: it is reached by its edges alone`);
    return;
  }
  draft.root.functions.push({
    name: draft.functionName(`to_${id}`),
    description: liquidText(draft, text, node),
    transition_to: id,
  });
  draft.notes.taken(node, `a global node is a function of the flow that leads to ${id}`);
}
