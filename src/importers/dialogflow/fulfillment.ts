import { writePutThrough } from '../put-through.ts';
import type { Draft } from '../draft.ts';
import type { DraftNode } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { writeRoute } from '../router.ts';
import type { Source } from '../source.ts';
import { noteContinues } from '../unread-keys.ts';
import { plainText, shortly } from '../words.ts';
import type { AgentFiles } from './files.ts';
import { type AgentLanguages, type Messages, readMessages } from './messages.ts';
import type { ParameterNames } from './names.ts';

export interface Agent {
  readonly draft: Draft;
  readonly files: AgentFiles;
  readonly names: ParameterNames;
  readonly languages: AgentLanguages;
}

/** The messages of a fulfillment that does nothing else. */
export function plainMessages(agent: Agent, fulfillment: Source): Messages {
  return readMessages(agent.draft, agent.names, fulfillment.items('messages'), agent.languages);
}

/** Checks whether a fulfillment only says something. */
export function isPlain(fulfillment: Source): boolean {
  return (
    !fulfillment.has('webhook') &&
    fulfillment.items('setParameterActions').length === 0 &&
    fulfillment.items('conditionalCases').length === 0
  );
}

/**
 * Writes what happens on the way to a node: values are set, lines are said, cases are decided, and a webhook is called.
 * Returns the node to go to: the target itself if nothing happens.
 */
export function writeFulfillment(
  agent: Agent,
  fulfillment: Source,
  near: string,
  to: string,
  failed: string | undefined,
): string {
  if (!isRecord(fulfillment.value)) return to;
  const { draft } = agent;
  if (fulfillment.at('enableGenerativeFallback').take() === true)
    draft.notes.lost(fulfillment, 'generative fallback: the model answers in a node with task_messages');
  for (const key of ['returnPartialResponses', 'generators', 'advancedSettings'])
    if (fulfillment.at(key).take() !== undefined && key === 'generators')
      draft.notes.lost(fulfillment.at(key), 'generators: the model answers in a node with task_messages');
  const said = plainMessages(agent, fulfillment);
  let next = said.end === undefined ? to : endNode(draft, fulfillment, near, said.end, said.number);
  next = writeWebhook(agent, fulfillment, near, next, failed);
  for (const cases of fulfillment.items('conditionalCases').toReversed()) next = writeCases(agent, cases, near, next);
  if (said.say !== undefined) {
    const id = draft.id(`${near} say`);
    draft.node(id, { say: said.say, listen: false, default_transition: next }, fulfillment);
    next = id;
  }
  return writeValues(agent, fulfillment, near, next);
}

function endNode(draft: Draft, place: Source, near: string, end: string, number: string | undefined): string {
  const id = draft.id(`${near} ${end}`);
  if (number === undefined) draft.node(id, { end }, place);
  else writePutThrough(draft, id, { to: number }, place);
  return id;
}

function writeWebhook(
  agent: Agent,
  fulfillment: Source,
  near: string,
  next: string,
  failed: string | undefined,
): string {
  const name = fulfillment.text('webhook');
  const tag = fulfillment.text('tag');
  if (name === undefined) return next;
  const { draft, files } = agent;
  const webhook = files.webhooks.get(name);
  const service = webhook?.at('genericWebService');
  const headers = (service?.items('requestHeaders') ?? []).map((header) => plainText(header.at('key').value));
  const seconds = webhook?.at('timeout').number('seconds');
  const uri = service?.text('uri') ?? webhook?.at('serviceDirectory').at('genericWebService').text('uri');
  webhook?.take();
  const named = headers.filter((header) => header !== '');
  if (named.length > 0)
    draft.notes.changed(
      service ?? fulfillment,
      `values of headers are left out, since they may be secrets: ${named.join(', ')}`,
    );
  if (webhook === undefined)
    draft.notes.changed(
      fulfillment,
      `the webhook ${JSON.stringify(name)} is not in the files: a function stands for it`,
    );
  const tool = draft.tool({
    name: tag === undefined ? name : `${name}__${tag}`,
    description: `The webhook ${name}${tag === undefined ? '' : ` with the tag ${tag}`}.`,
    effect: 'write',
    ...(uri === undefined
      ? {}
      : {
          http: {
            method: 'POST',
            url: uri,
            headers: named,
            body: { fulfillmentInfo: { tag: tag ?? '' } },
            ...(seconds === undefined ? {} : { timeoutMs: seconds * 1_000 }),
          },
        }),
    sets: {},
    notes: [
      'Dialogflow sends session and page as well, and takes parameters from sessionInfo.parameters of the answer: set them by context.set.',
    ],
  });
  if (failed === undefined) noteContinues(draft, fulfillment, tool);
  const id = draft.id(`${near} ${tag ?? name}`);
  const node: DraftNode = {
    call: tool,
    functions: [
      {
        name: tool,
        handler: tool,
        effect: 'write',
        ...(seconds === undefined || seconds <= 0 ? {} : { timeout_ms: Math.round(seconds * 1_000) }),
        transition_to: next,
      },
    ],
    on_error: failed ?? next,
  };
  draft.node(id, node, fulfillment);
  return id;
}

/** Writes cases. The first case that holds is said. */
function writeCases(agent: Agent, list: Source, near: string, next: string): string {
  const { draft, names } = agent;
  const id = draft.id(`${near} cases`);
  const ways = list.items('cases').flatMap((one) => {
    const condition = one.text('condition');
    const when = condition === undefined ? 'always' : names.when(condition, one, true);
    const to = writeContent(agent, one.items('caseContent'), `${near} case`, next, one);
    if (when === 'never') draft.notes.lost(one, 'a case whose condition is never true there');
    return when === undefined || when === 'never' ? [] : [{ when, to, place: one }];
  });
  const always = ways.findIndex(({ when }) => when === 'always');
  const tried = always === -1 ? ways : ways.slice(0, always);
  if (always !== -1)
    for (const { place } of ways.slice(always + 1))
      draft.notes.lost(place, 'a case after a case that always holds: it is never said');
  writeRoute(
    draft,
    id,
    tried.flatMap(({ when, to, place }) => (when === 'always' ? [] : [{ kind: 'when' as const, when, to, place }])),
    { onward: ways[always]?.to ?? next, place: list },
  );
  return id;
}

function writeContent(agent: Agent, content: readonly Source[], near: string, next: string, place: Source): string {
  const { draft, names, languages } = agent;
  let to = next;
  for (const item of content.toReversed())
    if (isRecord(item.at('additionalCases').value)) to = writeCases(agent, item.at('additionalCases'), near, to);
  const messages = content.filter((item) => isRecord(item.at('message').value)).map((item) => item.at('message'));
  const said = readMessages(draft, names, messages, languages);
  if (said.end !== undefined) to = endNode(draft, place, near, said.end, said.number);
  if (said.say === undefined) return to;
  const id = draft.id(near);
  draft.node(id, { say: said.say, listen: false, default_transition: to }, place);
  return id;
}

/** Sets parameters with a function that only keeps its arguments. */
function writeValues(agent: Agent, fulfillment: Source, near: string, next: string): string {
  const { draft, names } = agent;
  const values = new Map<string, unknown>();
  for (const action of fulfillment.items('setParameterActions')) {
    const parameter = plainText(action.at('parameter').take());
    const given = action.at('value').take();
    const name = parameter.startsWith('$') ? names.path(parameter) : names.name(parameter);
    if (name === undefined || name.includes('.')) {
      draft.notes.lost(action, `the value of ${shortly(parameter)} is not set`);
    } else if (given === null || given === undefined)
      draft.notes.lost(action, `${name} is not cleared: only code clears one (context.set)`);
    else if (typeof given === 'string' && given.includes('$sys.func'))
      draft.notes.lost(action, `the value of ${name} is computed: ${shortly(given)}`);
    else values.set(name, typeof given === 'string' ? names.text(given, action) : given);
  }
  if (values.size === 0) return next;
  const id = draft.id(`${near} set`);
  const keep = {
    name: 'set_values',
    description: 'Keeps these values.',
    parameters: { type: 'object', properties: Object.fromEntries([...values.keys()].map((name) => [name, {}])) },
    transition_to: next,
  };
  draft.node(id, { call: 'set_values', input: Object.fromEntries(values), functions: [keep] }, fulfillment);
  return id;
}
