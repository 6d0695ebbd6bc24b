import { createDraft, type Draft, type Drafted } from '../draft.ts';
import type { DraftFunction } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system } from '../router.ts';
import type { SourceDocument, Source } from '../source.ts';
import { noteLost, noteUnread } from '../unread-keys.ts';
import { createUnique, functionNameOf, plainText, shortly } from '../words.ts';
import { whenOfRasa } from './conditions.ts';
import { declareSlot, type Domain, readDomain } from './domain.ts';
import { createSteps } from './steps.ts';

/** Converts the flows of a Rasa project to one conversation: a menu that leads to each of them by its description. */
export function importRasa(roots: readonly Source[], reading: SourceDocument): Drafted {
  const [first] = roots;
  const draft = createDraft(first?.file ?? '');
  draft.root.name = 'rasa-flows';
  draft.root.role_messages = [system('You help callers. Be brief, and never guess.')];
  const domain = readDomain(draft, roots);
  const flows = new Map<string, Source>();
  for (const root of roots)
    for (const [name, flow] of root.at('flows').members()) {
      if (name.startsWith('pattern_')) {
        flow.take();
        draft.notes.lost(flow, `${name}: this behaviour of Rasa is built in here; only its texts are yours to write`);
      } else if (isRecord(flow.value)) flows.set(name, flow);
    }
  for (const root of roots) readLanguage(draft, root);
  const menu = draft.id('menu');
  const again = draft.id('anything_else');
  const steps = createSteps(draft, domain, flows, again);
  const functions: DraftFunction[] = [];
  const names = createUnique(['nothing_more']);
  for (const [name, flow] of flows)
    functions.push(...startOf(draft, domain, { name, flow, to: steps.start(name), again, names }));
  steps.finish();
  writeMenu(draft, domain, first, { menu, again, functions });
  declareRest(draft, domain, steps.asked);
  draft.root.initial = menu;
  for (const root of roots) tellDomain(draft, root);
  draft.notes.changed(
    first ?? { file: '', path: [] },
    'slots stay known once a flow is over: they are not asked for again in the same call',
  );
  noteUnread(draft, reading, ...roots);
  return draft.finish(true);
}

/** The members of a domain other than slots and responses. */
function tellDomain(draft: Draft, root: Source): void {
  root.at('version').take();
  const actions = root.at('actions').take();
  if (Array.isArray(actions) && actions.length > 0)
    draft.notes.changed(
      root.at('actions'),
      `custom actions that a step names are functions to write: ${shortly(actions.map(plainText).join(', '), 400)}`,
    );
  noteLost(draft, root, ['intents', 'entities', 'nlu', 'e2e_actions']);
}

function readLanguage(draft: Draft, root: Source): void {
  const language = root.text('language');
  const others = root.at('additional_languages').take();
  if (language === undefined || !/^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/.test(language)) return;
  draft.root.language = language;
  if (Array.isArray(others) && others.length > 0)
    draft.notes.lost(
      root.at('additional_languages'),
      'further languages: list languages of the flow, and write each text by language',
    );
}

/** The function that starts a flow. None if only other flows start it. */
function startOf(
  draft: Draft,
  domain: Domain,
  {
    name,
    flow,
    to,
    again,
    names,
  }: { name: string; flow: Source; to: string; again: string; names: ReturnType<typeof createUnique> },
): readonly DraftFunction[] {
  const description = flow.text('description') ?? flow.text('name') ?? name;
  flow.text('name');
  draft.notes.taken(flow, `flow ${name} begins at node ${to}`);
  noteLost(draft, flow, [
    'always_include_in_prompt',
    'run_pattern_completed',
    'metadata',
    'translation',
    'on_activate',
  ]);
  const persisted = flow.at('persisted_slots').take();
  if (Array.isArray(persisted))
    draft.notes.taken(flow.at('persisted_slots'), `slots that stay known: ${persisted.map(plainText).join(', ')}`);
  if (flow.has('nlu_trigger')) {
    flow.at('nlu_trigger').take();
    draft.notes.lost(flow.at('nlu_trigger'), 'nlu_trigger: a flow is begun by its description alone');
  }
  const guard = flow.has('if')
    ? whenOfRasa(draft, guardOf(flow.at('if').take()), flow.at('if'), (slot) => domain.slots.has(slot))
    : 'always';
  if (guard === 'never') {
    draft.notes.changed(
      flow.at('if'),
      `flow ${name} (${shortly(description)}) is reached from other flows alone: its condition is never true`,
    );
    return [];
  }
  let target = to;
  if (guard !== 'always' && guard !== undefined) {
    target = draft.id(`${to}_if`);
    draft.node(target, { type: 'control.noop', default_transition: again }, flow);
    draft.edge(target, to, guard);
    draft.notes.changed(
      flow.at('if'),
      `flow ${name} may always be asked for; if its condition does not hold, it does nothing`,
    );
  }
  return [{ name: names.next(functionNameOf(name)), description: shortly(description, 400), transition_to: target }];
}

/** Some authors write `if: False` as a text. */
function guardOf(value: unknown): unknown {
  return typeof value === 'string' && /^\s*(?:true|false)\s*$/i.test(value)
    ? value.trim().toLowerCase() === 'true'
    : value;
}

function writeMenu(
  draft: Draft,
  domain: Domain,
  place: Source | undefined,
  { menu, again, functions }: { menu: string; again: string; functions: readonly DraftFunction[] },
): void {
  if (place === undefined) return;
  const told = [system('Find out what the caller wants, and call the function for it.')];
  const offered = functions.length === 0 ? {} : { functions };
  draft.node(
    menu,
    { ...spoken(domain, ['utter_greet', 'utter_session_start', 'utter_welcome']), task_messages: told, ...offered },
    place,
  );
  const bye = draft.id('bye');
  const more = spoken(domain, ['utter_can_do_something_else']);
  const nothing: DraftFunction = {
    name: 'nothing_more',
    description: 'The caller wants nothing more.',
    transition_to: bye,
  };
  draft.node(
    again,
    {
      say: more.say ?? 'Is there anything else I can help you with?',
      task_messages: told,
      functions: [...functions, nothing],
    },
    place,
  );
  draft.node(bye, { say: spoken(domain, ['utter_goodbye', 'utter_bye']).say ?? 'Goodbye.', end: 'completed' }, place);
  draft.notes.changed(place, `flows are reached from ${menu}; after each of them ${again} asks what else`);
}

function spoken(domain: Domain, names: readonly string[]) {
  const say = names.map((name) => domain.response(name)).find((text) => text !== undefined);
  return say === undefined ? {} : { say };
}

/** Declares slots that no step asks for: those that a model may fill stay slots, the others become variables. */
function declareRest(draft: Draft, domain: Domain, asked: ReadonlySet<string>): void {
  for (const [name, slot] of domain.slots) {
    if (asked.has(name)) continue;
    const mappings = slot.at('mappings').take();
    const isFilled =
      Array.isArray(mappings) &&
      mappings.some(
        (mapping) => isRecord(mapping) && /^from_(?:llm|entity|text|intent)/.test(plainText(mapping['type'])),
      );
    draft.notes.taken(slot, `slot ${name} is ${isFilled ? 'a slot that may stay unsaid' : 'a variable'}`);
    if (isFilled && declareSlot(draft, name, slot, {})) {
      draft.amendSlot(draft.name(name, 'read'), (own) => ({ ...own, optional: true }));
      continue;
    }
    const first = slot.at('initial_value').take();
    draft.first(draft.name(name, 'set'), first ?? null);
    const type = slot.text('type');
    const values = slot.at('values').take();
    const among = Array.isArray(values) ? ` of ${shortly(values.map(plainText).join(', '), 200)}` : '';
    if (type !== undefined)
      draft.notes.changed(slot, `variable ${name} was a slot of type "${type}"${among}: a variable holds any value`);
    noteLost(draft, slot, ['min_value', 'max_value', 'allow_llm_set']);
    slot.at('influence_conversation').take();
  }
}
