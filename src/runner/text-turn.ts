import { type AgentConfig, agentOptions, callOptions, type OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { InboxEntry } from '../events/inbox.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import { owedIn } from '../kernel/owed.ts';
import type { FlowSource } from '../load/flow-library.ts';
import { createTextSession } from '../livekit/agent/text-session.ts';
import { contactOf } from '../people/channels/contact.ts';
import type { SessionSnapshot, Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { mostGuards } from '../turn/engine/inbox.ts';
import { FlowRunner } from './flow-runner.ts';
import { guarded } from './guarded.ts';
import type { FlowRunnerOptions } from './options.ts';
import type { SharedFlows } from './shared-flows.ts';

/** What written conversations need of the world. */
export interface TextTurnParts {
  readonly config: OpenedConfig;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The model of a conversation, opened once. */
  readonly model: Parameters<typeof createTextSession>[0];
  /** What all conversations of the configuration share; each reads its flows where absent. */
  readonly shared?: SharedFlows;
  /** Who owns the conversation meanwhile; a new name where absent. */
  readonly owner?: string;
  /** Hears of each turn that is over. */
  readonly onTurn?: ((event: Extract<Event, { type: 'turn:completed' }>) => void) | undefined;
  /** The flow of a name; the one that conversations begin with where absent, null for the prompt. */
  flowOf(name: string | undefined): Promise<FlowSource | null>;
}

/** How often it is looked whether the inbox of the session is empty, in milliseconds. */
const lookMs = 20;

/** How long work of the session may keep a turn open, in milliseconds: longer than a function that asks the caller. */
const longestWorkMs = 150_000;

/** Where a conversation is written to; null where it is not written. */
async function writesTo(
  config: AgentConfig,
  sessionId: string,
  input: JsonObject,
): Promise<NonNullable<FlowRunnerOptions['writesTo']> | null> {
  const names = Object.keys(config.channels ?? {}).filter((name) => name !== 'notify');
  const contact = contactOf(input);
  const channel = contact?.channel ?? (names.length === 1 ? names[0] : undefined);
  if (channel === undefined) return null;
  const given = { sessionId, room: null, participant: null, input };
  const to = contact?.to ?? (await callOptions(config, given)).replyTarget ?? null;
  return to === null ? null : { channel, to };
}

/**
 * Lets a written conversation take what is due in its inbox, and lets go of it: nobody holds it until the next turn. What it
 * says is intended as messages, which a messenger sends. After a crash somebody else goes on with the turn. Throws `session-taken` where another process
 * has the conversation, `contact-missing` where nobody knows where to write, and what `FlowRunner` throws. `known` is the
 * session as the store has kept it, where it was just looked at.
 */
export async function takeTextTurn(
  parts: TextTurnParts,
  entry: InboxEntry,
  known?: SessionSnapshot | null,
): Promise<void> {
  const { config, store, clock } = parts;
  const { sessionId, signal } = entry;
  const kept = known === undefined ? await store.loadSnapshot(sessionId) : known;
  const isBegun = kept !== null;
  if (isBegun && isJsonObject(kept.state) && kept.state['status'] === 'ended')
    throw new FlowError('session-over', `session "${sessionId}" has ended. Begin another one, with another id.`);
  const input = isBegun ? inputOf(kept.state) : signal.type === 'session:started' ? signal.input : {};
  const to = await writesTo(config, sessionId, input);
  if (to === null)
    throw new FlowError(
      'contact-missing',
      `nobody knows where to write in session "${sessionId}". Give its input a contact { channel, to }, or set replyTarget.`,
    );
  await guarded({ store, clock }, entry, 'message', () => takeTurn(parts, entry, { isBegun, input, to }));
}

/** What is known of a written conversation before its turn. */
interface WrittenTurn {
  readonly isBegun: boolean;
  readonly input: JsonObject;
  readonly to: NonNullable<FlowRunnerOptions['writesTo']>;
}

async function takeTurn(parts: TextTurnParts, entry: InboxEntry, { isBegun, input, to }: WrittenTurn): Promise<void> {
  const { config, store, clock, ids, model } = parts;
  const { sessionId, key, signal, correlation } = entry;
  const flow = await parts.flowOf(signal.type === 'session:started' ? signal.flow : undefined);
  const session = createTextSession(model, { write: () => Promise.resolve(), end: () => undefined });
  const runner = new FlowRunner({
    ...agentOptions(config),
    ...(parts.shared === undefined ? {} : { shared: parts.shared }),
    ...(parts.owner === undefined ? {} : { owner: parts.owner }),
    ...(await callOptions(config, { sessionId, room: null, participant: null, input })),
    ...(flow === null ? {} : { flow }),
    ...{ session, sessionId, store, clock, ids, input, writesTo: to, onEnd: 'keep' },
    ...(isBegun || signal.type !== 'session:started' ? {} : { begunBy: key, correlation }),
  });
  if (parts.onTurn !== undefined) runner.on('turn:completed', parts.onTurn);
  let lost: string | null = null;
  runner.on('response:failed', ({ data: { stage, reason } }) => {
    // What the store has not taken is done again by whoever finds the entry.
    if (stage === 'turn') lost ??= reason;
  });
  let isAsking = false;
  try {
    await runner.start();
    await whenTaken(runner, parts, sessionId, () => lost);
    isAsking = runner.work === 'none';
  } finally {
    await runner.leave();
    // A conversation that ends by itself is still being kept as ended.
    await runner.ended;
    // LiveKit waits half a second for the last words of a caller, which a written session has no sound for.
    void session.close().catch(() => undefined);
  }
  // Whoever takes the turn again does what is still owed.
  if (!runner.isKept) throw turnLost(sessionId, 'store-failed');
  if (!isAsking && owedIn(runner.state).length > 0) throw turnLost(sessionId, 'work-left');
}

/** Resolves when nothing is due and nothing is under way, or the conversation is over. Throws `turn-lost` where the turn failed. */
async function whenTaken(
  runner: FlowRunner,
  { store, clock }: TextTurnParts,
  sessionId: string,
  lost: () => string | null,
): Promise<void> {
  let isOver = false;
  let isTaken = false;
  const latest = clock.now() + longestWorkMs;
  void runner.ended.then(() => (isOver = true));
  for (;;) {
    await Promise.race([runner.idle(), runner.ended]);
    const reason = lost();
    if (reason !== null) throw turnLost(sessionId, reason);
    if (isOver) return;
    const isAtWork = runner.work === 'under-way' && clock.now() < latest;
    // What was taken while the store was asked is answered by then as well.
    if (isTaken && !isAtWork) return;
    const due = await store.dueEntries({ sessionId, dueBy: clock.now(), limit: mostGuards + 1 });
    isTaken = due.every(({ entry }) => entry.signal.type === 'session:left');
    if (!isTaken || isAtWork) await new Promise<void>((resolve) => void clock.schedule(lookMs, resolve));
  }
}

function turnLost(sessionId: string, reason: string): FlowError {
  return new FlowError('turn-lost', `a written turn of "${sessionId}" was not kept (${reason}). It is taken again.`);
}

function inputOf(state: Json): JsonObject {
  const { input = null } = isJsonObject(state) ? state : {};
  return isJsonObject(input) ? input : {};
}
