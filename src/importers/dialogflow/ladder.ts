import type { DraftLadder, DraftSpoken } from '../draft-node.ts';
import type { Source } from '../source.ts';
import { plainText } from '../words.ts';
import { type Agent, plainMessages, writeFulfillment } from './fulfillment.ts';

/** A handler of silence or of words that match nothing. `number` 0 is the default handler. */
interface Handler {
  readonly source: Source;
  readonly event: string;
  readonly kind: 'no-match' | 'no-input';
  readonly number: number;
  readonly line: string | undefined;
  readonly to: string | undefined;
}

interface Surroundings {
  /** Begins the ids of nodes that are written for a handler. */
  readonly near: string;
  readonly target: (handler: Source) => string | undefined;
  readonly failed: string | undefined;
}

/**
 * Writes handlers of silence and of words that match nothing as a ladder. The first handler that leads away ends the
 * ladder, which then continues with what that handler says.
 */
export function ladderOf(
  agent: Agent,
  sources: readonly Source[],
  { near, target, failed }: Surroundings,
): DraftLadder | undefined {
  const handlers = handlersOf(agent, sources, target);
  const most = Math.max(0, ...handlers.map(({ number }) => number));
  const handlerAt = (kind: Handler['kind'], attempt: number): Handler | undefined =>
    handlers.find((one) => one.kind === kind && one.number === attempt) ??
    handlers.find((one) => one.kind === kind && one.number === 0);
  const leading = (['no-input', 'no-match'] as const).flatMap((kind) => {
    for (let attempt = 1; attempt <= most + 1; attempt += 1) {
      const handler = handlerAt(kind, attempt);
      if (handler?.to !== undefined) return [{ kind, attempt, handler, to: handler.to }];
    }
    return [];
  });
  const usual = handlers.find(({ number, line }) => number === 0 && line !== undefined)?.line;
  const last = Math.min(...leading.map(({ attempt }) => attempt), most + (usual === undefined ? 1 : 2), 10);
  const lines: string[] = [];
  for (let attempt = 1; attempt < last; attempt += 1) {
    const line = handlers.find(({ number, line }) => number === attempt && line !== undefined)?.line ?? usual;
    if (line !== undefined) lines.push(line);
  }
  const ladder: DraftLadder = {};
  for (const { kind, handler, to } of leading)
    ladder[kind === 'no-input' ? 'on_no_input' : 'on_no_match'] = writeFulfillment(
      agent,
      handler.source.at('triggerFulfillment'),
      `${near} ${handler.event}`,
      to,
      failed,
    );
  tellUnsaid(
    agent,
    handlers.filter(({ line, to }) => line !== undefined && to === undefined && !lines.includes(line)),
  );
  if (lines.length > 0) ladder.lines = lines;
  if (most > 0 || leading.length > 0) ladder.attempts = last;
  return Object.keys(ladder).length === 0 ? undefined : ladder;
}

/** The handlers in effect: the first one for each event, those of the page before those of its flow. */
function handlersOf(agent: Agent, sources: readonly Source[], target: Surroundings['target']): readonly Handler[] {
  const { notes } = agent.draft;
  const handlers: Handler[] = [];
  for (const source of sources) {
    const event = plainText(source.at('event').value);
    const [, kind, count = ''] = /^sys\.(no-match|no-input)-(default|\d)$/.exec(event) ?? [];
    if (kind !== 'no-match' && kind !== 'no-input') continue;
    const first = handlers.find((handler) => handler.event === event);
    if (first?.source.file === source.file) notes.lost(source, `a second handler of ${event}: the first one counts`);
    if (first === undefined)
      handlers.push({
        source,
        event,
        kind,
        number: count === 'default' ? 0 : Number(count),
        line: lineOf(agent, source, event),
        to: target(source),
      });
    source.take();
  }
  return handlers;
}

/** The line of a handler: the first of its wordings, in the language of the agent. */
function lineOf({ draft, ...agent }: Agent, handler: Source, event: string): string | undefined {
  const fulfillment = handler.at('triggerFulfillment');
  const spoken = plainMessages({ draft, ...agent }, fulfillment).say;
  const own = agent.languages.own;
  const said = isByLanguage(spoken) ? spoken[own] : spoken;
  if (isByLanguage(spoken))
    draft.notes.lost(
      handler,
      `lines in ${Object.keys(spoken)
        .filter((language) => language !== own)
        .join(', ')}: those of a ladder are in one language`,
    );
  if (typeof said === 'object' && said.length > 1)
    draft.notes.lost(
      fulfillment,
      `${said.length - 1} more wordings for ${event}: a line of a ladder has one, the first`,
    );
  return typeof said === 'string' ? said : said?.[0];
}

function tellUnsaid({ draft }: Agent, handlers: readonly Handler[]): void {
  for (const { source, event } of handlers)
    draft.notes.lost(
      source.at('triggerFulfillment'),
      `the line at ${event}: silence and unmatched words share the lines of a ladder, and only the first line is taken`,
    );
}

function isByLanguage(spoken: DraftSpoken | undefined): spoken is Readonly<Record<string, string | readonly string[]>> {
  return typeof spoken === 'object' && !Array.isArray(spoken);
}
