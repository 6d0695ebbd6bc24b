import { FlowError } from '../../model/errors.ts';
import { createAgentPolicy } from '../../livekit/agent/agent-policy.ts';
import { createKeypad, type Keypad } from '../../livekit/agent/keypad.ts';
import { createFlowAgent, sessionFunctions } from '../../livekit/agent/drive-session.ts';
import type { FlowAgentOptions } from '../../livekit/agent/flow-agent-options.ts';
import type { StartOptions } from '../../livekit/agent/live-session.ts';
import type { SpeakingAgent } from '../../livekit/agent/speaking-agent.ts';
import { waitingIn } from '../../kernel/state/draft.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { addCall } from '../../livekit/context/add-call.ts';
import { keptHistory } from '../../livekit/context/kept-history.ts';
import { guardPlugIns } from '../../livekit/guards/guard-plug-ins.ts';
import { guardLastWords } from '../../livekit/guards/last-words.ts';
import { guardPublication } from '../../livekit/guards/publication.ts';
import { openTelemetrySink } from '../../livekit/traces/turn-sink.ts';
import { troubleLines } from '../../livekit/speech/failure-lines.ts';
import { sendKeys } from '../../livekit/room/send-keys.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { systemCivilTime, systemTimeZone } from '../../system.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import type { EngineOptions } from '../../engine/engine-options.ts';
import type { Limits } from '../../engine/limits.ts';
import type { Responses } from '../../engine/reply/responses.ts';
import { isFollowUpDue } from '../follow-ups.ts';
import type { RunnerOptions } from '../options/runner-options.ts';
import type { RunnerParts } from '../parts.ts';
import { putThrough } from './put-through.ts';
import { runnerSeals } from '../seals.ts';

/** How long a caller's turn waits for a running write, in milliseconds. */
const writeCapMs = 10_000;

export interface ConversationParts {
  readonly options: RunnerOptions;
  readonly parts: RunnerParts;
  readonly sessionId: string;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly store: Store;
  readonly moveOf: NonNullable<EngineOptions['moveOf']>;
  /** The room of the session, if any. */
  readonly room: StartOptions['room'];
  /** How the session begins or resumes; with a listener by default. */
  readonly begin?: (engine: Engine) => Promise<void>;
}

/** Events of an open conversation. */
export interface ConversationListeners extends Pick<
  FlowAgentOptions,
  'onEnd' | 'onStoreLost' | 'onError' | 'onClose' | 'onSpeech'
> {
  /** The store did not give the session: it has ended, or another process owns it. */
  onRefused(): Promise<void>;
}

/** A conversation that has begun or resumed, and speaks once its agent is attached to a session. */
export interface Conversation {
  readonly engine: Engine;
  readonly agent: SpeakingAgent;
  /** The caller's telephone keys. */
  readonly keypad: Keypad;
  readonly responses: Responses;
  /** Whether a tool's work may wait for people, longer than the call. */
  readonly mayWait: (handler: string) => boolean;
  /** Whether a turn that the agent scheduled is still due. Rejects if the store fails. */
  readonly isScheduled: () => Promise<boolean>;
}

/** Takes the session from the store and creates its engine and agent. Throws what `FlowRunner.start` throws. */
export async function openConversation(given: ConversationParts, on: ConversationListeners): Promise<Conversation> {
  const { options, parts, sessionId, hub, clock, ids, limits, store, moveOf, room } = given;
  const { session, input = {}, timeZone = systemTimeZone() } = options;
  const { user = {}, replyTarget = null, resources = {}, owner } = options;
  const { library, graph, functions, generators, tasks, questions } = parts;
  let engine: Engine | undefined;
  let agent: SpeakingAgent | null = null;
  const current = (): Engine => {
    if (engine === undefined) throw new FlowError('not-started', 'the runner has not been started.');
    return engine;
  };
  const { gate, responses, events } = createAgentPolicy(options, session, {
    flows: new Set(Object.keys(options.flows ?? {})),
    clock,
    hub,
    context: { user, session: { id: sessionId, timeZone }, replyTarget, resources },
    engine: current,
    isAsked: () => questions.isOpen(),
  });
  const { executor, tools } = sessionFunctions(session, functions, clock, current, (call, attempt, error) => {
    events.toolFailed(call.name, attempt, error);
    options.onFlowError?.(error);
  });
  engine = await createEngine({
    graph,
    moveOf,
    sessionId,
    ...(owner === undefined ? {} : { owner }),
    ...(options.resume === 'exact' ? { resumesExactly: true } : {}),
    ...(options.begunBy === undefined ? {} : { begunBy: options.begunBy }),
    ...(options.correlation === undefined ? {} : { correlation: options.correlation }),
    ...(options.called === undefined ? {} : { called: options.called }),
    ...(options.afterCall === undefined ? {} : { afterCall: options.afterCall }),
    ...(options.writesTo === undefined ? {} : { writesTo: options.writesTo }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    turnSink: openTelemetrySink(session, process.env),
    store,
    compile: (document, hash) => library.compileKept(document, hash),
    executor,
    hub,
    clock,
    civilTime: systemCivilTime,
    ids,
    timeZone,
    writeCapMs,
    limits,
    generators,
    policy: gate,
    seals: runnerSeals(),
    ...{ questions, onTaskLeft: tasks.abort },
    onBroken: (error) => agent?.lose(error),
    onCallWithoutReply: (call) => {
      if (agent !== null) addCall(agent._chatCtx, call);
    },
  }).catch(async (error: unknown) => {
    await on.onRefused();
    throw error;
  });
  const log = engine.state.status === 'new' ? [] : await store.steps.list(sessionId);
  const kept = keptHistory(log, log.length === 0 ? [] : await store.effects.list(sessionId));
  engine.calls.recall(log);
  questions.decideBy(engine);
  tasks.keepIn(engine, log, store);
  await guardPlugIns(session);
  if (room !== undefined) {
    guardPublication(room);
    guardLastWords(room);
  }
  await (given.begin?.(engine) ?? engine.start(input));
  agent = createFlowAgent(session, engine, functions, tools, clock, kept, {
    ...on,
    lines: troubleLines(options.lines, () => current().graph.speech.lines),
    ...(room === undefined ? {} : { sendKeys: (keys: string) => sendKeys(room, keys, clock) }),
    runTask: (effect) => tasks.runNode(effect, current()),
    transfer: putThrough({ store, clock, sessionId, transfers: options.transfers, onError: on.onError }),
    questions,
    onModelTrouble: (reason, stage = 'model') => events.fail(stage, reason),
    responses,
    onSpeech: (heard, interrupted) => {
      if (heard.trim() !== '') current().tracer.heard(heard);
      responses.heard(heard, interrupted);
      on.onSpeech(heard, interrupted);
    },
  });
  return {
    ...{ engine, agent, responses, keypad: createKeypad({ session, engine, agent, clock, onError: on.onError }) },
    mayWait: (handler) => tasks.waiting.has(handler),
    isScheduled: async () => options.followUps !== undefined && (await isFollowUpDue(store, sessionId)),
  };
}

/** Reports the last speech and ends the conversation. With null, releases it so that another process can resume it. */
export async function closeConversation(
  { engine, keypad, responses, mayWait, isScheduled }: Conversation,
  reason: string | null,
): Promise<void> {
  keypad.forget();
  responses.settle();
  await responses.told();
  const isHungUp = reason !== null && hangUps.has(reason);
  // A hang-up ends the call, but neither open waits nor scheduled turns.
  const isLeft = isHungUp && (isAwaited(engine.state, mayWait) || (await isScheduled().catch(() => true)));
  // A decision or confirmation right before the end is still carried out.
  await engine.close(isLeft ? null : reason, isHungUp);
}

/** Checks whether the session waits for something outside the call, or running work may do so. */
function isAwaited(state: SessionState, mayWait: Conversation['mayWait']): boolean {
  const isCalled = Object.values(state.effects).some((one) => one.kind === 'tool' && mayWait(one.payload.handler));
  // Nobody is put through without a caller.
  return waitingIn(state).some(({ payload }) => payload.wait !== 'transfer') || isCalled;
}

/** End reasons of a call that was not ended deliberately. */
const hangUps: ReadonlySet<string> = new Set(['caller-left', 'room-closed', 'session-closed', 'worker-stopped']);
