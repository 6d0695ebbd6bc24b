import { type JobContext, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { agentOptions, callOptions } from '../../config/config.ts';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { Json } from '../../model/json.ts';
import { checkFlow } from '../../flow/load/check-flow.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { defaultLanguage, languageOf } from '../../language/language-of.ts';
import { afterCallRule } from '../../people/outcomes/outcome-settings.ts';
import { createRunner, type FlowRunner } from '../../runner/flow-runner.ts';
import { attendCaller } from '../../livekit/room/attend-caller.ts';
import { whoCalls, whoIsIn } from '../../livekit/room/presence.ts';
import { guardLastWords, hasArrived } from '../../livekit/guards/last-words.ts';
import { closeRemoteSession } from '../../livekit/guards/remote-session.ts';
import { openStore } from '../../store/open-store.ts';
import { showAttributes } from '../../livekit/room/shown-attributes.ts';
import { systemClock } from '../../system.ts';
import { whySilent } from '../../offline/brain/offline-brain.ts';
import { ownerName } from '../../engine/session/process-owner.ts';
import { sessionIdOf } from './call-place.ts';
import type { JobMetadata } from '../jobs/job-metadata.ts';
import { keepCall, type KeptCallOfJob } from './keep-call.ts';
import { sendCall, sendTurn } from '../jobs/job-turns.ts';
import { flushTraces } from '../../livekit/traces/flush-traces.ts';
import { logEvents } from '../log-events.ts';
import type { CallModels } from '../open-models.ts';
import { pause } from '../pause.ts';
import type { PreparedJob } from '../jobs/prepare-job.ts';
import { serveOperators } from '../room-operators.ts';
import { openTransfers } from '../transfers/open-transfers.ts';
import { serveTransfers } from '../transfers/serve-transfers.ts';
import { type WorkerLog, workerLog } from '../worker-log.ts';
import { onWorkerGone } from '../jobs/worker-gone.ts';

/** How long to wait for a caller who dropped out, by default. */
const rejoinTimeoutMs = 30_000;
const keyPauseMs = 1_000;

/**
 * Takes one call: joins the room, waits for the caller, and runs the flow with the caller only. Resolves once the
 * call runs. The job ends when the flow has ended, the room is closed, or the caller is gone for good. A stored call
 * is left to another worker if this one stops. Throws `session-taken` if another process has it, `session-over` if a
 * repeated call has ended meanwhile, and `session-abandoned` if it ends each process that takes it.
 */
export async function takeCall(ctx: JobContext, job: PreparedJob, metadata: JobMetadata): Promise<void> {
  const { store } = job;
  if (metadata.givenUp === true)
    throw new FlowError(
      'session-abandoned',
      'the conversation has ended each process that resumed it. Inspect it with "roomflow show", and resume it with "roomflow resume".',
    );
  if (store === null) {
    const sessionId = await sessionIdOf(nothingKept, ctx.job, metadata);
    return await attend(ctx, job, metadata, { sessionId, kept: null });
  }
  const sessionId = await sessionIdOf(store, ctx.job, metadata);
  const hasCome = async (): Promise<void> => {
    await join(ctx);
    await whoCalls(ctx.room, metadata.participant);
  };
  const keepCompany = async (): Promise<void> => {
    await join(ctx);
    // A failure here is not a reason to drop the caller.
    if (whoIsIn(ctx.room).hasCaller)
      await sayToCaller(ctx, job.models, await waitingLine(job, metadata)).catch(report(workerLog()));
  };
  const kept = await keepCall(store, ctx.info, { sessionId, metadata, hasCome, keepCompany }, systemClock);
  try {
    await attend(ctx, job, metadata, { sessionId, kept });
  } catch (error) {
    await kept.drop();
    throw error;
  }
}

/** Returns the flow's line for long waits, in the language of the call. */
async function waitingLine(job: PreparedJob, { flow, language }: JobMetadata): Promise<string> {
  const source = await job.flowOf(flow);
  const graph = source === null ? null : checkFlow(source, { catalog: job.config.catalog ?? builtinCatalog }).graph;
  const spoken = language === undefined ? graph : graph?.spokenIn(language);
  return (spoken?.speech ?? languageOf(language ?? defaultLanguage).speech).lines.working[0];
}

/** Returns the name of the flow that a job without a flow runs. */
function firstFlow({ flows = {}, initialFlow }: PreparedJob['config']): string {
  return initialFlow ?? Object.keys(flows)[0] ?? '';
}

/** Without a store, no call has ended before. */
const nothingKept = { sessions: { get: () => Promise.resolve(null) } };

interface CallToAttend {
  readonly sessionId: string;
  readonly kept: KeptCallOfJob | null;
}

const joining = new WeakMap<JobContext, Promise<void>>();

/** Joins the room of a job once, even for concurrent requests. */
function join(ctx: JobContext): Promise<void> {
  guardLastWords(ctx.room);
  const under = joining.get(ctx) ?? ctx.connect().finally(() => joining.delete(ctx));
  joining.set(ctx, under);
  return under;
}

async function attend(
  ctx: JobContext,
  job: PreparedJob,
  metadata: JobMetadata,
  { sessionId, kept }: CallToAttend,
): Promise<void> {
  const { models } = job;
  const { config, close } = await job.servers;
  const logger = workerLog();
  // Without a store, inbox entries are stored only as long as the process.
  const store = job.store ?? (await openStore('memory', { clock: systemClock }));
  const session = openSession(models, config.voice ?? {});
  const flow = await job.flowOf(metadata.flow);
  const told = await callOptions(config, {
    sessionId,
    room: ctx.job.room?.name ?? null,
    participant: metadata.participant ?? null,
    input: metadata.input ?? {},
  });
  // Read when the conversation begins. The caller is known then, and a telephone is called back at its number.
  const input: Record<string, Json> = { ...metadata.input };
  let caller: string | null = null;
  const transfers = openTransfers({
    ...{ room: ctx.room, roomName: ctx.job.room?.name ?? '', session, config, logger, sessionId },
    caller: () => caller,
    onError: report(logger),
  });
  const runner = createRunner({
    session,
    transfers,
    ...agentOptions(config),
    ...told,
    ...afterCallRule(config.outcomes),
    ...(flow === null ? {} : { flow }),
    onEnd: 'keep',
    ...(config.worker?.lines === undefined ? {} : { lines: config.worker.lines }),
    ...{ store, input },
    ...(metadata.correlation === undefined ? {} : { correlation: metadata.correlation }),
    ...(metadata.called === true ? { called: { flow: metadata.flow ?? firstFlow(config) } } : {}),
    ...(metadata.language === undefined ? {} : { language: metadata.language }),
    ...(config.worker?.remoteSession === undefined ? {} : { remoteSession: config.worker.remoteSession }),
    sessionId,
    owner: ownerName(ctx.job.id),
  });
  let left: Promise<void> | null = null;
  const workerGone = new Promise<'worker-gone'>((resolve) =>
    onWorkerGone(() => {
      resolve('worker-gone');
      if (kept === null) return;
      left ??= leave(runner, kept);
      left.catch(report(logger));
    }),
  );
  // Running writes are stored before the process ends, whatever the cause.
  ctx.addShutdownCallback(async () => {
    try {
      await (left ?? runner.stop('worker-stopped'));
    } finally {
      await close();
      await flushTraces(systemClock);
    }
  });
  await join(ctx);
  logEvents(runner, logger);
  runner.on('turn:completed', ({ flowId = '', data: trace }) => sendTurn({ flow: flowId, trace }));
  const silence = whySilent(models.llm, runner.language);
  if (silence !== null) logger.warn({ event: 'model:silent', sessionId }, silence);
  const stop = (reason: string): void => void runner.stop(reason).catch(report(logger));
  // Set before LiveKit closes the session for the same cause, so that the reason is stored.
  ctx.room.on(RoomEvent.Disconnected, () => stop('room-closed'));
  // A called customer may never answer; a stopping worker does not wait for that.
  const lost = kept?.lost.then(() => 'lost' as const) ?? workerGone;
  const who = await Promise.race([whoCalls(ctx.room, metadata.participant), workerGone, lost]);
  if (who === 'lost')
    throw new FlowError('session-taken', 'the called person has called in meanwhile, and another job has that call.');
  if (who === 'worker-gone') {
    logger.info({ event: 'call:left', sessionId }, 'the worker stops before a caller has come');
    return await (left ?? runner.stop('worker-stopped'));
  }
  caller = who.identity;
  const number = config.calls === undefined ? undefined : who.attributes['sip.phoneNumber'];
  if (number !== undefined) input['contact'] ??= { to: number };
  await kept?.attend(who.identity);

  const attendance = attendCaller(runner, {
    room: ctx.room,
    caller: who.identity,
    // A caller who left while the call was stored is not seen leaving.
    hasCome: true,
    clock: systemClock,
    graceMs: config.worker?.rejoinTimeoutMs ?? rejoinTimeoutMs,
    keyPauseMs: config.worker?.keyPauseMs ?? keyPauseMs,
    onError: report(logger),
  });
  const begunAt = systemClock.now();
  const flowName = (): string => runner.state.position.flow.id;
  runner.on('flow:started', ({ data }) => sendCall({ event: 'started', flow: data.flow }));
  void runner.ended.then(async (reason) => {
    attendance.end();
    if (left !== null && reason === 'left')
      return logger.info({ event: 'call:left', sessionId }, 'the call is left to another worker');
    if (runner.state.status !== 'ended')
      logger.info({ event: 'call:waiting', sessionId, reason }, 'the call is over; its waits stay open');
    const seconds = (systemClock.now() - begunAt) / 1_000;
    sendCall({ event: 'ended', flow: flowName(), outcome: runner.outcome?.name ?? 'left', seconds });
    await kept?.end().catch(report(logger));
    // Nothing is interrupted: the flow has said its last words, or the caller has left.
    await session.close().catch(report(logger));
    if (config.worker?.onEnd === 'delete-room' && ctx.room.isConnected) {
      await hasArrived(ctx.room);
      await ctx.deleteRoom();
    }
    ctx.shutdown(reason);
  });

  await runner.start({
    room: ctx.room,
    // Nothing of a call is sent to LiveKit's cloud.
    record: false,
    inputOptions: attendance.inputOptions,
  });
  if (metadata.again === true) sendCall({ event: 'resumed', flow: flowName() });
  if (config.worker?.showFlow === true) showAttributes(runner, ctx.room);
  const endOperators = serveOperators({
    ...{
      room: ctx.room,
      roomName: ctx.job.room?.name ?? '',
      runner,
      store,
      config,
      logger,
      openEar: () => job.openEar(),
    },
    onCallerText: (identity, text, id) => attendance.type(identity, text, id),
  });
  const endTransfers = serveTransfers({
    ...{ room: ctx.room, runner, store, transfers, clock: systemClock, onError: report(logger) },
  });
  void runner.ended.then(() => {
    endOperators();
    endTransfers();
  });
}

/** Releases the call to another worker. A call that is just ending is stored as ended first. */
async function leave(runner: FlowRunner, kept: KeptCallOfJob): Promise<void> {
  await runner.detach();
  await runner.ended;
  await kept.letGo();
}

/** Leaves the room of a call that another job has. A telephone stops ringing there, and a caller without any agent hears the line. */
export async function leaveToOther(ctx: JobContext, models: CallModels | null, line: string): Promise<void> {
  await join(ctx);
  const { hasAgent, hasCaller, isRinging } = whoIsIn(ctx.room);
  if (isRinging && !hasCaller && !hasAgent) return await ctx.deleteRoom();
  if (hasCaller && !hasAgent) await sayToCaller(ctx, models, line);
}

/** Says one line to a caller who is there or comes soon. Ends within its time limits, even if LiveKit does not answer. */
export async function sayToCaller(ctx: JobContext, models: CallModels | null, line: string): Promise<void> {
  await Promise.race([sayOnce(ctx, models, line), pause(systemClock, 3 * apologyWithinMs)]);
}

async function sayOnce(ctx: JobContext, models: CallModels | null, line: string): Promise<void> {
  await join(ctx);
  if (models === null) return;
  // Without a voice the line is shown as text, which needs no other model.
  const hasVoice = models.tts !== undefined;
  const session = hasVoice ? openSession(models, {}) : new voice.AgentSession();
  const caller = await Promise.race([whoCalls(ctx.room, undefined), pause(systemClock, apologyWithinMs)]);
  if (caller !== undefined) {
    await closeRemoteSession(session);
    const outputOptions = { audioEnabled: hasVoice };
    await session.start({ agent: new voice.Agent({ instructions: '' }), room: ctx.room, record: false, outputOptions });
    await Promise.race([session.say(line).waitForPlayout(), pause(systemClock, apologyWithinMs)]);
  }
  await session.close();
  await hasArrived(ctx.room);
}

/** How long an apology may wait for a listener, and how long it may take, in milliseconds. */
const apologyWithinMs = 15_000;

/** Longer than a line may take with a hanging voice, in milliseconds. */
const voiceIdleMs = 60_000;

function openSession(
  models: CallModels,
  { aecWarmupDuration, userAwayTimeout = null, ...turnHandling }: NonNullable<PreparedJob['config']['voice']>,
): voice.AgentSession {
  return new voice.AgentSession({
    ...models,
    userAwayTimeout,
    ...(aecWarmupDuration === undefined ? {} : { aecWarmupDuration }),
    // A hanging voice is retried once and its line shown; on a busy machine LiveKit would drop the line earlier.
    ttsReadIdleTimeout: voiceIdleMs,
    forwardAudioIdleTimeout: voiceIdleMs,
    // Voice activity alone decides, because LiveKit's default asks a model for each turn.
    turnHandling: {
      turnDetection: 'vad',
      ...turnHandling,
      interruption: { mode: 'vad', ...turnHandling.interruption },
    },
  });
}

function report(logger: WorkerLog): (error: unknown) => void {
  return (error) => logger.warn({ code: errorKind(error) }, 'a part of the call failed; the call continues');
}
