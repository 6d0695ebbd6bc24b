import { createDraft, type Draft, type Drafted } from '../draft.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system } from '../router.ts';
import type { SourceDocument, Source } from '../source.ts';
import { noteLost, noteUnread } from '../unread-keys.ts';
import { shortly, plainText } from '../words.ts';
import { readKeys, readValues, writeAssistant } from './assistant.ts';
import { liquidText } from './tools.ts';

/** Converts one assistant of Vapi to a flow. */
export function importVapiAssistant(root: Source, reading: SourceDocument): Drafted {
  const draft = createDraft(root.file);
  draft.root.name = root.text('name') ?? 'vapi-assistant';
  readValues(draft, root.at('variableValues'));
  const overrides = root.at('assistantOverrides');
  readValues(draft, overrides.at('variableValues'));
  writeAssistant(draft, root, draft.id(root.text('name'), 'main'), {
    targets: { assistant: () => undefined },
    isFirst: true,
    isAlone: true,
  });
  noteUnread(draft, reading, root);
  return draft.finish();
}

interface Member {
  readonly member: Source;
  readonly assistant: Source;
  readonly id: string;
}

/** Converts a squad of Vapi: each assistant is a node, and a handoff is a function that leads to one. */
export function importVapiSquad(root: Source, reading: SourceDocument): Drafted {
  const draft = createDraft(root.file);
  draft.root.name = root.text('name') ?? 'vapi-squad';
  const members = root.items('members').flatMap((member): readonly Member[] => {
    const assistant = member.at('assistant');
    const outside = member.text('assistantId');
    if (!isRecord(assistant.value)) {
      const name = plainText(outside ?? member.at('name').value ?? 'assistant');
      draft.notes.lost(
        member,
        `the assistant ${JSON.stringify(shortly(name))} is not in the file: a node stands for it. Export it as well`,
      );
    }
    const name = assistant.text('name') ?? member.at('assistantOverrides').text('name');
    return [
      {
        member,
        assistant,
        id: draft.id(name, outside === undefined ? undefined : `assistant ${outside.slice(0, 8)}`, 'assistant'),
      },
    ];
  });
  const byName = new Map<string, string>();
  for (const { member, assistant, id } of members)
    for (const key of [
      assistant.at('name').value,
      member.at('assistantId').value,
      member.at('assistantOverrides').at('name').value,
      assistant.at('id').value,
    ])
      if (typeof key === 'string' && !byName.has(key)) byName.set(key, id);
  const targetOf = (destination: Source): string | undefined => {
    const name =
      destination.text('assistantName') ?? destination.text('assistantId') ?? destination.at('assistant').text('name');
    destination.text('type');
    destination.text('transferMode');
    return name === undefined ? undefined : byName.get(name);
  };
  const contexts = createContexts(draft);
  for (const { member, assistant, id } of members) {
    readValues(draft, member.at('assistantOverrides').at('variableValues'));
    if (!isRecord(assistant.value)) {
      draft.node(id, { task_messages: [system('Go on with the conversation.')] }, member);
      draft.root.initial ??= id;
      continue;
    }
    const isFirst = draft.root.initial === undefined;
    writeAssistant(draft, assistant, id, { targets: { assistant: targetOf }, isFirst, isAlone: false });
    for (const tool of assistant.at('model').items('tools')) contexts.note(tool, targetOf);
    readDestinations(draft, member, id, targetOf);
    for (const tool of member.at('assistantOverrides').items('tools:append')) {
      draft.notes.lost(tool, '"tools:append" of an override: write it among the functions of the node');
      tool.take();
    }
  }
  contexts.apply();
  const overrides = ['membersOverrides', 'memberOverrides'].map((key) => root.at(key));
  for (const override of overrides) {
    readValues(draft, override.at('variableValues'));
    readKeys(draft, override);
  }
  if (draft.root.initial === undefined) {
    draft.notes.lost(root, 'the squad has no members');
    draft.root.initial = draft.id('main');
    draft.node(draft.root.initial, { task_messages: [system('Answer the caller.')] }, root);
  }
  noteUnread(draft, reading, root);
  return draft.finish();
}

/** The older form of a handoff: destinations next to the assistant. */
function readDestinations(
  draft: Draft,
  member: Source,
  id: string,
  targetOf: (destination: Source) => string | undefined,
): void {
  for (const destination of member.items('assistantDestinations')) {
    const to = targetOf(destination);
    const description = destination.text('description');
    if (destination.text('message') !== undefined)
      draft.notes.lost(destination.at('message'), 'the line during a handoff: the node that is entered speaks');
    if (to === undefined) {
      draft.notes.lost(destination, 'a destination that is not in the file was left out');
      destination.take();
      continue;
    }
    draft.amend(id, (node) => {
      const functions = node.functions ?? [];
      const name = `to_${to}`.slice(0, 60);
      if (functions.some((one) => one.name === name)) return node;
      const words = description === undefined ? `Goes on with ${to}.` : liquidText(draft, description, destination);
      return { ...node, functions: [...functions, { name, description: words, transition_to: to }] };
    });
  }
}

/** How much of the conversation an assistant sees. In Vapi the handoffs to it decide that. Here its node does. */
function createContexts(draft: Draft) {
  const wanted = new Map<string, { readonly strategy: string; readonly place: Source }[]>();
  return {
    note(tool: Source, targetOf: (destination: Source) => string | undefined): void {
      for (const destination of tool.items('destinations')) {
        const plan = destination.at('contextEngineeringPlan');
        const type = plan.text('type');
        noteLost(draft, plan, ['maxMessages']);
        const to = targetOf(destination);
        if (type === undefined || to === undefined) continue;
        const strategy = type === 'none' ? 'reset' : type === 'all' ? 'append' : 'reset_with_summary';
        if (strategy === 'reset_with_summary')
          draft.notes.changed(plan, `contextEngineeringPlan "${type}" is a summary of the conversation so far`);
        wanted.set(to, [...(wanted.get(to) ?? []), { strategy, place: plan }]);
      }
    },
    apply(): void {
      for (const [id, plans] of wanted) {
        const [first] = plans;
        if (first === undefined || first.strategy === 'append') continue;
        if (plans.some(({ strategy }) => strategy !== first.strategy)) {
          draft.notes.lost(
            first.place,
            `handoffs to ${id} want to show it different parts of the conversation: it is shown all`,
          );
          continue;
        }
        draft.amend(id, (node) => ({ ...node, context_strategy: first.strategy }));
      }
    },
  };
}
