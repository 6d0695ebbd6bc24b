import { type AgentConfig, agentOptions, callOptions, type OpenedConfig } from '../config/config.ts';
import { FlowError } from '../model/errors.ts';
import type { Event } from '../model/events/event.ts';
import type { InboxEntry } from '../model/inbox.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { readableState } from '../kernel/state/upgrade.ts';
import { unperformedEffects } from '../kernel/question/unperformed-effects.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { createTextSession } from '../livekit/agent/text-session.ts';
import { afterCallRule } from '../people/outcomes/outcome-settings.ts';
import { contactOf } from '../people/channels/contact.ts';
import type { SessionSnapshot, Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { mostGuards } from '../engine/session/inbox.ts';
import { createRunner, type FlowRunner } from './flow-runner.ts';
import { guarded } from './guarded.ts';
import type { RunnerOptions } from './options/runner-options.ts';
import type { SharedFlows } from './shared-flows.ts';

/** Dependencies of text conversations. */
export interface TextTurnParts {
  readonly config: OpenedConfig;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The model of a conversation, opened once. */
  readonly model: Parameters<typeof createTextSession>[0];
  /** Shared by all conversations of the configuration. Without it each reads its own flows. */
  readonly shared?: SharedFlows;
  /** Owner of the conversation meanwhile; a new name by default. */
  readonly owner?: string;
  /** Receives each completed turn. */
  readonly onTurn?: ((event: Extract<Event, { type: 'turn:completed' }>) => void) | undefined;
  /** Returns the flow of a name, or the flow that conversations begin with; null for the prompt. */
  flowOf(name: string | undefined): Promise<FlowSource | null>;
}

/** How often to check whether the session's inbox is empty, in milliseconds. */
const lookMs = 20;

/** How long the session's work may keep a turn open, in milliseconds: longer than a function that asks the caller. */
const longestWorkMs = 150_000;

/** Returns the address of a text conversation; null if there is none. */
async function writesTo(
  config: AgentConfig,
  sessionId: string,
  input: JsonObject,
): Promise<NonNullable<RunnerOptions['writesTo']> | null> {
  const names = Object.keys(config.channels ?? {}).filter((name) => name !== 'notify');
  const contact = contactOf(input);
  const channel = contact?.channel ?? (names.length === 1 ? names[0] : undefined);
  if (channel === undefined) return null;
  const given = { sessionId, room: null, participant: null, input };
  const to = contact?.to ?? (await callOptions(config, given)).replyTarget ?? null;
  return to === null ? null : { channel, to };
}

/**
 * Makes a text conversation take its due inbox entries, then releases it until the next turn. Its lines become messages, which a
 * messenger sends. After a crash another process continues the turn. Throws `session-taken` if another process has the conversation,
 * `contact-missing` without an address, and what `FlowRunner` throws. `known`: the stored session, if it was just read.
 */
export async function takeTextTurn(
  parts: TextTurnParts,
  entry: InboxEntry,
  known?: SessionSnapshot | null,
): Promise<void> {
  const { config, store, clock } = parts;
  const { sessionId, signal } = entry;
  const kept = known === undefined ? await store.sessions.get(sessionId) : known;
  const isBegun = kept !== null;
  if (isBegun && isJsonObject(kept.state) && kept.state['status'] === 'ended')
    throw new FlowError('session-over', `session "${sessionId}" has ended. Start a new one with another id.`);
  const input = isBegun ? inputOf(kept.state) : signal.type === 'session:started' ? signal.input : {};
  const to = await writesTo(config, sessionId, input);
  if (to === null)
    throw new FlowError(
      'contact-missing',
      `session "${sessionId}" has no address for messages. Give its input a contact { channel, to }, or set replyTarget.`,
    );
  await guarded({ store, clock }, entry, 'message', () => takeTurn(parts, entry, { isBegun, input, to }));
}

/** Data of a text conversation before its turn. */
interface WrittenTurn {
  readonly isBegun: boolean;
  readonly input: JsonObject;
  readonly to: NonNullable<RunnerOptions['writesTo']>;
}

async function takeTurn(parts: TextTurnParts, entry: InboxEntry, { isBegun, input, to }: WrittenTurn): Promise<void> {
  const { config, store, clock, ids, model } = parts;
  const { sessionId, key, signal, correlation } = entry;
  const flow = await parts.flowOf(signal.type === 'session:started' ? signal.flow : undefined);
  const session = createTextSession(model, { write: () => Promise.resolve(), end: () => undefined });
  const runner = createRunner({
    ...agentOptions(config),
    ...afterCallRule(config.outcomes),
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
    // A step that the store rejected is repeated by the process that finds the entry.
    if (stage === 'turn') lost ??= reason;
  });
  let isAsking = false;
  try {
    await runner.start();
    await whenTaken(runner, parts, sessionId, () => lost);
    isAsking = runner.work === 'none';
  } finally {
    await runner.detach();
    // A conversation that ends by itself is still storing its end.
    await runner.ended;
    // LiveKit waits half a second for the caller's last sound, which a text session does not have.
    void session.close().catch(() => undefined);
  }
  // The process that repeats the turn performs what is still open.
  if (!runner.isPersisted) throw turnLost(sessionId, 'store-failed');
  if (!isAsking && unperformedEffects(runner.state).length > 0) throw turnLost(sessionId, 'work-left');
}

/** Resolves when nothing is due or running, or the conversation is over. Throws `turn-lost` if the turn failed. */
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
    // Entries taken during the store query have been answered as well.
    if (isTaken && !isAtWork) return;
    const due = await store.inbox.listDue({ sessionId, dueBy: clock.now(), limit: mostGuards + 1 });
    isTaken = due.every(({ entry }) => entry.signal.type === 'session:left');
    if (!isTaken || isAtWork) await new Promise<void>((resolve) => void clock.schedule(lookMs, resolve));
  }
}

function turnLost(sessionId: string, reason: string): FlowError {
  return new FlowError('turn-lost', `a written turn of "${sessionId}" was not stored (${reason}). It is retried.`);
}

function inputOf(state: Json): JsonObject {
  return readableState(state)?.knowledge.input ?? {};
}
