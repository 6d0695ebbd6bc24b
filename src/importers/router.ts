import type { Draft } from './draft.ts';
import type { DraftFunction, DraftMessage, DraftNode, DraftWhen } from './draft-node.ts';
import type { SourcePlace } from './source.ts';
import { createUnique, functionWordOf, isFunctionName, reservedFunctions } from './words.ts';

/** An exit of a foreign node. */
export type Exit =
  | { readonly kind: 'when'; readonly when: DraftWhen; readonly to: string; readonly place: SourcePlace }
  | { readonly kind: 'words'; readonly words: string; readonly to: string; readonly place: SourcePlace }
  | WordsWithName;

/** An exit by a condition in words that has its own name, arguments, or digression. */
interface WordsWithName {
  readonly kind: 'words';
  readonly words: string;
  readonly to: string;
  readonly place: SourcePlace;
  readonly name?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The line of a node and its prompt. */
export type Talk = Pick<
  DraftNode,
  | 'description'
  | 'say'
  | 'role_messages'
  | 'task_messages'
  | 'ladder'
  | 'context_strategy'
  | 'respond_immediately'
  | 'fallback'
  | 'pre_actions'
  | 'post_actions'
>;

/** Creates functions that only lead to another node: one for each exit by words. Their names are not in `taken`. */
export function movesOf(ways: readonly Exit[], taken: Iterable<string>): readonly DraftFunction[] {
  const names = createUnique([...reservedFunctions, ...taken]);
  return ways.flatMap((way): readonly DraftFunction[] => {
    if (way.kind !== 'words') return [];
    const { words, to } = way;
    const own = 'name' in way ? way.name : undefined;
    const parameters = 'parameters' in way ? way.parameters : undefined;
    const word = functionWordOf(own ?? '') || functionWordOf(`to_${to}`) || 'go_on';
    return [
      {
        name: names.next(own !== undefined && isFunctionName(own) ? own : word),
        description: words,
        ...(parameters === undefined ? {} : { parameters }),
        transition_to: to,
      },
    ];
  });
}

/**
 * Writes a node that talks and waits for the caller's next words. Then it takes the exits by conditions in symbols
 * first, then those by conditions in words, then `onward` in every other case. If both kinds of exit exist, the line,
 * the decision and the answer become separate nodes: otherwise a condition that already holds would be taken before the
 * caller has spoken.
 */
export function writeTalk(
  draft: Draft,
  id: string,
  talk: Talk,
  ways: readonly Exit[],
  { onward, place, functions = [] }: { onward?: string; place: SourcePlace; functions?: readonly DraftFunction[] },
): void {
  const conditions = ways.filter((way) => way.kind === 'when');
  const offered = [
    ...functions,
    ...movesOf(
      ways,
      functions.map(({ name }) => name),
    ),
  ];
  const exit = onward === undefined ? {} : { default_transition: onward };
  if (offered.length === 0) {
    const waits = onward !== undefined || conditions.length > 0;
    draft.node(id, { ...answerable(talk, waits), ...(waits ? { listen: true } : {}), ...exit }, place);
    for (const { when, to } of conditions) draft.edge(id, to, when);
    return;
  }
  if (conditions.length === 0 && onward === undefined) {
    draft.node(id, { ...talk, functions: offered }, place);
    return;
  }
  const answers = draft.id(`${id}_answer`);
  const decides = conditions.length === 0 ? answers : draft.id(`${id}_decide`);
  draft.node(id, { ...talk, listen: true, default_transition: decides }, place);
  if (conditions.length > 0) draft.node(decides, { type: 'control.noop', default_transition: answers }, place);
  for (const { when, to } of conditions) draft.edge(decides, to, when);
  const { say, description: _description, pre_actions: _pre, respond_immediately: _at, ...heard } = talk;
  const told = heard.task_messages ?? [system(aboutLine(say))];
  draft.node(answers, { ...heard, task_messages: told, functions: offered, ...exit }, place);
  for (const { when, to } of conditions) draft.edge(answers, to, when);
}

/** For a line without anything after it: the model answers whatever the caller says to it. */
function answerable(talk: Talk, waits: boolean): Talk {
  if (waits || talk.say === undefined || talk.task_messages !== undefined) return talk;
  return { ...talk, task_messages: [system(aboutLine(talk.say))] };
}

function aboutLine(say: Talk['say']): string {
  return typeof say === 'string'
    ? `The caller was told: "${say}" Answer what they say to that.`
    : 'Answer what the caller says.';
}

/**
 * Writes a decision that does not need the caller: conditions in symbols first, then conditions in words, which the
 * model decides in one inference from the conversation so far, then `onward`. It is a separate node if there is more
 * than one exit. Otherwise it returns the target.
 */
export function writeRoute(
  draft: Draft,
  id: string,
  ways: readonly Exit[],
  { onward, place, description }: { onward?: string | undefined; place: SourcePlace; description?: string | undefined },
): void {
  const about = description === undefined ? {} : { description };
  const exit = onward === undefined ? {} : { default_transition: onward };
  const conditions = ways.filter((way) => way.kind === 'when');
  const moves = movesOf(ways, []);
  if (moves.length === 0) {
    if (conditions.length === 0 && onward === undefined) {
      draft.node(
        id,
        { ...about, task_messages: [system('Nothing is to be done here: say goodbye.')], end: 'no-way-on' },
        place,
      );
      return;
    }
    draft.node(id, { ...about, type: 'control.noop', default_transition: onward ?? noWayOn(draft, id, place) }, place);
    for (const { when, to } of conditions) draft.edge(id, to, when);
    return;
  }
  const decides = conditions.length === 0 ? id : draft.id(`${id}_choose`);
  if (conditions.length > 0) draft.node(id, { ...about, type: 'control.noop', default_transition: decides }, place);
  for (const { when, to } of conditions) draft.edge(id, to, when);
  const otherwise = {
    name: 'none_of_these',
    description: 'None of the other functions fits.',
    transition_to: onward ?? '',
  };
  const functions = onward === undefined ? moves : [...moves, otherwise];
  const node = { ...(decides === id ? about : {}), task_messages: [system(decide)], functions, ...exit };
  draft.node(decides, node, place);
}

/**
 * Writes an end for a conversation that no condition of a node leads on, which would otherwise hang. Returns its id.
 */
function noWayOn(draft: Draft, id: string, place: SourcePlace): string {
  const end = draft.id(`${id}_no_way_on`);
  draft.node(
    end,
    { task_messages: [system('Nothing more can be done: say so, and say goodbye.')], end: 'no-way-on' },
    place,
  );
  draft.notes.changed(place, `if no condition of node ${id} holds, the conversation ends for the reason no-way-on`);
  return end;
}

/** A decision by the model that the caller does not hear. */
const decide =
  'Say nothing. By what the conversation has shown so far, call the one function whose description is true now.';

export function system(content: string): DraftMessage {
  return { role: 'system', content };
}
