import { createDraft, type Drafted } from '../draft.ts';
import { system } from '../router.ts';
import type { SourceDocument, Source } from '../source.ts';
import { noteLost, noteUnread } from '../unread-keys.ts';
import { plainText, shortly } from '../words.ts';
import { agentFiles, type FlowFiles, nameOf } from './files.ts';
import type { Agent } from './fulfillment.ts';
import { createParameterNames } from './names.ts';
import { type PagePosition, writePage } from './pages.ts';

/** Converts an agent of Dialogflow CX, exported as a JSON package, to one conversation. */
export function importDialogflow(roots: readonly Source[], reading: SourceDocument): Drafted {
  const files = agentFiles(roots);
  const [first] = roots;
  const draft = createDraft(first?.file ?? '');
  if (files === undefined || first === undefined) return draft.finish();
  const language = files.agent.text('defaultLanguageCode') ?? 'en';
  const agent: Agent = {
    draft,
    files,
    names: createParameterNames(draft),
    languages: { own: language, others: new Set() },
  };
  draft.root.name = files.agent.text('displayName') ?? 'dialogflow-agent';
  draft.root.language = language;
  draft.root.role_messages = [system(personaOf(files.agent))];
  const silence = files.agent.at('advancedSettings').at('speechSettings').at('noSpeechTimeout').number('seconds');
  if (silence !== undefined)
    draft.root.ladder = { no_input_ms: Math.min(600_000, Math.max(0, Math.round(silence * 1_000))) };
  const zone = files.agent.at('timeZone').take();
  if (typeof zone === 'string' && zone !== '')
    draft.notes.lost(files.agent.at('timeZone'), `the time zone ${zone}: set timeZone in agent.config.ts`);
  noteLost(draft, files.agent, ['startPlaybook', 'avatarUri']);
  for (const key of ['startFlow', 'supportedLanguageCodes', 'name']) files.agent.at(key).take();

  const startName = plainText(files.agent.at('startFlow').value);
  const named = files.flows.find(({ name }) => name === startName);
  if (named === undefined && startName !== '')
    draft.notes.lost(
      files.agent.at('startFlow'),
      `the start flow ${JSON.stringify(shortly(startName))} is not in the files: the first flow begins`,
    );
  const start = named ?? files.flows[0];
  const places = placesOf(agent, files.flows, start);
  const ended = draft.id('end_session');
  const escalated = draft.id('human_escalation');
  draft.node(ended, { end: 'ended' }, files.agent);
  draft.node(escalated, { end: 'transferred' }, files.agent);
  for (const place of places)
    writePage(agent, place, places, { ended, escalated, isStart: place.flow === start && place.page === null });
  const begin = places.find(({ flow, page }) => flow === start && page === null);
  if (begin === undefined) {
    draft.notes.lost(
      files.agent,
      'the agent has no flow in these files: only playbooks, or the folder of its flows is missing',
    );
    draft.root.initial = ended;
  } else draft.root.initial = begin.id;
  tellIntents(agent);
  const { others } = agent.languages;
  if (others.size > 0) {
    draft.root.languages = [language, ...others];
    draft.notes.taken(files.agent, `texts in ${[language, ...others].join(', ')} are texts by language`);
  }
  for (const other of files.others) {
    draft.notes.lost(
      other,
      `the file ${shortly(other.file)} is not part of a flow (a playbook, a tool, a test, a setting)`,
    );
    other.take();
  }
  noteUnread(draft, reading, ...roots);
  for (const { id } of places) draft.keep(id);
  return draft.finish(true);
}

function personaOf(agent: Source): string {
  const description = agent.text('description');
  const personality = agent.at('personalizationSettings').value;
  return description === undefined || personality !== undefined
    ? 'You help callers. Be brief, and never guess.'
    : `You help callers. ${description} Be brief, and never guess.`;
}

/** Every page of every flow with its id here. The start page of a flow is the flow itself. */
function placesOf(agent: Agent, flows: readonly FlowFiles[], start: FlowFiles | undefined): readonly PagePosition[] {
  const { draft } = agent;
  return flows.flatMap((flow) => {
    const prefix = flow === start ? '' : `${flow.name} `;
    const placeAt = (page: Source | null, ...names: readonly string[]): PagePosition => {
      const id = draft.id(...names);
      return { flow, page, id, hears: draft.id(`${id}_hears`) };
    };
    const own = placeAt(null, flow === start ? 'start' : flow.name, 'flow');
    return [own, ...flow.pages.map((page) => placeAt(page, `${prefix}${nameOf(page)}`, 'page'))];
  });
}

/** Intents are read where a route names them. The others are reported. */
function tellIntents({ draft, files }: Agent): void {
  for (const { intent, phrases } of files.intents.values()) {
    noteLost(draft, intent, ['priority', 'isFallback', 'labels']);
    for (const key of ['name', 'displayName', 'numTrainingPhrases', 'description', 'parameters']) intent.at(key).take();
    for (const file of phrases) file.take();
  }
  for (const { type, values } of files.entities.values()) {
    type.take();
    for (const file of values) file.take();
  }
  for (const webhook of files.webhooks.values()) webhook.take();
  if (files.intents.size > 0)
    draft.notes.changed(
      files.agent,
      'training phrases: the first of each intent describe its function, which a model calls by its meaning',
    );
}
