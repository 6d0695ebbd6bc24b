import type { DraftFunction } from '../draft-node.ts';
import type { Source } from '../source.ts';
import { createUnique, functionNameOf, plainText, shortly } from '../words.ts';
import { type Agent, writeFulfillment } from './fulfillment.ts';
import { intentSchema } from './slots.ts';

export interface Route {
  readonly source: Source;
  readonly intent: string | undefined;
  readonly condition: string | undefined;
}

export type TargetOf = (part: Source) => string | undefined;

interface Surroundings {
  readonly id: string;
  readonly target: TargetOf;
  readonly failed: string | undefined;
  /** The target of a route that has none. */
  readonly stay: string;
}

/**
 * Returns a function for each intent. Its routes are tried in their order, those of the page before those of its flow,
 * until one without a condition.
 */
export function functionsOf(
  agent: Agent,
  routes: readonly Route[],
  surroundings: Surroundings,
): readonly DraftFunction[] {
  const unique = createUnique();
  const byIntent = new Map<string, Route[]>();
  for (const route of routes) {
    if (route.intent === undefined) continue;
    const before = byIntent.get(route.intent);
    if (before === undefined) byIntent.set(route.intent, [route]);
    else if (before.at(-1)?.condition !== undefined) before.push(route);
    else tellUnreached(agent, route, before.at(-1), surroundings.id);
  }
  return [...byIntent].map(([intent, tried]) => {
    const known = agent.files.intents.get(intent);
    if (known === undefined)
      for (const { source } of tried)
        agent.draft.notes.changed(
          source,
          `the intent ${JSON.stringify(intent)} is not in the files: its function is described by its name`,
        );
    const parameters = known === undefined ? undefined : intentSchema(agent, known.intent);
    return {
      name: unique.next(functionNameOf(intent)),
      description: describe(intent, known),
      ...(parameters === undefined ? {} : { parameters }),
      transition_to: writeRoutes(agent, intent, tried, surroundings),
    };
  });
}

function tellUnreached({ draft }: Agent, { source, intent = '' }: Route, first: Route | undefined, id: string): void {
  const named = JSON.stringify(shortly(intent));
  if (first?.source.file === source.file)
    draft.notes.lost(source, `a second route for the intent ${named}: the first one counts`);
  else draft.notes.taken(source, `in node ${id} its own route for the intent ${named} comes before this one`);
  source.take();
}

/** Writes the routes of one intent. Returns the node that decides between them, or the first node of the only route. */
function writeRoutes(
  agent: Agent,
  intent: string,
  routes: readonly Route[],
  { id, target, failed, stay }: Surroundings,
): string {
  const { draft, names } = agent;
  const written = routes.map(({ source, condition }) => {
    const when = condition === undefined ? 'always' : names.when(condition, source, false);
    const fulfillment = source.at('triggerFulfillment');
    return {
      source,
      when,
      begins: writeFulfillment(agent, fulfillment, `${id} ${intent}`, target(source) ?? stay, failed),
    };
  });
  // A condition that cannot be written holds, as it does where the route is the only one.
  const onward = written.find(({ when }) => when === 'always' || when === undefined);
  const [first] = written;
  if (first === undefined || onward === first) return onward?.begins ?? stay;
  const decides = draft.id(`${id}_${intent}_if`);
  draft.node(decides, { type: 'control.noop', default_transition: onward?.begins ?? stay }, first.source);
  for (const { when, begins } of written) {
    if (when === 'always' || when === undefined) break;
    if (when !== 'never') draft.edge(decides, begins, when);
  }
  return decides;
}

/** Describes an intent by its description and the first of its phrases. */
function describe(
  name: string,
  known: { readonly intent: Source; readonly phrases: readonly Source[] } | undefined,
): string {
  const own = known?.intent.text('description');
  const phrases = (known?.phrases ?? []).flatMap((file) =>
    file
      .items('trainingPhrases')
      .slice(0, 5)
      .map((phrase) =>
        phrase
          .items('parts')
          .map((part) => plainText(part.at('text').value))
          .join('')
          .trim(),
      ),
  );
  const said = phrases.filter((phrase) => phrase !== '').slice(0, 5);
  const like =
    said.length === 0
      ? ''
      : `The caller says something like: ${said.map((phrase) => `"${shortly(phrase)}"`).join(', ')}.`;
  const text = [own ?? '', like].filter((part) => part !== '').join(' ');
  return text === '' ? `The caller means: ${name}.` : text;
}
