import type { DraftFunction, DraftNode } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system, type Exit, writeRoute } from '../router.ts';
import type { Source } from '../source.ts';
import { plainText, shortly } from '../words.ts';
import { type FlowFiles, nameOf } from './files.ts';
import { type Agent, isPlain, plainMessages, writeFulfillment } from './fulfillment.ts';
import { functionsOf, type Route, type TargetOf } from './intent-functions.ts';
import { ladderOf } from './ladder.ts';
import { declareParameter } from './slots.ts';

/** A page of a flow. The flow itself is its start page. */
export interface PagePosition {
  readonly flow: FlowFiles;
  readonly page: Source | null;
  readonly id: string;
  /** The node that listens to the caller there. */
  readonly hears: string;
}

/**
 * Writes a page: what happens on entry, what it asks for, where conditions lead once that is known, and what the caller
 * can say.
 */
export function writePage(
  agent: Agent,
  place: PagePosition,
  places: readonly PagePosition[],
  { ended, escalated, isStart }: { ended: string; escalated: string; isStart: boolean },
): void {
  const { draft } = agent;
  const { flow, page, id, hears } = place;
  const own = page ?? flow.flow;
  draft.notes.taken(own, page === null ? `flow ${flow.name} is node ${id}` : `page ${nameOf(page)} is node ${id}`);
  for (const key of ['name', 'displayName', 'description', 'nluSettings']) {
    const value = own.at(key).take();
    if (key === 'nluSettings' && value !== undefined)
      draft.notes.lost(own.at(key), '"nluSettings": a model understands what callers say');
  }
  const main = draft.id(`${id}_form`);
  const target = createTargets(agent, place, places, { ended, escalated, here: hears });
  const handlers = [...own.items('eventHandlers'), ...(page === null ? [] : flow.flow.items('eventHandlers'))];
  const failed = failureOf(handlers, target);
  const ladder = ladderOf(agent, handlers, { near: id, target, failed });
  for (const handler of handlers) tellHandler(agent, handler);
  const collect = own
    .at('form')
    .items('parameters')
    .map((parameter) => ({
      isRequired: parameter.at('required').value === true,
      name: declareParameter(agent, parameter, target),
    }))
    .flatMap(({ isRequired, name }) => (isRequired ? [name] : []));

  const ownRoutes = routesOf(own, flow, agent);
  // Routes of a flow apply on all its pages if they have an intent. A route with only a condition applies on its start
  // page.
  const flowRoutes = page === null ? [] : routesOf(flow.flow, flow, agent).filter(({ intent }) => intent !== undefined);
  const routes = [...ownRoutes, ...flowRoutes];
  // After a route that stays on its page, an incomplete form is continued.
  const functions = functionsOf(agent, routes, { id, target, failed, stay: collect.length > 0 ? main : hears });
  const ways = conditionsOf(agent, ownRoutes, { id, target, failed, hears });
  const listening = listeningNode(functions, ladder);
  const entry = page === null ? own.at('none') : own.at('entryFulfillment');
  const said = isPlain(entry) ? plainMessages(agent, entry) : {};
  const isFixed = said.say !== undefined && said.end === undefined;
  const talk = isFixed ? { say: said.say } : {};
  if (isFixed) entry.take();
  const after = ways.ways.length > 0 || ways.onward !== undefined;
  const then = after ? draft.id(`${id}_then`) : hears;

  const stays = routes.some(({ source }) => !source.has('targetPage'));
  let first = hears;
  if (collect.length > 0) {
    const node: DraftNode = {
      ...(stays ? {} : talk),
      collect,
      ...(functions.length === 0 ? {} : { functions }),
      ...(ladder === undefined ? {} : { ladder }),
      default_transition: then,
    };
    draft.node(main, node, own);
    first = isFixed && stays ? draft.id(`${id}_says`) : main;
    if (first !== main) draft.node(first, { ...talk, listen: false, default_transition: main }, own);
  } else if (after) {
    first = isFixed ? main : then;
    if (isFixed) draft.node(main, { ...talk, listen: false, default_transition: then }, own);
  } else if (isFixed && stays) {
    // A route that stays on its page, or returns to it, does not repeat what is said on entry.
    first = main;
    draft.node(main, { ...talk, listen: false, default_transition: hears }, own);
  }
  if (after) writeRoute(draft, then, ways.ways, { onward: ways.onward ?? hears, place: own });
  const spoken = first === hears ? talk : {};
  draft.node(hears, { ...spoken, ...listening }, own);
  const begins = isFixed ? first : writeFulfillment(agent, entry, id, first, failed);
  writeRoute(draft, id, [], { onward: begins, place: own });
  if (isStart && said.say === undefined)
    draft.amend(hears, (node) => ({
      ...node,
      task_messages: [system('Greet the caller, and find out what they want.')],
    }));
}

/** A node that listens to what the caller says on a page. */
function listeningNode(functions: readonly DraftFunction[], ladder: DraftNode['ladder']): DraftNode {
  return {
    task_messages: [system('Find out what the caller wants, and call the function for it.')],
    ...(functions.length === 0 ? {} : { functions }),
    ...(ladder === undefined ? {} : { ladder }),
  };
}

/** The routes of a page or flow, each kind followed by the routes of its groups. */
function routesOf(own: Source, flow: FlowFiles, { draft, files }: Agent): readonly Route[] {
  const named = own.at('transitionRouteGroups').take();
  const groups = (Array.isArray(named) ? named : []).flatMap((group): readonly Source[] => {
    const name = plainText(group);
    const found = flow.groups.get(name) ?? files.groups.get(name.split('/').at(-1) ?? '');
    if (found === undefined)
      draft.notes.lost(
        own.at('transitionRouteGroups'),
        `the group of routes ${JSON.stringify(shortly(name))} is not in the files`,
      );
    for (const key of ['name', 'displayName']) found?.at(key).take();
    return found?.items('transitionRoutes') ?? [];
  });
  return [...own.items('transitionRoutes'), ...groups].map((source) => {
    for (const key of ['name', 'description']) source.at(key).take();
    return { source, intent: source.text('intent'), condition: source.text('condition') };
  });
}

/** The routes that only have conditions, in their order. */
function conditionsOf(
  agent: Agent,
  routes: readonly Route[],
  { id, target, failed, hears }: { id: string; target: TargetOf; failed: string | undefined; hears: string },
): { readonly ways: readonly Exit[]; readonly onward: string | undefined } {
  const { draft, names } = agent;
  const ways: Exit[] = [];
  let onward: string | undefined;
  for (const { source, intent, condition } of routes) {
    if (intent !== undefined) continue;
    const when = condition === undefined ? 'always' : names.when(condition, source, true);
    if (when === undefined || when === 'never' || onward !== undefined) {
      const named = condition === undefined ? 'a route without a condition' : `the route where ${shortly(condition)}`;
      if (onward !== undefined)
        draft.notes.lost(source, `${named} is not in node ${id}: it follows a route that is always taken`);
      else if (when === 'never')
        draft.notes.lost(source, `${named} is not in node ${id}: its condition never holds there`);
      source.take();
      continue;
    }
    const to = target(source);
    const begins = writeFulfillment(agent, source.at('triggerFulfillment'), `${id} route`, to ?? hears, failed);
    if (when === 'always') onward = begins;
    else ways.push({ kind: 'when', when, to: begins, place: source });
  }
  return { ways, onward };
}

/** Finds the target of a route or a handler: names of pages are tried first, then symbols. */
function createTargets(
  agent: Agent,
  { flow, id }: PagePosition,
  places: readonly PagePosition[],
  { ended, escalated, here }: { ended: string; escalated: string; here: string },
): TargetOf {
  const { draft } = agent;
  const startOf = (one: FlowFiles): string | undefined =>
    places.find((place) => place.flow === one && place.page === null)?.id;
  return (part) => {
    const toFlow = part.text('targetFlow');
    const toPage = part.text('targetPage');
    const playbook = part.text('targetPlaybook');
    if (playbook !== undefined)
      draft.notes.lost(part, `a route to the playbook ${shortly(playbook)}: a playbook is a node with task_messages`);
    if (toFlow !== undefined) {
      const found = places.find((place) => place.flow.name === toFlow && place.page === null);
      if (found !== undefined) return found.id;
      draft.notes.lost(part, `the flow ${JSON.stringify(shortly(toFlow))} is not in the files`);
      return undefined;
    }
    if (toPage === undefined) return undefined;
    const own = places.find(
      (place) => place.flow === flow && place.page !== null && nameOf(place.page) === toPage.trim(),
    );
    if (own !== undefined) return own.id;
    switch (toPage.trim().toUpperCase().replaceAll(' ', '_')) {
      case 'END_SESSION':
        return ended;
      case 'END_FLOW':
      case 'END_FLOW_WITH_CONFIRMATION':
      case 'END_FLOW_WITH_CANCELLATION':
      case 'END_FLOW_WITH_FAILURE':
      case 'END_FLOW_WITH_ERROR':
        return endOfFlow(agent, flow, places, part, ended);
      case 'END_FLOW_WITH_HUMAN_ESCALATION':
        return escalated;
      case 'START_PAGE':
        return startOf(flow);
      case 'CURRENT_PAGE':
        return id;
      case 'PREVIOUS_PAGE':
        draft.notes.lost(part, '"Previous Page": the conversation stays on this page');
        return here;
      default:
        draft.notes.lost(part, `the page ${JSON.stringify(shortly(toPage))} is not in the files`);
        return undefined;
    }
  };
}

/**
 * A flow that ends returns to the flow that leads to it, or to the first of several. The first flow ends the
 * conversation.
 */
function endOfFlow(
  agent: Agent,
  flow: FlowFiles,
  places: readonly PagePosition[],
  part: Source,
  ended: string,
): string {
  const callers = places.filter((place) => place.flow !== flow && leadsTo(place, flow.name));
  const flows = [...new Set(callers.map((caller) => caller.flow))];
  const [first] = flows;
  if (first === undefined) return ended;
  if (flows.length > 1)
    agent.draft.notes.changed(part, `the end of flow ${flow.name} leads to the first of the flows that lead to it`);
  const [only] = callers;
  const back = callers.length === 1 ? only : places.find((place) => place.flow === first && place.page === null);
  return back?.hears ?? ended;
}

function leadsTo({ flow, page }: PagePosition, name: string): boolean {
  const own = page ?? flow.flow;
  return [...own.items('transitionRoutes'), ...own.items('eventHandlers')].some(
    (route) => route.at('targetFlow').value === name,
  );
}

/** The target after a failed webhook. */
function failureOf(handlers: readonly Source[], target: TargetOf): string | undefined {
  for (const handler of handlers) {
    if (!plainText(handler.at('event').value).startsWith('webhook.error')) continue;
    const to = target(handler);
    if (to !== undefined) return to;
  }
  return undefined;
}

function tellHandler({ draft }: Agent, handler: Source): void {
  const event = plainText(handler.at('event').value);
  const isKnown = /^sys\.(?:no-match|no-input)-|^webhook\.error/.test(event);
  if (!isKnown && isRecord(handler.value)) draft.notes.lost(handler, `a handler of the event ${event}`);
  handler.take();
}
